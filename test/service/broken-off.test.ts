/** Clients that go away in the middle of a body: their affair, and no failure of ours. */
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { readBody } from '../../src/http/read-body.ts'
import { type TestWorld, useBench } from '../support/harness.ts'
import { needsProcess } from '../support/needs.ts'

const bench = useBench()

/** Begins a body of 100 bytes, or one of chunks, and goes; resolves when the connection is gone. */
async function breakOff(world: TestWorld, path: string, length: string): Promise<void> {
  const { port, pathname } = new URL(world.baseUrl)
  const socket = connect(Number(port), '127.0.0.1')
  const head = [`POST ${pathname}${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Content-Type: application/json', length]
  head.push(`Authorization: Bearer ${await world.token()}`)
  await new Promise<void>((sent) => socket.write(`${head.join('\r\n')}\r\n\r\n5\r\n{"a":`, () => sent()))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.resetAndDestroy()
  await closed
}

it.for(['Content-Length: 100', 'Transfer-Encoding: chunked'])(
  'is journalled as a bad request, with %s',
  async (length, context) => {
    // What a reset overtakes, a worker may never see; test/hosts/workers asks it with an end in its place.
    needsProcess('sockets', context)
    const world = await bench.world()
    const journalled = world.control('POST', '/wait', {
      for: 'request',
      where: 'request.operation == "createSendMoney"',
      timeout: '60s',
    })
    await breakOff(world, '/api/sandbox/v1/send-money', length)
    await journalled
    const [entry] = (await world.control('GET', '/requests')).requests
    expect(entry).toMatchObject({ operation: 'createSendMoney', status: 400, request: { body: null } })
    expect(JSON.stringify(entry.response)).toContain('body: the connection broke off before all of it had come')
    expect((await world.control('GET', '/payments')).total).toBe(0)
  },
)

it('is told from an empty body by a reader that comes when its sender is gone', async () => {
  const read = (signal: AbortSignal) => {
    const body = new ReadableStream({ start: (stream) => stream.close() })
    return readBody(new Request('http://m.example', { method: 'POST', body, duplex: 'half', signal } as RequestInit))
  }
  expect(await read(new AbortController().signal)).toBe('')
  await expect(read(AbortSignal.abort())).rejects.toMatchObject({ details: expect.stringContaining('broke off') })
})

it.each(['/_mfano/clock/advance', '/_mfano/inbox/x', '/_mfano/scenario/lint'])(
  'changes nothing at %s',
  async (path) => {
    const world = await bench.world()
    await breakOff(world, path, 'Content-Length: 100')
    // What it sent was read before this, and an error of it would fail the test.
    expect((await world.control('GET', '/inbox/x')).messages).toEqual([])
  },
)

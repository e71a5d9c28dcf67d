/** Requests as bytes: in pieces, one behind the other, in chunks, with bodies of every length. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { readBody } from '../../src/http/read-body.ts'
import { payoutTo } from '../support/bodies.ts'
import { type TestWorld, useBench } from '../support/harness.ts'
import { needsProcess } from '../support/needs.ts'

const bench = useBench()
const BODY = JSON.stringify(payoutTo('https://merchant.example/callback', { referenceId: 'order-1' }))

interface Told {
  status: number
  body: string
}

/** Writes the pieces, each when the one before is on its way, and gives what came until the server closed. */
async function told(world: TestWorld, pieces: string[]): Promise<Told[]> {
  const socket = connect(Number(new URL(world.baseUrl).port), '127.0.0.1')
  socket.setNoDelay(true)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const ended = new Promise((resolve) => socket.once('close', resolve))
  for (const piece of pieces) await new Promise<void>((sent) => socket.write(piece, () => sent()))
  await ended
  const parts = Buffer.concat(chunks).toString().split('HTTP/1.1 ').slice(1)
  return parts.map((part) => {
    const [head = '', body = ''] = part.split('\r\n\r\n')
    return { status: Number.parseInt(head, 10), body }
  })
}

async function head(world: TestWorld, ...lines: string[]): Promise<string> {
  const { host, pathname } = new URL(world.baseUrl)
  const token = await world.token()
  const first = [
    `POST ${pathname}/api/sandbox/v1/send-money HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
  ]
  return `${[...first, 'Content-Type: application/json', ...lines].join('\r\n')}\r\n\r\n`
}

const LENGTH = `Content-Length: ${BODY.length}`
const CLOSE = 'Connection: close'

it('answers requests that come one behind the other in their order', async (context) => {
  needsProcess('sockets', context)
  const world = await bench.world()
  const again = (await head(world, LENGTH)) + BODY.replace('order-1', 'order-2')
  const last = (await head(world, LENGTH, CLOSE)) + BODY.replace('order-1', 'order-3')
  const answers = await told(world, [(await head(world, LENGTH)) + BODY + again + last])
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  const { payments } = await world.control('GET', '/payments')
  expect(payments.map((one: { referenceId: string }) => one.referenceId).sort()).toEqual([
    'order-1',
    'order-2',
    'order-3',
  ])
  const ids = answers.map(({ body }) => JSON.parse(body).data.requestId)
  expect(new Set(ids).size).toBe(3)
})

it('takes a body in pieces, and the next request on the same connection', async (context) => {
  needsProcess('sockets', context)
  const world = await bench.world()
  const pieces = [await head(world, LENGTH), BODY.slice(0, 20), BODY.slice(20, 40), BODY.slice(40)]
  const answers = await told(world, [...pieces, await head(world, 'Content-Length: 0', CLOSE)])
  expect(answers.map(({ status }) => status)).toEqual([201, 400])
  // What comes behind the body may come with its last piece, and be answered before it in a busy process.
  const [[made], [empty]] = await Promise.all(
    [201, 400].map(async (status) => (await world.control('GET', `/requests?status=${status}`)).requests),
  )
  expect([made.request.body, empty.request.body]).toEqual([JSON.parse(BODY), null])
})

it('takes a body in chunks', async (context) => {
  needsProcess('sockets', context)
  const world = await bench.world()
  const half = BODY.length >> 1
  const chunks = [BODY.slice(0, half), BODY.slice(half), ''].map((one) => `${one.length.toString(16)}\r\n${one}\r\n`)
  const answers = await told(world, [await head(world, 'Transfer-Encoding: chunked', CLOSE), ...chunks])
  expect(answers.map(({ status }) => status)).toEqual([201])
})

it('asks for a body that waits to be asked for', async (context) => {
  needsProcess('sockets', context)
  const world = await bench.world()
  const answers = await told(world, [await head(world, LENGTH, 'Expect: 100-continue', CLOSE), BODY])
  expect(answers.map(({ status }) => status)).toEqual([100, 201])
})

it('turns away a body that is too long without reading it, and closes nothing else', async (context) => {
  needsProcess('sockets', context)
  const world = await bench.world()
  const long = JSON.stringify({ remarks: 'x'.repeat(1_000_000) })
  const answers = await told(world, [
    (await head(world, `Content-Length: ${long.length}`)) + long,
    (await head(world, LENGTH, CLOSE)) + BODY,
  ])
  expect(answers.map(({ status }) => status)).toEqual([413, 201])
})

it.each([
  ['once', 1, '200'],
  ['twice', 2, '401'],
])('takes a header that comes twice for one with both values: a good token %s', async (_, times, status) => {
  const world = await bench.world()
  const { port, pathname } = new URL(world.baseUrl)
  const path = `${pathname.replace(/\/$/, '')}/api/sandbox/v1/send-money/all?companyId=${world.companyId}`
  const line = `AUTHORIZATION:  Bearer ${await world.token()} `
  const head = [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close', ...Array(times).fill(line)]
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const answer = await text(socket)
  expect(answer.split(' ', 2)[1]).toBe(status)
  if (times > 1) expect(answer).toContain('must be \\"Bearer <ACCESS_TOKEN>\\"')
})

// Clients that go away in the middle of a body: their affair, and no failure of ours.

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

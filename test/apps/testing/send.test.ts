import type { IncomingMessage, RequestListener } from 'node:http'
import { pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AnyControl, controlOf } from '../../../src/client/control.ts'
import { send } from '../../../src/client/send.ts'
import { ServiceCaller } from '../../../src/client/service-client.ts'
import { serving } from '../../support/listening.ts'

// The client under every kit and command, against a server that tells what came.

let url = ''
let gone: () => Promise<void>
const waiting: IncomingMessage[] = []

beforeAll(async () => {
  const answer: RequestListener = async (request, response) => {
    if (request.url === '/silent/_mfano/clock') return void waiting.push(request)
    if (request.url?.startsWith('/endless')) return pipeline(endless(), response, () => {})
    if (request.url === '/empty') return void response.writeHead(204).end()
    const told = { length: request.headers['content-length'] ?? null, body: await text(request) }
    response.writeHead(
      200,
      [
        ['x-more', 'one'],
        ['x-more', 'two'],
      ].flat(),
    )
    response.end(JSON.stringify({ data: told }))
  }
  url = await serving(answer, (close) => {
    gone = close
  })
})

/** Megabytes, as long as somebody reads. */
function* endless(): Generator<Uint8Array> {
  const part = new Uint8Array(1024 ** 2).fill(97)
  for (;;) yield part
}

afterAll(() => gone())

it('sends a text and a file with their length, and a stream without', async () => {
  const sent = async (body: string | Blob | ReadableStream) =>
    JSON.parse(await (await send(url, { method: 'POST', headers: {}, body, duplex: 'half' })).text()).data
  expect(await sent('shillingi ½')).toEqual({ length: '12', body: 'shillingi ½' })
  expect(await sent(new Blob(['a file']))).toEqual({ length: '6', body: 'a file' })
  expect(await sent(new Blob(['a stream']).stream())).toEqual({ length: null, body: 'a stream' })
})

it('gives headers as the platform does, and an answer without a body', async () => {
  const { headers, status } = await new ServiceCaller(url).request('GET', '/')
  expect(headers).toBeInstanceOf(Headers)
  expect([status, headers.get('X-More')]).toEqual([200, 'one, two'])
  const empty = await send(`${url}/empty`, { method: 'GET', headers: {} })
  expect([empty.status, empty.ok, empty.headers.get('x-more')]).toEqual([204, true, null])
  expect(empty.whole?.()).toMatchObject({ status: 204, body: null })
})

it('reads no more of an answer than one can hold', async () => {
  const said = expect.stringContaining('got no answer: expected at most 67108864 bytes, got more')
  const clock = controlOf(`${url}/endless`)('GET', '/clock')
  await expect(clock).rejects.toMatchObject({ code: 'NO_ANSWER', message: said })
})

it('stops for a signal with its reason, and after the time that it was given', async () => {
  const caller = new AbortController()
  const ask = (options: object): Promise<unknown> => {
    const control: AnyControl = controlOf(`${url}/silent`, options)
    return control('GET', '/clock', { signal: caller.signal })
  }
  const stopped = ask({})
  await expect.poll(() => waiting.length).toBe(1)
  const reason = new Error('the test is over')
  caller.abort(reason)
  await expect(stopped).rejects.toBe(reason)
  const late: AnyControl = controlOf(`${url}/silent`, { patienceMs: 1 })
  await expect(late('GET', '/clock')).rejects.toMatchObject({ code: 'NO_ANSWER', cause: { name: 'TimeoutError' } })
})

it('says which address refused it', async () => {
  const nobody: AnyControl = controlOf('http://127.0.0.1:1')
  await expect(nobody('GET', '/clock')).rejects.toThrow('got no answer: connect ECONNREFUSED 127.0.0.1:1')
})

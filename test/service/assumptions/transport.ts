import type { TestWorld } from '../../support/harness.ts'
import { bodies, type Probes, read, type Stage } from './probe.ts'

const API = '/api/sandbox/v1'
const JSON_TYPE = { 'content-type': 'application/json' }

export interface Sent {
  headers?: Record<string, string>
  body?: Uint8Array
  /** Nobody asks. */
  anonymous?: boolean
}

/** A request byte by byte, without a header that nobody gave it. */
export async function sent(world: TestWorld, method: string, path: string, { headers, body, anonymous }: Sent = {}) {
  const answer = await fetch(world.baseUrl + path, {
    method,
    redirect: 'manual',
    headers: { ...(!anonymous && { authorization: `Bearer ${await world.token()}` }), ...headers },
    ...(body && { body: body as BodyInit }),
  })
  const text = await answer.text()
  const told = Object.fromEntries(
    ['allow', 'location', 'access-control-allow-origin', 'access-control-allow-methods']
      .filter((name) => answer.headers.has(name))
      .map((name) => [name, answer.headers.get(name)?.replace(world.baseUrl, '')]),
  )
  return { status: answer.status, code: text === '' ? null : (JSON.parse(text).error?.code ?? null), ...told }
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

const till = (stage: Stage, changed: object = {}) =>
  JSON.stringify({ ...bodies.till(stage.receiver.url()), ...changed })

/** Pays a till with a body and headers of the test's own. */
const paying =
  (headers: Record<string, string>, body: (stage: Stage) => Uint8Array = (stage) => utf8(till(stage))) =>
  async (stage: Stage) =>
    sent(stage.world, 'POST', `${API}/till`, { headers, body: body(stage) })

/** Reads a list at a path that is written in a way of its own. */
const reading =
  (path: string, how?: Sent) =>
  async ({ world }: Stage) =>
    sent(world, 'GET', path, how)

export const transportProbes = {
  'unsupported-media-type': paying({ 'content-type': 'text/plain' }),
  'missing-media-type': paying({}),
  'json-suffix-types': paying({ 'content-type': 'application/vnd.merchant+json' }),
  'other-charsets': async (stage) => {
    const headers = { 'content-type': 'application/json; charset=ISO-8859-1' }
    const answer = await sent(stage.world, 'POST', `${API}/till`, {
      headers,
      body: latin1(till(stage, { remarks: 'Café' })),
    })
    const [record] = await read(stage.world, '/till/all')
    return [answer, record?.remarks]
  },
  'broken-utf-8': paying(JSON_TYPE, (stage) => latin1(till(stage, { remarks: 'Café' }))),
  'byte-order-mark': paying(JSON_TYPE, (stage) => utf8(`\uFEFF${till(stage)}`)),
  'accept-header': reading(`${API}/paybill/all`, { headers: { accept: 'application/xml;q=1, text/*' } }),
  'body-limit': paying(JSON_TYPE, (stage) => utf8(`${till(stage)}${' '.repeat(200_000)}`)),
  'too-large': paying(JSON_TYPE, (stage) => utf8(`${till(stage)}${' '.repeat(1_000_000)}`)),
  'unsupported-method': async ({ world }) => sent(world, 'DELETE', `${API}/till`),
  'unknown-path-order': async ({ world }) => [
    await sent(world, 'GET', `${API}/tills`, { anonymous: true }),
    await sent(world, 'DELETE', `${API}/till`, { anonymous: true }),
    await sent(world, 'GET', '/api/v1/get-token', { anonymous: true }),
    await sent(world, 'GET', `${API}/tills`),
  ],
  'trailing-slash': reading(`${API}/paybill/all/?page=1`),
  'double-slash': reading(`/${API}/paybill/all`),
  'path-case': reading(`${API}/PayBill/all`),
  'path-encoding': reading(`${API}/send%2Dmoney/all`),
  'head-requests': async ({ world }) => sent(world, 'HEAD', `${API}/paybill/all`),
  'options-requests': async ({ world }) => [
    await sent(world, 'OPTIONS', `${API}/till`),
    await sent(world, 'OPTIONS', `${API}/till`, { anonymous: true }),
    await sent(world, 'OPTIONS', `${API}/tills`),
  ],
  cors: async ({ world }) => {
    const headers = { origin: 'https://shop.example' }
    return [
      await sent(world, 'GET', `${API}/paybill/all`, { headers }),
      await sent(world, 'OPTIONS', `${API}/till`, {
        headers: { ...headers, 'access-control-request-method': 'POST' },
        anonymous: true,
      }),
    ]
  },
} as const satisfies Probes

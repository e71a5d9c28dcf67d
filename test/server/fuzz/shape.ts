/** Requests that nobody would write: known paths, fields and values, put together and spoilt by seeded chance. */
import { paymentsService } from '../../../src/service/service.ts'
import { ordinary, shippedNames, shippedText } from '../../core/scenarios/support.ts'

export interface Shaped {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** A seeded stream of numbers below a bound (mulberry32): the same seed, the same requests. */
export function dice(seed: number) {
  let state = seed
  const below = (bound: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * bound)
  }
  return {
    below,
    pick: <T>(from: readonly T[]) => from[below(from.length)] as T,
    /** True once in so many times. */
    once: (of: number) => below(of) === 0,
  }
}
export type Dice = ReturnType<typeof dice>

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT']
const PAGES = [
  ...'/ /docs /openapi.json /favicon.ico /session/{token} /session/{token}/events /_mfano/'.split(' '),
  ...'/_mfano/login /_mfano/logout /_mfano/app/{file} /_mfano/handset/{phone}/'.split(' '),
]
const FIELDS =
  'amount currency currencyCode phoneNumber by to at mode rate start kind request where for name id from clock scenario seed parameters status with state limit before since until operation method path body timeout count atLeast within untilIdle value url search text level pin answer answers delay headers organisationId callbackUrl referenceId requestId companyId types world payment books method card number cvc expiry code reason note challenge allocationId parentOrganisationId action prompt token replace account accountNumber rules name description extends'.split(
    ' ',
  )
const TEXTS = [
  '',
  ' ',
  'default',
  'a/b',
  '../../etc/passwd',
  '%00',
  '%',
  '\u0000',
  '\ud800',
  '💸'.repeat(50),
  'x'.repeat(5000),
  "'; DROP TABLE payment; --",
  ...'<script>alert(1)</script> #{7*7} __proto__ constructor toString 254712345678 254711000404'.split(' '),
  ...'254711000999 KES KSH frozen realtime scaled 5s 1h 20ms -3s 2025-01-24T16:28:00'.split(' '),
  ...'9999-12-31T23:59:59 0001-01-01T00:00:00 SUCCESS FAILED payment callback request inbox'.split(' '),
  ...'send-money'.split(' '),
  'payment.amount > 10',
  'request.phoneNumber.matches("(a|a)*$")',
  'body.x[0',
  '{"a":1}',
  'reference,status\nr-1,SUCCESS\n',
  '200,500',
]
const NUMBERS = [0, 1, -1, 10, 404.01, 1.005, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 63, 1000, 0.1, 99_000_000]
const HEADERS: Record<string, readonly string[]> = {
  authorization: [
    '',
    'Bearer',
    'Bearer x',
    `Bearer ${'a.'.repeat(200)}`,
    'Basic YTpi',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
  ],
  'content-type': ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'a/b/c', ''],
  accept: ['text/html', 'text/event-stream', '*/*;q=x', 'application/json'],
  origin: ['null', 'http://evil.example', 'http://', 'javascript:0'],
  host: ['evil.example', 'localhost', '', 'a:b', '[::1]', 'x'.repeat(300)],
  cookie: ['mfano-80=1.2', '=;;=', 'mfano-0=99999999999.'],
  'last-event-id': ['0', '-1', 'x.y', '1.99999999999999999999'],
  'device-id': ['', 'x'.repeat(2000)],
  'if-none-match': ['*', '"'],
  range: ['bytes=0-', 'bytes=-1'],
  'content-encoding': ['gzip', 'br'],
  'sec-fetch-site': ['cross-site', 'none'],
  'mfano-callback': ['true'],
  'mfano-admin-token': ['x'],
  expect: ['100-continue'],
  'webhook-signature': ['v1,x', ''],
}

/** What requests can name that really is there. */
export interface Known {
  /** `GET /_mfano/payments/:id`, as the control plane lists them. */
  control: readonly string[]
  /** An access token for each world. */
  tokens: Record<string, string>
  /** Ids of payments, callbacks, worlds, organisations and sessions. */
  ids: string[]
  worlds: string[]
  /** Addresses for callbacks; nothing else is ever called. */
  receivers: readonly string[]
}

/** The next request. */
export function shape(d: Dice, known: Known): Shaped {
  const { method, path, example } = target(d, known)
  const world = d.once(12) ? 'none' : d.pick(known.worlds)
  const at = spoilt(d, `/w/${world}${filled(d, known, path)}`) + query(d, known)
  const headers: Record<string, string> = { authorization: `Bearer ${known.tokens[world]}` }
  const body = d.once(4) && method === 'GET' ? undefined : bodyOf(d, known, path, example)
  if (body !== undefined) headers['content-type'] = 'application/json'
  for (let more = d.below(3); more > 1; more--) {
    const name = d.pick(Object.keys(HEADERS))
    headers[name] = d.pick(HEADERS[name] ?? [''])
  }
  const sent = d.once(8) ? d.pick(METHODS) : method
  return { method: sent, path: at, headers, ...(body !== undefined && sent !== 'HEAD' && { body }) }
}

function target(d: Dice, { control }: Known): { method: string; path: string; example?: object } {
  switch (d.below(8)) {
    case 0:
      return { method: d.once(2) ? 'GET' : 'POST', path: d.pick(PAGES) }
    case 1:
    case 2:
    case 3: {
      // A reset in every hundredth request would leave nothing to be found.
      const [method = '', path = ''] = d
        .pick(d.once(10) ? control : control.filter((one) => !one.endsWith('/reset')))
        .split(' ')
      return { method, path }
    }
    default: {
      const { method, path, body, example: own } = d.pick(paymentsService.operations)
      const example = d.once(4) ? d.pick(Object.values(ordinary)) : own?.('http://127.0.0.1:9')
      return { method: method.toUpperCase(), path, ...(body && example && { example }) }
    }
  }
}

/** Fills in what a path leaves open. */
function filled(d: Dice, { ids }: Known, path: string): string {
  return path.replaceAll(/\{\w+\}|:\w+/g, () =>
    d.once(3)
      ? encodeURIComponent(d.pick(TEXTS).toWellFormed()).slice(0, 300)
      : d.pick([...ids, '1', 'told', 'default']),
  )
}

function spoilt(d: Dice, path: string): string {
  if (!d.once(10)) return path
  const at = d.below(path.length)
  const with_ = d.pick(['%00', '//', '/../', '%2f', '%', '%ff', ';', '\\', '..;/', '%c0%af', '', '/./', '@'])
  return `/${path.slice(1, at)}${with_}${path.slice(at + d.below(3))}`
}

function query(d: Dice, known: Known): string {
  if (!d.once(3)) return ''
  const parts = Array.from({ length: 1 + d.below(4) }, () => {
    const value = d.once(2) ? String(value_(d, known, 3)) : d.pick(TEXTS)
    return `${d.pick(FIELDS)}=${d.once(8) ? '%' : encodeURIComponent(value.toWellFormed()).slice(0, 900)}`
  })
  return `?${parts.join('&')}`
}

function bodyOf(d: Dice, known: Known, path: string, example?: object): string | Uint8Array {
  if (path.includes('scenario') && d.once(2)) return scenarioText(d)
  if (d.once(12)) return Uint8Array.from({ length: d.below(400) }, () => d.below(256))
  if (d.once(12))
    return d.pick(['', '{', '[]', 'null', '"x"', '['.repeat(3000), '{"a":'.repeat(900), '\ufeff{}', 'a=1&b=2'])
  const text = JSON.stringify(objectOf(d, known, example))
  return d.once(15) ? text.slice(0, d.below(text.length)) : text
}

function objectOf(d: Dice, known: Known, example: object = {}): object {
  const made: Record<string, unknown> = { ...example }
  if ('callbackUrl' in made) made['callbackUrl'] = d.pick(known.receivers)
  const names = [...Object.keys(made), ...FIELDS]
  for (let changes = d.below(4); changes > 0; changes--) {
    const name = d.once(3) ? d.pick(names) : d.pick(Object.keys(example).length > 0 ? Object.keys(example) : FIELDS)
    made[name] = /url$/i.test(name) ? d.pick(known.receivers) : value_(d, known, 0)
  }
  // Waits of a minute are right, and too long for a test; nobody is called whom nobody here answers for.
  if ('timeout' in made) made['timeout'] = d.pick(['1ms', '20ms', '', 7, '2m'])
  return made
}

function value_(d: Dice, known: Known, depth: number): unknown {
  switch (d.below(depth > 2 ? 5 : 8)) {
    case 0:
    case 1:
      return d.pick(TEXTS)
    case 2:
      return d.pick(NUMBERS)
    case 3:
      return d.pick([...known.ids, ...known.worlds])
    case 4:
      return d.pick([null, true, false])
    case 5:
      return Array.from({ length: d.once(40) ? 3000 : d.below(4) }, () => value_(d, known, 3))
    case 6:
      return { [d.pick(['toString', 'toJSON', 'length', 'valueOf', 'then'])]: value_(d, known, depth + 1) }
    default:
      return Object.fromEntries(Array.from({ length: d.below(5) }, () => [d.pick(FIELDS), value_(d, known, depth + 1)]))
  }
}

/** A shipped scenario with lines changed, doubled and left out. */
function scenarioText(d: Dice): string {
  const lines = shippedText(d.pick(shippedNames)).split('\n')
  for (let changes = d.below(4); changes > 0; changes--) {
    const at = d.below(lines.length)
    const line = lines[at] ?? ''
    lines.splice(
      at,
      d.below(2),
      d.pick([line, line.replace(/:.*/, `: ${JSON.stringify(d.pick(TEXTS))}`), '- x', `  ${line}`, '&a *a']),
    )
  }
  return lines.join('\n')
}

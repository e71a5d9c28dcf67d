/** The stages that may wait: signature of the token, body, slow preparations. Parts that nothing reads are noted. */
import { getQueryParams } from 'hono/utils/url'
import type * as z from 'zod'
import { inText } from '../../core/model/mask.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { commonReasons, refused } from '../../core/model/refusal-reasons.ts'
import { isOff } from '../../core/response-faults.ts'
import type { Exchange } from '../exchange.ts'
import { type Operation, type RequiredHeader, takesKey } from '../operation.ts'
import { parseJson } from '../read-body.ts'
import { authenticate } from './authenticate.ts'
import { readBodyText, requireJson } from './body-text.ts'
import { unknownPath } from './refusals.ts'

export async function receive(exchange: Exchange, operation: Operation): Promise<void> {
  try {
    if (isOff(operation, exchange.world.core.scenario.assumptions)) throw unknownPath(exchange.c)
    if (operation.auth === 'bearer') {
      const credential = authenticate(exchange)
      // Awaits promises only, to save a tick.
      exchange.credential = credential instanceof Promise ? await credential : credential
    }
    for (const header of operation.headers ?? []) requireHeader(exchange, header)
    const { method, prepare, body } = operation
    if (method !== 'get') exchange.text = await readBodyText(exchange)
    noteUnread(exchange, operation)
    if (exchange.text !== undefined && body) {
      requireJson(exchange)
      exchange.body = parseJson(exchange.text)
      // A flat body has as many keys as it writes, so that nothing more has to be looked through.
      const written = exchange.text.match(/"\s*:/g)?.length ?? 0
      const repeated = written > Object.keys(Object(exchange.body)).length ? repeatedKeys(exchange.text) : []
      if (repeated.length > 0) note(exchange, repeated)
    }
    if (prepare && body) exchange.prepared = await prepare(read(exchange, body), exchange.world)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    exchange.refusal = error
  }
}

function requireHeader({ c }: Exchange, { name, why }: RequiredHeader): void {
  if (c.header(name.toLowerCase())?.trim()) return
  throw refused(commonReasons.headerMissing, `${name}: is required, it ${why}, got nothing`, `${name} is required`)
}

function read<T>({ service, world, body }: Exchange, schema: z.ZodType<T>): T {
  return service.read(schema, body, world.core.scenario.assumptions)
}

const MOST_TOLD = 100

/** Headers that ask for something, or say something about the body. A value that matches asks for what is done anyway. */
const UNREAD_HEADERS: Readonly<Record<string, RegExp | undefined>> = {
  Accept: /\*\/\*|application\/\*|json/i,
  'Content-Digest': undefined,
  'Content-Encoding': undefined,
  'Content-MD5': undefined,
  Cookie: undefined,
  Expect: /^100-continue$/i,
  'Idempotency-Key': undefined,
  'If-Match': undefined,
  'If-Modified-Since': undefined,
  'If-None-Match': undefined,
  'If-Range': undefined,
  'If-Unmodified-Since': undefined,
  Prefer: undefined,
  Range: undefined,
  Trailer: undefined,
  'X-HTTP-Method-Override': undefined,
  'X-Idempotency-Key': undefined,
}
const spelled = new Map(Object.keys(UNREAD_HEADERS).map((name) => [name.toLowerCase(), name]))

/** Loops without functions: every request comes by. */
function noteUnread(exchange: Exchange, operation: Operation): void {
  const { c, text, world } = exchange
  const unread: string[] = []
  for (const lower of c.env.connection.headerNames?.() ?? c.raw.headers.keys()) {
    const name = spelled.get(lower)
    if (name === undefined || UNREAD_HEADERS[name]?.test(c.header(lower) ?? '')) continue
    if (name === 'Content-Encoding' && operation.body) continue
    const isKey = name === 'Idempotency-Key' && takesKey(operation)
    if (!isKey || world.core.scenario.assumptions['idempotency-key'] === 'ignored') unread.push(name)
  }
  const charset = text !== undefined && /charset\s*=\s*"?([^\s";]+)/i.exec(c.header('content-type') ?? '')?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) unread.push('Content-Type: charset')
  const hasBody =
    text === undefined
      ? Number(c.header('content-length') ?? 0) > 0 || c.header('transfer-encoding') !== undefined
      : !/^\s*(?:\{\s*\})?\s*$/.test(text)
  if (!operation.body && hasBody) unread.push('body')
  if (c.env.path.includes('?'))
    for (const [name, values] of Object.entries(getQueryParams(c.raw.url) as Record<string, string[]>))
      if (values.length > 1) unread.push(`?${name} (repeated)`)
  if (unread.length > 0) note(exchange, unread)
}

function note({ notes }: Exchange, unread: readonly string[]): void {
  notes.unread = [...(notes.unread ?? []), ...unread.slice(0, MOST_TOLD).map((one) => inText(one))]
}

/** Keys that an object has twice. The last counts, as in most readers of JSON. */
function repeatedKeys(json: string): string[] {
  const repeated = new Set<string>()
  const open: { prefix: string; at: string; keys: Set<string> }[] = []
  let before = ''
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    const within = open.at(-1)
    if (token === '{' || token === '[') {
      const prefix = within ? (within.at === '' ? within.prefix : `${within.at}.`) : ''
      open.push({ prefix, at: '', keys: new Set() })
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ':' && within) {
      within.at = `${within.prefix}${JSON.parse(before)}`
      if (within.keys.has(within.at)) repeated.add(within.at)
      within.keys.add(within.at)
    }
    before = token
  }
  return [...repeated].map((key) => `${key} (repeated)`)
}

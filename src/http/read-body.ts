import { getQueryParams } from 'hono/utils/url'
import type * as z from 'zod'
import { levelsOf } from '../core/model/json.ts'
import { inText } from '../core/model/mask.ts'
import { errorOf } from '../core/model/must.ts'
import { commonReasons, Refusal, refused, refuseUnder } from '../core/model/refusal.ts'
import { isOff } from '../core/response-faults.ts'
import { assumed, type Exchange, unknownPath } from './exchange.ts'
import { type Credential, type Operation, type RequiredHeader, takesKey } from './operation.ts'

export async function readBody(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, BODY_MAX))
}

/** @param begins throws for a beginning that is wrong, before the rest of a large body is read */
export async function readBytes(
  request: Request,
  maxBytes: number,
  begins?: { bytes: number; check(head: Uint8Array): void },
): Promise<Uint8Array> {
  const length = Number(request.headers.get('content-length') ?? 0)
  if (length > maxBytes) throw tooLarge(length, maxBytes)
  const chunks: Uint8Array[] = []
  // Larger ones, files of worlds, are put together as they come: to do so at the end holds everybody up.
  const known = length > BODY_MAX ? new Uint8Array(length) : undefined
  let size = 0
  try {
    // Asked for its stream, the adapter would make a whole Request.
    if ((request.headers.has('content-length') && !known) || request.body === null)
      return new Uint8Array(await request.arrayBuffer())
    for await (const chunk of request.body) {
      known?.set(chunk, size)
      const isBeginning = begins && known && size < begins.bytes
      size += chunk.length
      if (size > maxBytes) throw tooLarge(size, maxBytes)
      if (isBeginning && size >= begins.bytes) begins.check(known.subarray(0, begins.bytes))
      if (!known) chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Refusal ? error : brokenOff()
  }
  // A stream whose sender left before it was read looks empty.
  if (size < (known?.length ?? 0) || (size === 0 && request.signal.aborted)) throw brokenOff()
  return known ?? joined(chunks)
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** The sender closed the connection, which is no failure of mfano. */
export function brokenOff(): Refusal {
  return refused(
    commonReasons.bodyBrokenOff,
    'body: the connection broke off before all of it had come',
    'body must come whole',
  )
}

export function parseJson(text: string): unknown {
  // Each level needs two characters, so short bodies cannot be too deep.
  if (text.length > 2 * NESTING_MAX && levelsOf(text) > NESTING_MAX) {
    const expected = `body: expected at most ${NESTING_MAX} levels of nesting, got more`
    throw refused(commonReasons.bodyTooDeep, expected, `body must be nested at most ${NESTING_MAX} levels`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser quotes the body around the error, where a password may be. Only the text before the quote is shown.
    const [told] = errorOf(error).message.split(/, (?:\.\.\.)?"/, 1)
    const got = text.trim() === '' ? 'nothing' : `something else: ${told}`
    throw refused(commonReasons.bodyNotJson, `body: expected JSON, got ${got}`, 'body must be JSON')
  }
}

function tooLarge(size: number, maxBytes: number): Refusal {
  return refused(
    commonReasons.bodyTooLarge,
    `body: must be at most ${maxBytes} bytes, got ${size} or more`,
    `body must be at most ${maxBytes} bytes`,
  )
}

/** Replaces `Response.json`, which Node loads from a file on first use: without free file descriptors it fails. */
export function jsonResponse(body: unknown, { status, headers }: { status: number; headers?: Record<string, string> }) {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}

export const MOST_ENTRIES = 1000

/** Depth of a body. Assumed: the limit of the JSON parser that such services usually have. */
export const NESTING_MAX = 1000

const BODY_MAX = 1_000_000

export const BODY_LIMITS = { '1mb': BODY_MAX, '100kb': 100_000 } as const

const MEDIA = 'unsupported-media-type'
const SMALLEST_LIMIT = Math.min(...Object.values(BODY_LIMITS))
const utf8 = new TextDecoder()

async function readBodyText(exchange: Exchange): Promise<string> {
  try {
    // Most are within every limit. Not `text()`, of which Workers and Node do not skip the same byte order marks.
    if (Number(exchange.header('content-length')) <= SMALLEST_LIMIT)
      return utf8.decode(await exchange.raw.arrayBuffer())
    const bytes = await readBytes(exchange.raw, BODY_LIMITS[exchange.world.core.scenario.assumptions['body-limit']])
    // Another alternative would refuse it as too long.
    if (bytes.length > SMALLEST_LIMIT) assumed(exchange, 'body-limit')
    return utf8.decode(bytes)
  } catch (error) {
    // Any error but a refusal means that the sender closed the connection.
    if (!(error instanceof Refusal)) throw brokenOff()
    if (error.status === 413) assumed(exchange, 'body-limit')
    throw error
  }
}

function requireJson(exchange: Exchange): void {
  const encoding = exchange.header('content-encoding')?.trim() ?? ''
  if (!/^(?:identity)?$/i.test(encoding)) {
    assumed(exchange, MEDIA)
    throw unsupported(exchange, 'Content-Encoding', 'left out, for bodies are not compressed', encoding)
  }
  const declared = exchange.header('content-type')?.trim() ?? ''
  if (/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(declared)) return
  if (assumed(exchange, MEDIA) === 'accept') return
  throw unsupported(exchange, 'Content-Type', 'application/json', declared)
}

function unsupported({ world }: Exchange, header: string, expected: string, declared: string): Refusal {
  const got = declared === '' ? 'nothing' : `"${declared}"`
  const refuse = refuseUnder(world.core.scenario.assumptions)
  return refuse(commonReasons.mediaType, `${header}: must be ${expected}, got ${got}`, `${header} must be ${expected}`)
}

// The stages before the commit: signature of the token, body, slow preparations. Parts that nothing reads are noted.

export async function receive(exchange: Exchange, operation: Operation): Promise<void> {
  try {
    if (isOff(operation, exchange.world.core.scenario.assumptions)) throw unknownPath(exchange)
    if (operation.auth === 'bearer') exchange.credential = authenticate(exchange)
    for (const header of operation.headers ?? []) requireHeader(exchange, header)
    const { method, prepare, body } = operation
    if (method !== 'get') exchange.text = await readBodyText(exchange)
    noteUnread(exchange, operation)
    if (exchange.text !== undefined && body) {
      requireJson(exchange)
      exchange.body = parseJson(exchange.text)
    }
    if (prepare && body) exchange.prepared = await prepare(read(exchange, body), exchange.world)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    exchange.refusal = error
  }
}

function requireHeader(exchange: Exchange, { name, why }: RequiredHeader): void {
  if (exchange.header(name.toLowerCase())?.trim()) return
  throw refused(commonReasons.headerMissing, `${name}: is required, it ${why}, got nothing`, `${name} is required`)
}

function read<T>({ service, world, body }: Exchange, schema: z.ZodType<T>): T {
  return service.read(schema, body, world.core.scenario.assumptions)
}

const MOST_NOTED = 100

/** Headers that are noted, because mfano does not follow them. A value that matches asks for nothing else. */
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

/** Loops without callbacks, for speed: it runs for every request. */
function noteUnread(exchange: Exchange, operation: Operation): void {
  const { raw, env, text, world } = exchange
  const unread: string[] = []
  for (const lower of exchange.sentHeaders.keys()) {
    const name = spelled.get(lower)
    if (name === undefined || UNREAD_HEADERS[name]?.test(exchange.header(lower) ?? '')) continue
    if (name === 'Content-Encoding' && operation.body) continue
    const isKey = name === 'Idempotency-Key' && takesKey(operation)
    if (!isKey || world.core.scenario.assumptions['idempotency-key'] === 'ignored') unread.push(name)
  }
  const charset = text !== undefined && /charset\s*=\s*"?([^\s";]+)/i.exec(exchange.header('content-type') ?? '')?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) unread.push('Content-Type: charset')
  const hasBody =
    text === undefined
      ? Number(exchange.header('content-length') ?? 0) > 0 || exchange.header('transfer-encoding') !== undefined
      : !/^\s*(?:\{\s*\})?\s*$/.test(text)
  if (!operation.body && hasBody) unread.push('body')
  if (env.path.includes('?'))
    for (const [name, values] of Object.entries(getQueryParams(raw.url) as Record<string, string[]>))
      if (values.length > 1) unread.push(`?${name} (repeated)`)
  if (unread.length > 0) note(exchange, unread)
}

function note({ notes }: Exchange, unread: readonly string[]): void {
  notes.unread = [...(notes.unread ?? []), ...unread.slice(0, MOST_NOTED).map((one) => inText(one))]
}

function authenticate(exchange: Exchange): Credential {
  const { service, world } = exchange
  const header = exchange.header('authorization')
  if (header === undefined || header.trim() === '') {
    throw refused(
      commonReasons.tokenMissing,
      'Authorization: is required, expected "Bearer <ACCESS_TOKEN>", got nothing',
      'Authorization is required',
    )
  }
  // The usual spelling is read without splitting.
  const usual = header.startsWith('Bearer ') ? header.slice('Bearer '.length) : ''
  if (usual !== '' && !/\s/.test(usual)) return service.readToken(world, usual)
  const [scheme, token, ...rest] = header.trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) {
    throw refused(
      commonReasons.tokenMalformed,
      'Authorization: must be "Bearer <ACCESS_TOKEN>"',
      'Authorization must be "Bearer <ACCESS_TOKEN>"',
    )
  }
  return service.readToken(world, token)
}

import type { TransportAssumptions } from '../core/model/assumption.ts'
import { levelsOf } from '../core/model/json.ts'
import { errorOf } from '../core/model/must.ts'
import { commonReasons, Refusal, refused, refuseUnder } from '../core/model/refusal.ts'
import type { Exchange } from './exchange.ts'

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
  requireSize(length, maxBytes)
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
      requireSize(size, maxBytes)
      if (isBeginning && size >= begins.bytes) begins.check(known.subarray(0, begins.bytes))
      if (!known) chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Refusal ? error : brokenOff()
  }
  // A stream whose sender left before it was read looks empty.
  if (size < (known?.length ?? 0) || (size === 0 && request.signal.aborted)) throw brokenOff()
  if (known) return known
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
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

function requireSize(size: number, maxBytes: number): void {
  if (size <= maxBytes) return
  throw refused(
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

export async function readBodyText(exchange: Exchange): Promise<string> {
  try {
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

export function requireJson(exchange: Exchange): void {
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

/** Names the assumption in the journal, because it decided what happened. */
export function assumed<Id extends keyof TransportAssumptions>(
  { world, notes }: Exchange,
  id: Id,
): TransportAssumptions[Id] {
  if (!notes.assumed?.includes(id)) notes.assumed = [...(notes.assumed ?? []), id]
  return world.core.scenario.assumptions[id]
}

/** Reads the body of a request as text. */

import type { TransportAssumptions } from '../../core/model/assumption.ts'
import { commonReasons, Refusal, refuseUnder } from '../../core/model/refusal.ts'
import type { Exchange } from '../exchange.ts'
import { BODY_LIMITS, brokenOff, readBytes, requireSize } from '../read-body.ts'

// Reads a body within its limit, if it says that it is JSON and not compressed.

const MEDIA = 'unsupported-media-type'
const SMALLEST_LIMIT = Math.min(...Object.values(BODY_LIMITS))

/** Skips a byte order mark; broken bytes become U+FFFD. */
const utf8 = new TextDecoder()

export async function readBodyText(exchange: Exchange): Promise<string> {
  try {
    const bytes = await readBodyBytes(exchange)
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

function readBodyBytes(exchange: Exchange): Promise<Uint8Array> {
  const { raw, env, world } = exchange
  const limit = BODY_LIMITS[world.core.scenario.assumptions['body-limit']]
  const { connection } = env
  const length = exchange.header('content-length')
  // A host reads the body itself only when its length is known.
  if (length === undefined || !connection.body) return readBytes(raw, limit)
  requireSize(Number(length), limit)
  return connection.body()
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

// Assumptions that the road consults.

/** Names the assumption in the journal, because it decided what happened. */
export function assumed<Id extends keyof TransportAssumptions>(
  { world, notes }: Exchange,
  id: Id,
): TransportAssumptions[Id] {
  if (!notes.assumed?.includes(id)) notes.assumed = [...(notes.assumed ?? []), id]
  return world.core.scenario.assumptions[id]
}

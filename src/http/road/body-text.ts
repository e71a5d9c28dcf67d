/** Reads the bytes of a body within its limit, and decodes them. */
import { Refusal } from '../../core/model/refusal.ts'
import { commonReasons, refused } from '../../core/model/refusal-reasons.ts'
import type { Exchange } from '../exchange.ts'
import { BODY_LIMITS } from '../limits.ts'
import { brokenOff, notJson, readBytes, requireSize } from '../read-body.ts'
import { assumed } from './assumed.ts'
import { otherDecoder } from './media-type.ts'

const SMALLEST_LIMIT = Math.min(...Object.values(BODY_LIMITS))

const utf8 = new TextDecoder()
const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

export function readBodyBytes({ c, world }: Exchange): Promise<Uint8Array> {
  const limit = BODY_LIMITS[world.core.scenario.assumptions['body-limit']]
  const { connection } = c.env
  const length = c.header('content-length')
  // A host reads the body itself only when its length is known.
  if (length === undefined || !connection.body) return readBytes(c.raw, limit)
  requireSize(Number(length), limit)
  return connection.body()
}

/** Any error but a refusal means that the sender closed the connection. */
export function bodyRefusal(exchange: Exchange, error: unknown): Refusal {
  if (!(error instanceof Refusal)) return brokenOff()
  if (error.status !== 413) return error
  assumed(exchange, 'body-limit')
  if (assumed(exchange, 'too-large') === '413') return error
  return refused(commonReasons.bodyTooLarge, error.details, { status: 400, fields: error.fields })
}

/** UTF-8 without a byte order mark, unless another charset is allowed. Broken bytes become U+FFFD. */
export function bodyText(exchange: Exchange, bytes: Uint8Array): string {
  // Another alternative would refuse it as too long.
  if (bytes.length > SMALLEST_LIMIT) assumed(exchange, 'body-limit')
  return (otherDecoder(exchange) ?? utf8).decode(bytes)
}

export function requireUtf8(exchange: Exchange, bytes: Uint8Array, text: string): void {
  if (otherDecoder(exchange)) return
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  if (hasMark && assumed(exchange, 'byte-order-mark') === 'refuse')
    throw notJson(commonReasons.bodyMarked, 'JSON, got a byte order mark before it', 'body must begin with its JSON')
  if (!text.includes('\uFFFD') || isUtf8(bytes)) return
  if (assumed(exchange, 'broken-utf-8') === 'refuse')
    throw notJson(commonReasons.bodyNotUtf8, 'UTF-8, got bytes that are not', 'body must be UTF-8')
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes)
    return true
  } catch {
    return false
  }
}

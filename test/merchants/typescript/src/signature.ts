/** Standard Webhooks: an HMAC over id, time and body, so that a callback is from the service, unaltered and new. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { MINUTE_MS } from './clock.ts'

/** What was signed longer ago may have been kept by somebody. */
const OLDEST_MS = 5 * MINUTE_MS

/** Whether a callback is signed with our secret, at about this time (milliseconds). */
export function isSigned(headers: IncomingHttpHeaders, body: string, secret: string, now: number): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = headers
  if (!(Math.abs(now - Number(seconds) * 1000) <= OLDEST_MS)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest()
  // There are several while a secret is changed for another.
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

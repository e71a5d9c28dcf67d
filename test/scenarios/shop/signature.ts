import { Webhook } from '../../support/standard-webhook.ts'
import type { ShopSettings, Told } from './shop.ts'

/** A callback that was signed longer ago was kept by somebody. */
const OLDEST_MS = 5 * 60_000

/** Whether a callback is signed as agreed, and just now. Without an agreement anybody may have sent it. */
export function isFromTheService({ headers, text }: Told, { callbackSecret }: ShopSettings): boolean {
  if (callbackSecret === undefined) return true
  const ageMs = Date.now() - Number(headers.get('webhook-timestamp')) * 1000
  return Math.abs(ageMs) <= OLDEST_MS && new Webhook(callbackSecret).verify(text, Object.fromEntries(headers))
}

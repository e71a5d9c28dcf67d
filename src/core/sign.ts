/**
 * Standard Webhooks signatures of callbacks: `v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`. Assumed, off by
 * default.
 */
import { Webhook } from 'standardwebhooks'
import type { Core } from './core.ts'
import type { Host } from './host.ts'
import type { SignatureState } from './model/callback.ts'
import type { SignCallback } from './model/callback-fault.ts'
import type { TraceContext } from './model/payment.ts'
import { type InstantUs, SECOND_US } from './model/time.ts'

/**
 * Marks a request as a callback, so that the control plane never runs it as a command, whatever address somebody gave.
 */
export const CALLBACK_MARK = 'mfano-callback'

/** Assumed: no source shows any header. */
const headers: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'application/json',
  'user-agent': 'mfano',
  [CALLBACK_MARK]: 'true',
})

/** All but those of the signature. `trace`: that of the request which led to the callback. */
export function callbackHeaders(trace: TraceContext | null = null): Readonly<Record<string, string>> {
  return trace ? { ...headers, ...traceHeaders(trace) } : headers
}

export function traceHeaders({ parent, state }: TraceContext): Record<string, string> {
  return { traceparent: parent, ...(state !== undefined && { tracestate: state }) }
}

function signatureHeaders(secret: Uint8Array, id: string, timestampS: number, body: string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': new Webhook(secret, { format: 'raw' }).sign(id, new Date(timestampS * 1000), body),
  }
}

export function secretText(secret: Uint8Array): string {
  return `whsec_${btoa(String.fromCharCode(...secret))}`
}

/** Standard Webhooks receivers reject timestamps further from their own time. */
const TOLERANCE_S = 300
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

export function judgeSignature(
  secrets: { now: Uint8Array; old: Uint8Array },
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  atUs: number,
): SignatureState {
  const [id, timestamp, given] = HEADERS.map((name) => headers[name])
  if (id === undefined && timestamp === undefined && given === undefined) return 'none'
  if (id === undefined || timestamp === undefined || given === undefined) return 'incomplete'
  const fits = (secret: Uint8Array) => {
    const expected = signatureHeaders(secret, id, Number(timestamp), body)['webhook-signature']
    return given.split(' ').includes(expected)
  }
  if (fits(secrets.now))
    return Math.abs(Number(timestamp) - Math.floor(atUs / 1_000_000)) > TOLERANCE_S ? 'stale' : 'valid'
  return fits(secrets.old) ? 'old-secret' : 'wrong'
}

export function signer(
  secrets: { now: Uint8Array; old: Uint8Array },
  uid: string,
  atUs: number,
  body: string,
): SignCallback {
  return ({ secret = 'now', agoS = 0 } = {}) =>
    signatureHeaders(secrets[secret], uid, Math.floor(atUs / SECOND_US) - agoS, body)
}

export function signatureTimeUs({ scenario, clock }: Core, { wallUs }: Host): InstantUs {
  return scenario.callbacks.signatureTime === 'world' ? clock.now() : wallUs()
}

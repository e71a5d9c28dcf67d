/** How callbacks are marked as ours: Standard Webhooks signatures, `v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`. Assumed, off by default. */
import type { SignatureState } from '../model/signature.ts'

/** Says that a request is a callback, and so no command, whatever address somebody gave for it. */
export const CALLBACK_MARK = 'mfano-callback'

/** What every callback carries, signed or not. */
export const callbackHeaders = {
  'content-type': 'application/json',
  'user-agent': 'mfano',
  [CALLBACK_MARK]: 'true',
} as const

/** The three headers for the bytes that are sent; `timestampS` in whole seconds, `secret` as raw bytes. */
export async function signatureHeaders(
  secret: Uint8Array,
  id: string,
  timestampS: number,
  body: string,
): Promise<Record<string, string>> {
  const key = await crypto.subtle.importKey('raw', secret as BufferSource, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestampS}.${body}`))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': `v1,${base64(new Uint8Array(signature))}`,
  }
}

/** The secret as receivers configure it: `whsec_` and base64. */
export function secretText(secret: Uint8Array): string {
  return `whsec_${base64(secret)}`
}

/** Standard Webhooks receivers turn away what is further from their own time. */
const TOLERANCE_S = 300
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** What a signature is worth: as a receiver judges it that has the secret, and says what is wrong with a wrong one. */
export async function judgeSignature(
  secrets: { now: Uint8Array; old: Uint8Array },
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  atUs: number,
): Promise<SignatureState> {
  const [id, timestamp, given] = HEADERS.map((name) => headers[name])
  if (id === undefined && timestamp === undefined && given === undefined) return 'none'
  if (id === undefined || timestamp === undefined || given === undefined) return 'incomplete'
  const fits = async (secret: Uint8Array) => {
    const expected = (await signatureHeaders(secret, id, Number(timestamp), body))['webhook-signature'] as string
    return given.split(' ').includes(expected)
  }
  if (await fits(secrets.now))
    return Math.abs(Number(timestamp) - Math.floor(atUs / 1_000_000)) > TOLERANCE_S ? 'stale' : 'valid'
  return (await fits(secrets.old)) ? 'old-secret' : 'wrong'
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** How callbacks are marked as ours: Standard Webhooks signatures, `v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`. Assumed, off by default. */

/** What every callback carries, signed or not. */
export const callbackHeaders = { 'content-type': 'application/json', 'user-agent': 'mfano' } as const

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

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** How a callback goes wrong: its body before it is signed, its signature, and the bytes behind the signature. */
import type { CallbackFault } from '../model/faults.ts'
import { signatureHeaders } from './sign.ts'

const SECOND_US = 1_000_000
/** Standard Webhooks receivers turn away what is older than five minutes. */
const STALE_S = 3600

/** The body with what a fault changes in it. It is signed like this, so the signature fits. */
export function alterBody(body: object, fault: CallbackFault | undefined): object {
  if (!fault?.extra && fault?.status === undefined) return body
  const changed = fault.status === undefined ? body : { ...body, status: fault.status }
  // The extra fields stand behind the announced ones and do not replace any.
  return { ...changed, ...Object.fromEntries(Object.entries(fault.extra ?? {}).filter(([name]) => !(name in body))) }
}

/** Signs the body as a fault says, or well; gives the headers, and the bytes that are really sent. */
export function signWith(
  secrets: { now: Uint8Array; old: Uint8Array },
  uid: string,
  atUs: number,
  body: string,
  fault: Pick<CallbackFault, 'signature'> | null,
): { headers: Record<string, string>; body: string } {
  const nowS = Math.floor(atUs / SECOND_US)
  const signed = (secret: Uint8Array, atS = nowS) => signatureHeaders(secret, uid, atS, body)
  switch (fault?.signature) {
    case 'none':
      return { headers: {}, body }
    case 'old-secret':
      return { headers: signed(secrets.old), body }
    case 'stale-timestamp':
      return { headers: signed(secrets.now, nowS - STALE_S), body }
    case 'missing-header': {
      const { 'webhook-timestamp': _, ...rest } = signed(secrets.now)
      return { headers: rest, body }
    }
    case 'altered-body':
      return { headers: signed(secrets.now), body: altered(body) }
    case undefined:
      return { headers: signed(secrets.now), body }
  }
}

/** As somebody on the way would change it: a larger amount, or a field where there is none. */
function altered(body: string): string {
  const larger = body.replace(/"amount":("?)(\d)/, '"amount":$19$2')
  return larger === body ? body.replace(/\}$/, ',"altered":true}') : larger
}

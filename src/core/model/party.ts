/** Whom a payment is with, in one spelling. */
import type { Kind } from './kind.ts'
import type { JsonObject } from './payment.ts'

/** Who is paid or pays: the phone, business or account that a request names, in one spelling; null when it names none. */
export function partyOf(kind: Pick<Kind, 'party'>, request: JsonObject): string | null {
  const written = kind.party === null ? undefined : request[kind.party.field]
  return typeof written === 'string' && written !== '' ? partyText(kind, written) : null
}

/** A party's one spelling. */
export function partyText({ party }: Pick<Kind, 'party'>, written: string): string {
  return party?.spelled?.(written) ?? written
}

/** Whom a payment is with, in one spelling. */
import type { Kind } from './kind.ts'
import type { JsonObject } from './payment.ts'

/** Who is paid or pays: the phone, business or account that a request names, in one spelling; null when it names none. */
export function partyOf(kind: Pick<Kind, 'party'>, request: JsonObject): string | null {
  const written = kind.party === null ? undefined : request[kind.party.field]
  return typeof written === 'string' && written !== '' ? partyText(kind, written) : null
}

/** A party's one spelling: of a phone number, the international one. */
export function partyText({ party }: Pick<Kind, 'party'>, written: string): string {
  return party?.type === 'phone' ? internationalPhone(written) : written
}

/** `+254712345678`, `0712345678` and `254712345678` are one number; local ones are Kenyan. */
export function internationalPhone(written: string): string {
  const digits = written.replace(/[^0-9]/g, '')
  return /^0[17]\d{8}$/.test(digits) ? `254${digits.slice(1)}` : digits
}

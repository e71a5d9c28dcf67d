/** The other party of a payment, in one spelling, so that counts and filters find all of its payments. */
import type { Kind } from './kind.ts'
import type { JsonObject } from './payment.ts'

export function partyOf(kind: Pick<Kind, 'party'>, request: JsonObject): string | null {
  const written = kind.party === null ? undefined : request[kind.party.field]
  return typeof written === 'string' && written !== '' ? partyText(kind, written) : null
}

export function partyText({ party }: Pick<Kind, 'party'>, written: string): string {
  return party?.spelled?.(written) ?? written
}

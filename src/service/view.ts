import type { Assumptions } from '../model/assumptions.ts'
import type { Chance } from '../model/chance.ts'
import type { Organisation } from '../model/payment.ts'
import { formatInstant, type InstantUs, SECOND_US } from '../model/time.ts'

/** What presenting a stored thing needs to look at. A world's core is one. */
export interface View {
  readonly store: { readonly organisations: { byId(id: number): Organisation } }
  readonly chance: Chance
  readonly scenario: { readonly assumptions: Assumptions }
}

const NAIROBI_US = 3 * 3600 * SECOND_US

/** As most records print it: no zone, six fractional digits. Published; the zone is assumed (`timestamp-zone`). */
export function timestamp(view: View, atUs: InstantUs): string {
  return formatInstant(view.scenario.assumptions['timestamp-zone'] === 'nairobi' ? atUs + NAIROBI_US : atUs)
}

/** As send-money and till records print it: a zero in the last place is dropped, so six digits or five. Published. */
export function timestampTrimmed(view: View, atUs: InstantUs): string {
  const full = timestamp(view, atUs)
  return full.endsWith('0') ? full.slice(0, -1) : full
}

/** As the answer to a creation prints it, before storage has cut it to microseconds. Published: 8 or 9 digits. */
export function timestampFresh(view: View, atUs: InstantUs, digits: 8 | 9): string {
  const below = view.chance.of('nanoseconds', atUs).below(digits === 8 ? 100 : 1000)
  return timestamp(view, atUs) + String(below).padStart(digits - 6, '0')
}

/** The organisation summary nested in mobile money, till, paybill and STK records. Specified; key order published. */
export function organisationSummary(view: View, id: number) {
  const organisation = view.store.organisations.byId(id)
  return {
    id: organisation.id,
    uuid: organisation.uuid,
    name: organisation.name,
    phoneNumber: organisation.phoneNumber,
    email: organisation.email,
    uniqueReference: organisation.uniqueReference,
    createdAt: timestamp(view, organisation.createdAtUs),
    updatedAt: timestamp(view, organisation.updatedAtUs),
  }
}

/** How records print times and organisations. */

import { zoneOffsetUs } from '../model/calendar.ts'
import { formatInstant, type InstantUs } from '../model/time.ts'
import type { View } from '../model/view.ts'
import { chosen } from './assumptions.ts'

/** As most records print it: no zone, six fractional digits. Published; the zone is assumed (`timestamp-zone`). */
export function timestamp(view: View, atUs: InstantUs): string {
  return formatInstant(atUs + zoneOffsetUs(chosen(view)['timestamp-zone']))
}

/** As send-money and till records print it: a zero in the last place is dropped, so six digits or five. Published. */
export function timestampTrimmed(view: View, atUs: InstantUs): string {
  const full = timestamp(view, atUs)
  return full.endsWith('0') ? full.slice(0, -1) : full
}

/** As the answer to a creation prints it, before storage has cut it to microseconds. Published: 8 or 9 digits. */
export function timestampFresh(view: View, atUs: InstantUs, digits: 8 | 9): string {
  const below = view.ids.of('nanoseconds', atUs).below(digits === 8 ? 100 : 1000)
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

/** The parent as nested records show it: uuid, name, parent. Specified for creation. */
export function parentSummary(view: View, id: number) {
  const parent = view.store.organisations.byId(id)
  return { uuid: parent.uuid, name: parent.name, parent: parent.parentId === null }
}

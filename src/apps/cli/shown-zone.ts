/** The time zone of printed times: that of the world that was called last. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Control } from '../../client/control.ts'
import { offsetText, toldZone, UTC, type Zone, zoneIn } from '../../core/model/calendar.ts'
import { hasZone } from '../../core/model/time.ts'

// Tests run several commands at once in one process.
const asked = new AsyncLocalStorage<{ zone: Zone }>()

export function withZone<Result>(command: () => Promise<Result>): Promise<Result> {
  return asked.run({ zone: UTC }, command)
}

export function hearZone(headers: Pick<Headers, 'get'>): void {
  const store = asked.getStore()
  if (store) store.zone = zoneIn(headers) ?? store.zone
}

export function shownZone(): Zone {
  return asked.getStore()?.zone ?? UTC
}

export async function inZoneOf(control: Control, typed: string): Promise<string> {
  return hasZone(typed) ? typed : typed + offsetText(toldZone((await control('GET', '/clock')).timezone))
}

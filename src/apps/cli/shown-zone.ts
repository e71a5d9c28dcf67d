/** The time zone of printed times: that of the world that was called last. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Control } from '../../client/control.ts'
import { offsetText, toldZone, UTC, type Zone, zoneIn } from '../../core/model/calendar.ts'
import { hasZone } from '../../core/model/time.ts'
import type { Output } from './output.ts'

const OFFSET_TIME = /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?\+\d\d:\d\d/

// Tests run several commands at once in one process.
const asked = new AsyncLocalStorage<{ zone: Zone }>()

export function withZone<Result>(command: () => Promise<Result>): Promise<Result> {
  return asked.run({ zone: UTC }, command)
}

export function hearZone(answer: Response): Response {
  const store = asked.getStore()
  if (store) store.zone = zoneIn(answer.headers) ?? store.zone
  return answer
}

export function shownZone(): Zone {
  return asked.getStore()?.zone ?? UTC
}

export function withZoneName(text: string, output: Pick<Output, 'paint'>, zone = shownZone()): string {
  return OFFSET_TIME.test(text) && !text.includes(zone.name) ? text + zoneLine(output, zone) : text
}

/** Empty for UTC, because its times end in Z. */
export function zoneLine({ paint }: Pick<Output, 'paint'>, { name, offsetUs } = shownZone()): string {
  return offsetUs === 0 ? '' : `${paint('dim', `Times are in ${name}.`)}\n`
}

export async function inZoneOf(control: Control, typed: string): Promise<string> {
  return hasZone(typed) ? typed : typed + offsetText(toldZone((await control('GET', '/clock')).timezone))
}

/** The zone in which a command shows times: that of the world which it asked last. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Control } from '../../client/control.ts'
import { offsetText, toldZone, UTC, type Zone, zoneIn } from '../../core/model/calendar.ts'
import { hasZone } from '../../core/model/time.ts'
import type { Output } from './output.ts'

/** A time with an offset from UTC, as `time` and the sentences of the control plane have it. */
const OFFSET_TIME = /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?\+\d\d:\d\d/

// Tests run several commands at once in one process.
const asked = new AsyncLocalStorage<{ zone: Zone }>()

/** Runs a command; what it shows is in the zone that it hears of. */
export function withZone<Result>(command: () => Promise<Result>): Promise<Result> {
  return asked.run({ zone: UTC }, command)
}

/** Takes the zone from an answer. */
export function hearZone(answer: Response): Response {
  const store = asked.getStore()
  if (store) store.zone = zoneIn(answer.headers) ?? store.zone
  return answer
}

export function shownZone(): Zone {
  return asked.getStore()?.zone ?? UTC
}

/** What a person reads, with the name of the zone below it where it has times of that zone. */
export function withZoneName(text: string, output: Pick<Output, 'paint'>, zone = shownZone()): string {
  return OFFSET_TIME.test(text) && !text.includes(zone.name) ? text + zoneLine(output, zone) : text
}

/** Names the zone; nothing for UTC, whose times say it themselves. */
export function zoneLine({ paint }: Pick<Output, 'paint'>, { name, offsetUs } = shownZone()): string {
  return offsetUs === 0 ? '' : `${paint('dim', `Times are in ${name}.`)}\n`
}

/** A time as it was typed, with the offset of the world's zone unless it has its own. */
export async function inZoneOf(control: Control, typed: string): Promise<string> {
  return hasZone(typed) ? typed : typed + offsetText(toldZone((await control('GET', '/clock')).timezone))
}

/** The zone in which a command shows times: that of the world which it asked last. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { UTC, type Zone, zoneIn } from '../../core/model/calendar.ts'

const asked = new AsyncLocalStorage<{ zone: Zone }>()

/** Runs a command; what it shows is in the zone that it hears of. */
export function withZone<Result>(command: () => Promise<Result>): Promise<Result> {
  return asked.run({ zone: UTC }, command)
}

/** Takes the zone from an answer. */
export function hearZone(answer: Response): Response {
  const store = asked.getStore()
  if (store) store.zone = zoneIn(answer.headers)
  return answer
}

export function shownZone(): Zone {
  return asked.getStore()?.zone ?? UTC
}

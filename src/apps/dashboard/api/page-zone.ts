/** The zone in which this page shows times: that of its world's scenario, as answers tell it. */
import { useSyncExternalStore } from 'react'
import { UTC, type Zone, zoneIn } from '../../../core/model/calendar.ts'

let zone = UTC
const watchers = new Set<() => void>()

/** Takes the zone from an answer of the world. */
export function hearZone(answer: Response): Response {
  const heard = zoneIn(answer.headers)
  if (heard !== undefined && heard.name !== zone.name) {
    zone = heard
    for (const watcher of watchers) watcher()
  }
  return answer
}

export function shownZone(): Zone {
  return zone
}

/** For what has to be drawn anew where another zone comes to be shown. */
export function useShownZone(): Zone {
  return useSyncExternalStore(watch, shownZone)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

import { useSyncExternalStore } from 'react'
import { UTC, type Zone, zoneIn } from '../../../core/model/calendar.ts'

let zone = UTC
const watchers = new Set<() => void>()

export function hearPageZone(headers: Pick<Headers, 'get'>): void {
  const heard = zoneIn(headers)
  if (heard !== undefined && heard.name !== zone.name) {
    zone = heard
    for (const watcher of watchers) watcher()
  }
}

export function pageZone(): Zone {
  return zone
}

export function useShownZone(): Zone {
  return useSyncExternalStore(watch, pageZone)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

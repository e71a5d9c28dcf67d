/** Reloads a scenario when its files change. */
import { type Stats, unwatchFile, watchFile } from 'node:fs'
import { resolve } from 'node:path'
import type { Host } from '../../../core/host.ts'
import type { Scenario } from '../../../core/scenario.ts'

/** Real milliseconds. Looked at, because mounted and shared folders tell nobody of their changes. */
const LOOKED_AT_EVERY_MS = 100
/** Real milliseconds, so that a file which is still being written is not read. */
const QUIET_MS = 60

export interface Followed {
  readonly current: Scenario
  close(): void
}

export interface FollowOptions {
  /** Calls `onFile` for every file that it looks for, before reading. Throws when the scenario is wrong. */
  read(onFile: (file: string) => void): Scenario
  changed(scenario: Scenario): void
  broken(error: unknown): void
  alarm: Host['alarm']
}

class NothingToWatch extends Error {
  readonly hint =
    'Watch a file of your own: --scenario ./my-scenario.yaml --watch. To make one: mfano scenario new my-scenario'
  constructor() {
    super('--watch needs a scenario in a file; a shipped one does not change.')
    this.name = 'NothingToWatch'
  }
}

/** Follows all files of a scenario. Throws when the first load fails. */
export function followScenario({ read, changed, broken, alarm }: FollowOptions): Followed {
  const files = new Set<string>()
  let current: Scenario
  let cancelAlarm = () => {}

  const look = (now: Stats, before: Stats) => {
    if (now.mtimeMs === before.mtimeMs && now.ino === before.ino) return
    cancelAlarm()
    cancelAlarm = alarm(QUIET_MS, again)
  }
  const follow = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    watchFile(file, { interval: LOOKED_AT_EVERY_MS, persistent: false }, look)
  }
  const load = () => read((file) => follow(resolve(file)))
  const again = () => {
    try {
      current = load()
    } catch (error) {
      broken(error)
      return
    }
    changed(current)
  }

  const close = () => {
    cancelAlarm()
    for (const file of files) unwatchFile(file, look)
  }
  try {
    current = load()
    if (files.size === 0) throw new NothingToWatch()
  } catch (error) {
    close()
    throw error
  }
  return {
    get current() {
      return current
    },
    close,
  }
}

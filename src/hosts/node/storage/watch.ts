/** Reloads a scenario when its files change. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Host } from '../../../core/host.ts'
import type { Scenario } from '../../../core/scenario.ts'
import { everyRealMs } from '../wall.ts'

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

const NOTHING_TO_WATCH = '--watch needs a scenario in a file; a shipped one does not change.'
const HINT =
  'Watch a file of your own: --scenario ./my-scenario.yaml --watch. To make one: mfano scenario new my-scenario'

/** Follows all files of a scenario. Throws when the first load fails. */
export function followScenario({ read, changed, broken, alarm }: FollowOptions): Followed {
  /** Each as it was when it was looked at last: before it was read, so that nothing that is saved meanwhile is missed. */
  const files = new Map<string, string>()
  let current: Scenario
  let cancelAlarm = () => {}

  const look = () => {
    const changed = [...files].filter(([file, before]) => stateOf(file) !== before)
    if (changed.length === 0) return
    for (const [file] of changed) files.set(file, stateOf(file))
    cancelAlarm()
    cancelAlarm = alarm(QUIET_MS, again)
  }
  const load = () => read((file) => files.set(resolve(file), stateOf(file)))
  const again = () => {
    try {
      current = load()
    } catch (error) {
      broken(error)
      return
    }
    changed(current)
  }

  const stopLooking = everyRealMs(LOOKED_AT_EVERY_MS, look)
  const close = () => {
    cancelAlarm()
    stopLooking()
  }
  try {
    current = load()
    if (files.size === 0) throw Object.assign(new Error(NOTHING_TO_WATCH), { hint: HINT })
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

/** Empty where there is none. */
function stateOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : ''
}

/** Reloads a scenario when its files change. */
import { type FSWatcher, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Host } from '../../../core/host.ts'
import type { Scenario } from '../../../core/scenario.ts'

/** Real milliseconds. Editors that replace a file change the folder several times at once. */
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

/**
 * Follows all files of a scenario. Watches folders, because many editors replace a file when they save. Throws when the
 * first load fails.
 */
export function followScenario({ read, changed, broken, alarm }: FollowOptions): Followed {
  const folders = new Map<string, FSWatcher>()
  let files = new Set<string>()
  let current: Scenario
  let cancelAlarm = () => {}

  const load = () => {
    const seen = new Set<string>()
    try {
      return read((file) => seen.add(resolve(file)))
    } finally {
      // A broken file may name the wrong files: those of before are followed too.
      files = seen.size > 0 ? new Set([...files, ...seen]) : files
      for (const file of files) watchFolder(dirname(file))
    }
  }
  const watchFolder = (folder: string) => {
    if (folders.has(folder)) return
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name !== null && !files.has(resolve(folder, name))) return
        cancelAlarm()
        cancelAlarm = alarm(QUIET_MS, again)
      })
      // The folder itself may go away.
      watcher.on('error', () => {
        watcher.close()
        folders.delete(folder)
      })
      folders.set(folder, watcher)
    } catch {
      // It is not there, which reading the scenario has said better.
    }
  }
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
    for (const watcher of folders.values()) watcher.close()
    folders.clear()
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

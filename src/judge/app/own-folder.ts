/**
 * Temporary folders of the judges. Each is removed with what it was made for, or else when this process ends. What a judge
 * left that was killed is removed by a later one.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { endEscaped } from './escaped.ts'
import { endGroups } from './process-group.ts'

/** With the id of the process that made it. */
const NAME = /^mfano-(?:app|suite|tls)-(\d+)-\w+$/
/** Real milliseconds. Not sooner, because a process of another container on the same folder cannot be seen from here. */
const STALE_MS = 3_600_000

export interface OwnFolder {
  path: string
  remove(): void
}

const kept = new Set<string>()
process.on('exit', () => {
  endGroups()
  kept.forEach(removeFolder)
})

let hasCleared = false

export function ownFolder(what: 'app' | 'suite' | 'tls'): OwnFolder {
  if (!hasCleared) removeStale()
  hasCleared = true
  const path = mkdtempSync(join(tmpdir(), `mfano-${what}-${process.pid}-`))
  kept.add(path)
  return {
    path,
    remove() {
      kept.delete(path)
      removeFolder(path)
    },
  }
}

/** Removes what judges left that are gone, and ends the processes that their apps had put aside. */
function removeStale(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = NAME.exec(name)?.[1]
    const path = join(tmpdir(), name)
    if (pid === undefined || isAlive(Number(pid)) || !isOld(path)) continue
    endEscaped(path, [])
    removeFolder(path)
  }
}

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isOld(path: string): boolean {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Number.NaN }
  return wallNowMs() - mtimeMs > STALE_MS
}

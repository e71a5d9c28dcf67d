/**
 * Temporary folders of the judges. Each is removed with what it was made for, or else when this process ends, even by
 * SIGKILL. What a judge left that was killed with all that it had started is removed by a later one.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { endGroups } from './process-activity.ts'
import { endEscaped } from './system.ts'

/** With the id of the process that made it. */
const NAME = /^mfano-(?:app|suite|tls|told|tree)-(\d+)-\w+$/
/** Real milliseconds. Not sooner, because a process of another container on the same folder cannot be seen from here. */
const STALE_MS = 3_600_000

/**
 * Runs beside this process, and removes its folders when the pipe from it closes. An app may still write into one until
 * it is killed, too, and keep it from being removed.
 */
const CLEANER =
  'read -r line; set -- "$1"/mfano-*-"$2"-*; for try in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$@" && break; sleep 1; done'

export interface OwnFolder {
  path: string
  remove(): void
}

const kept = new Set<string>()
process.on('exit', () => {
  endGroups()
  kept.forEach(removeFolder)
})

let isPrepared = false

export function ownFolder(what: 'app' | 'suite' | 'tls' | 'told' | 'tree'): OwnFolder {
  if (!isPrepared) {
    removeStale()
    startCleaner()
  }
  isPrepared = true
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

function startCleaner(): void {
  const words = ['-c', CLEANER, 'sh', tmpdir(), String(process.pid)]
  // Neither Ctrl-C ends it, nor does it keep this process from ending.
  const cleaner = spawn('/bin/sh', words, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  cleaner.on('error', () => {})
  cleaner.unref()
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

/**
 * Temporary folders of the judges. Each is removed with what it was made for, or else when this process ends, even by
 * SIGKILL.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endGroups } from './app-part.ts'

/**
 * Runs beside this process, and removes its folders when the pipe from it closes. An app may still write into one until
 * it is killed, too, and keep it from being removed.
 */
const CLEANER =
  'read -r line; set -- "$1"/mfano-*-"$2"-*; for try in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$@" && break; sleep 1; done'

export type OwnFolder = ReturnType<typeof ownFolder>

const kept = new Set<string>()
process.on('exit', () => {
  endGroups()
  kept.forEach(removeFolder)
})

let isCleaned = false

export function ownFolder(what: 'app' | 'tls' | 'tree') {
  if (!isCleaned) startCleaner()
  isCleaned = true
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

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}

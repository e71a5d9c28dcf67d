/** Writes files completely or not at all. A kit loads it where there is no Node, too: nothing of Node is called as it loads. */
import { close, closeSync, fsync, fsyncSync, openSync, renameSync, rmSync, writeFile, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { OWNER_ONLY } from './file-access.ts'
import { afterRealMs } from './wall.ts'

export const UNFINISHED = '.new'

/** Smaller files are read and written faster than handed to a thread. */
export const AT_ONCE_BYTES = 1024 ** 2

/** Replaces a file: all bytes or none, even if the process dies. On disk when it returns. */
export function writeWhole(file: string, bytes: Uint8Array, mode = 0o666): void {
  const unfinished = file + UNFINISHED
  try {
    writeNew(unfinished, [bytes], true, mode)
    finish(unfinished, file)
  } catch (error) {
    // On a full disk, half a file keeps the room that others need.
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** The file can be read by its owner only. */
export function writePrivately(file: string, bytes: Uint8Array): void {
  const unfinished = file + UNFINISHED
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, bytes, { mode: OWNER_ONLY.file, flag: 'wx' })
  finish(unfinished, file)
}

/** Counts unfinished files, because each needs its own name. Only one process uses a directory. */
let begun = 0

function besideOf(file: string): string {
  return `${file}.${++begun}${UNFINISHED}`
}

type Parts = readonly Uint8Array[]

/** Lets other work run. Gives the temporary name, which `finish` replaces. `confirmed`: flushed to disk. */
export async function writeBeside(file: string, parts: Parts, confirmed = true): Promise<string> {
  const unfinished = besideOf(file)
  try {
    const descriptor = openSync(unfinished, 'w', OWNER_ONLY.file)
    try {
      for (const part of parts) {
        if (part.length <= AT_ONCE_BYTES) writeFileSync(descriptor, part)
        else await promisify(writeFile)(descriptor, part)
      }
      if (confirmed) await promisify(fsync)(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return unfinished
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

export function writeNew(file: string, parts: Parts, confirmed: boolean, mode = OWNER_ONLY.file): void {
  const descriptor = openSync(file, 'w', mode)
  try {
    for (const part of parts) writeFileSync(descriptor, part)
    if (confirmed) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Worlds of tests are gone sooner, and what is gone needs no flush. */
const CONFIRMED_AFTER_MS = 1_000

/**
 * Flushes written files to disk while nobody waits, unless it ends before. A failure counts as a power cut before the
 * flush. Keeps the files open until then.
 */
export class Confirming {
  readonly #descriptors: number[] = []
  #cancel = () => {}

  begin(...files: string[]): void {
    this.#cancel = afterRealMs(CONFIRMED_AFTER_MS, () => {
      for (const file of files) {
        const descriptor = openQuietly(file)
        if (descriptor === undefined) continue
        this.#descriptors.push(descriptor)
        fsync(descriptor, () => {})
      }
    })
  }

  end(): void {
    this.#cancel()
    for (const descriptor of this.#descriptors.splice(0)) closeSync(descriptor)
  }
}

export function finish(unfinished: string, file: string): void {
  renameSync(unfinished, file)
  syncDirectory(dirname(file))
}

/**
 * Removing a new file can take as long as flushing it. The name is free when this returns; the disk space is released
 * later.
 */
export function removeQuickly(file: string): void {
  const held = openQuietly(file)
  try {
    rmSync(file)
  } finally {
    if (held !== undefined) close(held)
  }
}

function openQuietly(file: string): number | undefined {
  if (process.platform === 'win32') return undefined
  try {
    return openSync(file, 'r')
  } catch {
    return undefined
  }
}

/** A new name is on disk only when its directory is. Windows has no such call, and needs none. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

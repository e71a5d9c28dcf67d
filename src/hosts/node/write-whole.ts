/** Files that are there as a whole or not at all. */
import { close, closeSync, fsync, fsyncSync, openSync, renameSync, rmSync, writeFile, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const written = promisify(writeFile)
const synced = promisify(fsync)

/** What is being written carries this ending until it is whole. */
export const UNFINISHED = '.new'

/** Fewer bytes are handed to the system sooner than a thread is. */
const AT_ONCE_BYTES = 1024 ** 2

/** Puts bytes in the place of a file: all of them or, whenever the process dies, none. On disk when it returns. */
export function writeWhole(file: string, bytes: Uint8Array): void {
  const unfinished = file + UNFINISHED
  try {
    writeNew(unfinished, [bytes], true)
    finish(unfinished, file)
  } catch (error) {
    // On a full disk, half a file keeps the room that others need.
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** Puts bytes in the place of a file that nobody but its owner may read. */
export function writePrivately(file: string, bytes: Uint8Array): void {
  const unfinished = file + UNFINISHED
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, bytes, { mode: 0o600, flag: 'wx' })
  finish(unfinished, file)
}

/** How many files have been written beside others: a directory has one process, and each needs a name of its own. */
let begun = 0

/** The name of a file beside another one, to be put in its place. */
export function besideOf(file: string): string {
  return `${file}.${++begun}${UNFINISHED}`
}

/** Parts of a file, in order. */
type Parts = readonly Uint8Array[]

/**
 * Writes a file beside another one, however large, while others go on; gives the name that it has until `finish` puts it
 * in the other's place. `confirmed`: it is on disk then.
 */
export async function writeBeside(file: string, parts: Parts, confirmed = true): Promise<string> {
  const unfinished = besideOf(file)
  try {
    const descriptor = openSync(unfinished, 'w')
    try {
      for (const part of parts) {
        if (part.length <= AT_ONCE_BYTES) writeFileSync(descriptor, part)
        else await written(descriptor, part)
      }
      if (confirmed) await synced(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return unfinished
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** Writes a file, which may be half of one when the process dies. `confirmed`: it is on disk when this returns. */
export function writeNew(file: string, parts: Parts, confirmed: boolean): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const part of parts) writeFileSync(descriptor, part)
    if (confirmed) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Has the disk confirm files that were written, for which nobody waits: what it does not get is as if the power had gone
 * before. It has them open until it ends.
 */
export class Confirming {
  #descriptors: number[] = []

  begin(...files: string[]): void {
    for (const file of files) {
      const descriptor = openQuietly(file)
      if (descriptor === undefined) continue
      this.#descriptors.push(descriptor)
      fsync(descriptor, () => {})
    }
  }

  end(): void {
    for (const descriptor of this.#descriptors.splice(0)) closeSync(descriptor)
  }
}

/** Puts what was written in the place of a file: on disk when it returns. */
export function finish(unfinished: string, file: string): void {
  renameSync(unfinished, file)
  syncDirectory(dirname(file))
}

/**
 * Removes a file that was written a moment ago, which can take as long as having it on disk. Its name is free when this
 * returns; what it took of the disk is given back beside other work.
 */
export function removeQuickly(file: string): void {
  const held = openQuietly(file)
  try {
    rmSync(file)
  } finally {
    if (held !== undefined) close(held)
  }
}

/** Undefined where nobody may read it, and on Windows, which may keep the name of a file as long as it is open. */
function openQuietly(file: string): number | undefined {
  if (process.platform === 'win32') return undefined
  try {
    return openSync(file, 'r')
  } catch {
    return undefined
  }
}

/** A new name is only on disk when its directory is. Windows has no such call, and needs none. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

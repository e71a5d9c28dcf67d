/** Files that are there as a whole or not at all. */
import { randomUUID } from 'node:crypto'
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
    writeDurably(unfinished, bytes)
    finish(unfinished, file)
  } catch (error) {
    // On a full disk, half a file keeps the room that others need.
    rmSync(unfinished, { force: true })
    throw error
  }
}

/**
 * Writes bytes beside a file, however many, while others go on; gives the name that they have until `finish` puts them
 * in its place. On disk when it resolves.
 */
export async function writeBeside(file: string, bytes: Uint8Array): Promise<string> {
  const unfinished = `${file}.${randomUUID()}${UNFINISHED}`
  try {
    const descriptor = openSync(unfinished, 'w')
    try {
      if (bytes.length <= AT_ONCE_BYTES) writeFileSync(descriptor, bytes)
      else await written(descriptor, bytes)
      await synced(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return unfinished
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
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

function writeDurably(file: string, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'w')
  try {
    writeFileSync(descriptor, bytes)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A new name is only on disk when its directory is. Windows has no such call, and needs none. */
function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

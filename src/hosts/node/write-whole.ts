import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What is being written carries this ending until it is whole. */
export const UNFINISHED = '.new'

/** Puts bytes in the place of a file: all of them or, whenever the process dies, none. On disk when it returns. */
export function writeWhole(file: string, bytes: Uint8Array): void {
  const unfinished = file + UNFINISHED
  try {
    writeDurably(unfinished, bytes)
  } catch (error) {
    // What did not fit is not to take the room that there is.
    rmSync(unfinished, { force: true })
    throw error
  }
  renameSync(unfinished, file)
  syncDirectory(dirname(file))
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

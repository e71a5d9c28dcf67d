import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isRecord } from '../../core/model/must.ts'

/** Modes of what holds money, credentials and bodies of others: worlds, snapshots, capsules. */
export const OWNER_ONLY = { folder: 0o700, file: 0o600 }

const READING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

const WRITING: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

export function whyUnreadable(error: unknown): string {
  return reason(READING, error)
}

export function whyUnwritable(error: unknown): string {
  return reason(WRITING, error)
}

function reason(known: Readonly<Record<string, string>>, error: unknown): string {
  const { code, message }: Record<string, unknown> = isRecord(error) ? error : {}
  return known[String(code)] ?? String(message)
}

/**
 * Like `mkdirSync` with `recursive`, which never returns on a file system without folders such as /proc: it creates the
 * parent again and again, because that exists already.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return
  const above = dirname(folder)
  if (above !== folder) makeFolder(above, mode)
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    if (!isRecord(error) || error['code'] !== 'EEXIST') throw error
  }
}

// Writes files completely or not at all. A kit loads this where there is no Node, too: nothing of Node is called as it loads.

export const UNFINISHED = '.new'

/** Replaces a file: all bytes or none, even if the process dies. On disk when it returns. */
export function writeWhole(file: string, bytes: Uint8Array, mode = 0o666): void {
  const unfinished = file + UNFINISHED
  rmSync(unfinished, { force: true })
  try {
    writeFileSync(unfinished, bytes, { mode, flag: 'wx', flush: true })
    finish(unfinished, file)
  } catch (error) {
    // On a full disk, half a file keeps the room that others need.
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** Counts unfinished files, because each needs its own name. Only one process uses a directory. */
let begun = 0

/** As `writeWhole`, for the owner only; lets other work run. */
export async function writeWholeMeanwhile(file: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${file}.${++begun}${UNFINISHED}`
  try {
    // Late, because it loads what reads lines of a terminal, too.
    await process
      .getBuiltinModule('node:fs/promises')
      .writeFile(unfinished, bytes, { mode: OWNER_ONLY.file, flush: true })
    finish(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** `confirmed`: flushed to disk. */
export function writeNew(file: string, parts: readonly Uint8Array[], confirmed: boolean): void {
  opened(file, 'w', (descriptor) => {
    for (const part of parts) writeFileSync(descriptor, part)
    if (confirmed) fsyncSync(descriptor)
  })
}

function finish(unfinished: string, file: string): void {
  renameSync(unfinished, file)
  syncDirectory(dirname(file))
}

/** A new name is on disk only when its directory is. Windows has no such call, and needs none. */
export function syncDirectory(directory: string): void {
  if (process.platform !== 'win32') opened(directory, 'r', fsyncSync)
}

export function readBeginning(file: string, limit: number): Uint8Array {
  const bytes = new Uint8Array(limit)
  const length = opened(file, 'r', (descriptor) => readSync(descriptor, bytes, 0, limit, 0))
  return bytes.subarray(0, length)
}

/** Uses a file, and closes it. A new one is its owner's alone. */
function opened<T>(file: string, flags: 'r' | 'w', use: (descriptor: number) => T): T {
  const descriptor = openSync(file, flags, OWNER_ONLY.file)
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Turns errors of SQLite and the file system into failures that say where, what, why and what to do. */

import { closeSync, openSync } from 'node:fs'
import { isRecord } from '../../../core/model/must.ts'
import { hasNoDescriptor, StorageFailure, type StorageProblem } from '../../../core/sql.ts'

type ProblemWords = Omit<StorageProblem, 'code' | 'what'> & { what: (file: string) => string }

const FULL: ProblemWords = {
  what: (file) => `${file} cannot be written`,
  why: 'the disk is full, or a quota is used up',
  todo: 'Make room: mfano tries again by itself, and what is due waits.',
}
export const IN_MEMORY = 'the database in memory'
const MEMORY_FULL: ProblemWords = {
  what: (place) => `${place} cannot grow`,
  why: 'it holds 1 GB',
  todo: 'Empty the world (POST /_mfano/reset), or keep worlds in files: --data ./data.',
}
const READ_ONLY: ProblemWords = {
  what: (file) => `${file} cannot be written`,
  why: 'it, its directory or the disk is read-only for the user that mfano runs as',
  todo: 'Let that user write there (chown, chmod, a volume without :ro), or choose another data directory: --data ./data, or --data :memory: to keep nothing.',
}
const DAMAGED: ProblemWords = {
  what: (file) => `${file} is damaged`,
  why: 'something other than mfano changed it or cut it off, or the disk lost what it had confirmed',
  todo: 'Put a copy back, or move it away together with its -wal file, and start again.',
}
const IN_THE_WAY: ProblemWords = {
  what: (file) => `${file} cannot be opened`,
  why: 'it is no file, or a directory on the way to it is missing or closed to the user that mfano runs as',
  todo: 'Look at it with ls -ld, or choose another data directory: --data ./data, or --data :memory: to keep nothing.',
}

const REFUSED: ProblemWords = {
  what: (file) => `${file} cannot be read or written`,
  why: 'the system refused it',
  todo: 'Look at the disk and at limits of the process (dmesg, df, ulimit -f, ulimit -n): mfano tries again by itself.',
}

const known: Record<string, ProblemWords> = {
  SQLITE_FULL: FULL,
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_READONLY: READ_ONLY,
  SQLITE_PERM: READ_ONLY,
  EROFS: READ_ONLY,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  SQLITE_CORRUPT: DAMAGED,
  SQLITE_NOTADB: {
    what: (file) => `${file} is no SQLite database`,
    why: 'it begins with other bytes: another program wrote it, or it is encrypted or compressed',
    todo: DAMAGED.todo,
  },
  SQLITE_CANTOPEN: IN_THE_WAY,
  ENOTDIR: IN_THE_WAY,
  EISDIR: IN_THE_WAY,
  ENOENT: {
    what: (file) => `${file} cannot be written`,
    why: 'its directory was removed',
    todo: 'Start mfano again, which makes the data directory anew, or put it back.',
  },
  FILE_GONE: {
    what: (file) => `${file} is gone`,
    why: 'it was removed or replaced while mfano had it open, so that whatever is stored now would be lost with the process',
    todo: 'Put it back where it was, or begin anew: start mfano again, or POST /_mfano/reset.',
  },
  SQLITE_IOERR: REFUSED,
  // A lock for writing is not given for a file that could only be opened for reading.
  SQLITE_IOERR_LOCK: READ_ONLY,
  EIO: REFUSED,
  EFBIG: REFUSED,
  EMFILE: REFUSED,
  ENFILE: REFUSED,
  SQLITE_ABORT: {
    what: (file) => `${file} took nothing of a transaction`,
    why: 'SQLite ended it before its time',
    todo: 'Ask again.',
  },
  SQLITE_NOMEM: {
    what: (file) => `${file} cannot be used`,
    why: 'there is no memory left for it',
    todo: 'Give mfano more memory, or keep fewer worlds open: --open-worlds.',
  },
}

export function storageFailure(error: unknown, file: string): unknown {
  const code = isRecord(error) ? error['code'] : undefined
  if (error instanceof StorageFailure || typeof code !== 'string') return error
  // SQLite does not say why it could not open a file.
  const lack = code.startsWith('SQLITE_CANTOPEN') && lackOfDescriptors()
  if (lack) return lack
  // Extended codes have the plain one in front: SQLITE_IOERR_WRITE.
  const isFull = file === IN_MEMORY && code === 'SQLITE_FULL'
  const words = isFull ? MEMORY_FULL : (known[code] ?? known[code.split('_', 2).join('_')])
  return words ? new StorageFailure({ ...words, code, what: words.what(file) }, error) : error
}

export function fileGone(file: string): unknown {
  return storageFailure({ code: 'FILE_GONE' }, file)
}

/** SQLite rolled back the whole transaction because of an error. */
export function transactionEnded(error: unknown, file: string): unknown {
  const failure = storageFailure(error, file)
  return failure instanceof StorageFailure ? failure : storageFailure({ code: 'SQLITE_ABORT', cause: error }, file)
}

export function onFile<T>(file: string, work: () => T): T {
  try {
    const done = work()
    if (!(done instanceof Promise)) return done
    return done.catch((error) => {
      throw storageFailure(error, file)
    }) as T
  } catch (error) {
    throw storageFailure(error, file)
  }
}

// Whether the process can open more files.

/**
 * A world opens its database and log, and both once more until they are flushed; under load a few are opened at once.
 */
const FILES_AT_ONCE = 8

export function lackOfDescriptors(): StorageFailure | undefined {
  const { devNull } = process.getBuiltinModule('node:os')
  const opened: number[] = []
  try {
    while (opened.length < FILES_AT_ONCE) opened.push(openSync(devNull, 'r'))
    return undefined
  } catch (error) {
    if (!hasNoDescriptor(error)) return undefined
    return new StorageFailure(
      {
        code: 'EMFILE',
        what: 'Nothing more can be opened',
        why: 'the process has as many files and connections open as the system lets it have',
        todo: 'Close connections, raise its limit (ulimit -n), or keep fewer worlds open (--open-worlds): mfano goes on by itself.',
      },
      error,
    )
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

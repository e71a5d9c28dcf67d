import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../store/migrate.ts'
import type { Databases } from '../world/worlds.ts'
import { inWalMode, openSqlite, openSqliteCopy, sqliteImage } from './sqlite.ts'

/** One file per world in the data directory, or memory. New ones are copies of one empty world, made once. */
export function databases(directory: string): Databases {
  let image: Buffer | undefined
  const empty = () => {
    image ??= sqliteImage(migrate)
    return image
  }
  if (directory === ':memory:') return { list: () => [], open: () => openSqliteCopy(empty()), remove: () => {} }
  mkdirSync(directory, { recursive: true })
  const fileOf = (id: string) => join(directory, `${id}.db`)
  return {
    list: () =>
      readdirSync(directory)
        .filter((name) => name.endsWith('.db'))
        .map((name) => name.slice(0, -3))
        .sort(),
    open: (id) => {
      if (!existsSync(fileOf(id))) writeDurably(fileOf(id), inWalMode(empty()))
      return openSqlite(fileOf(id))
    },
    remove: (id) => {
      // The write-ahead log and its index belong to the database.
      for (const suffix of ['', '-wal', '-shm']) rmSync(fileOf(id) + suffix, { force: true })
    },
  }
}

/** Commits go to the write-ahead log, which is worth nothing without the file that it is ahead of. */
function writeDurably(file: string, bytes: Buffer): void {
  const descriptor = openSync(file, 'wx')
  try {
    writeSync(descriptor, bytes)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Databases } from '../world/worlds.ts'
import { openSqlite } from './sqlite.ts'

/** One file per world in the data directory, or memory. */
export function databases(directory: string): Databases {
  if (directory === ':memory:') return { list: () => [], open: () => openSqlite(':memory:'), remove: () => {} }
  mkdirSync(directory, { recursive: true })
  const fileOf = (id: string) => join(directory, `${id}.db`)
  return {
    list: () =>
      readdirSync(directory)
        .filter((name) => name.endsWith('.db'))
        .map((name) => name.slice(0, -3))
        .sort(),
    open: (id) => openSqlite(fileOf(id)),
    remove: (id) => {
      // The write-ahead log and its index belong to the database.
      for (const suffix of ['', '-wal', '-shm']) {
        if (existsSync(fileOf(id) + suffix)) rmSync(fileOf(id) + suffix)
      }
    },
  }
}

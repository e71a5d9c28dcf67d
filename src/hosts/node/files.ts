import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { migrate } from '../../store/migrate.ts'
import type { Sql } from '../../store/sql.ts'
import type { Databases } from '../../world/databases.ts'
import { memorySnapshotStore, type SnapshotStore } from '../../world/snapshot-store.ts'
import { snapshotFiles } from './snapshot-files.ts'
import { imageOf, inWalMode, openSqlite, openSqliteCopy, sqliteImage } from './sqlite.ts'
import { onFile } from './storage-errors.ts'
import { UNFINISHED, writeWhole } from './write-whole.ts'

/** Where a server keeps its worlds and snapshots: in a data directory, or in memory. */
export function storage(directory: string): { databases: Databases; snapshotStore: SnapshotStore } {
  if (directory === ':memory:') return { databases: inMemory(), snapshotStore: memorySnapshotStore() }
  mkdirSync(directory, { recursive: true })
  return { databases: inFiles(directory), snapshotStore: snapshotFiles(join(directory, 'snapshots')) }
}

/** New databases are copies of one empty world, made once. */
function factory(): Databases['draft'] {
  let empty: Uint8Array | undefined
  return (image) => {
    if (image) return openSqliteCopy(image)
    empty ??= sqliteImage(migrate)
    return openSqliteCopy(empty)
  }
}

/** Databases that live as long as the process. Closed ones are kept small: a young world takes some kilobytes. */
function inMemory(): Databases {
  const closed = new Map<string, { image: Uint8Array } | { compressed: Uint8Array }>()
  const kept = (id: string, sql: Sql): Sql => ({
    ...sql,
    close: () => {
      const raw = { image: imageOf(sql) }
      sql.close()
      closed.set(id, raw)
      // Not before it is clear that nobody removes or replaces it.
      setImmediate(() => {
        if (closed.get(id) === raw) closed.set(id, { compressed: zstdCompressSync(raw.image) })
      })
    },
  })
  return {
    list: () => [],
    open: (id) => {
      const bytes = closed.get(id)
      if (!bytes) throw new Error(`The world "${id}" is not in memory.`)
      closed.delete(id)
      return kept(id, openSqliteCopy('image' in bytes ? bytes.image : zstdDecompressSync(bytes.compressed)))
    },
    draft: factory(),
    put: (id, draft) => {
      closed.delete(id)
      return kept(id, draft)
    },
    remove: (id) => {
      closed.delete(id)
    },
  }
}

/** One file per world, which alone is the world whenever that was closed in order. */
function inFiles(directory: string): Databases {
  const fileOf = (id: string) => join(directory, `${id}.db`)
  // What a crash interrupted.
  for (const name of readdirSync(directory)) if (name.endsWith(UNFINISHED)) rmSync(join(directory, name))
  return {
    list: () =>
      readdirSync(directory)
        .filter((name) => name.endsWith('.db'))
        .map((name) => name.slice(0, -'.db'.length))
        .sort(),
    open: (id) => {
      if (!existsSync(fileOf(id))) throw new Error(`${fileOf(id)} is gone.`)
      return openSqlite(fileOf(id))
    },
    draft: factory(),
    put: (id, draft) => {
      const file = fileOf(id)
      const image = inWalMode(imageOf(draft))
      draft.close()
      const log = `${file}-wal`
      // A log that was left behind would be replayed into the new database. Without a database it belongs to nothing.
      if (!existsSync(file)) rmSync(log, { force: true })
      else if (existsSync(log) && statSync(log).size > 0) throw new Error(`${log} is not in its database yet.`)
      onFile(file, () => writeWhole(file, image))
      return openSqlite(file)
    },
    remove: (id) => {
      // The write-ahead log and its index belong to the database.
      for (const suffix of ['', '-wal', '-shm']) rmSync(fileOf(id) + suffix, { force: true })
    },
  }
}

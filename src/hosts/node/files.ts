/** Worlds and snapshots as files, or in memory. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { releaseBytes } from '../../model/release-bytes.ts'
import { migrate } from '../../store/migrate.ts'
import type { Sql } from '../../store/sql.ts'
import type { Databases } from '../../world/databases.ts'
import { memorySnapshotStore, type SnapshotStore } from '../../world/snapshot-store.ts'
import { makeFolder } from './make-folder.ts'
import type { Durability } from './settings.ts'
import { snapshotFiles } from './snapshot-files.ts'
import { DatabaseInUse, imageOf, inWalMode, openSqlite, openSqliteCopy, sqliteImage } from './sqlite.ts'
import { onFile } from './storage-errors.ts'
import { finish, removeQuickly, UNFINISHED, writeBeside, writeWhole } from './write-whole.ts'

/** Loaded with the first world in memory that is closed: no start needs it. */
const zlib = () => process.getBuiltinModule('node:zlib')

/** Where a server keeps its worlds and snapshots: in a data directory, or in memory. */
export function storage(
  directory: string,
  durability: Durability,
): { databases: Databases; snapshotStore: SnapshotStore } {
  if (directory === ':memory:') return { databases: inMemory(), snapshotStore: memorySnapshotStore() }
  makeFolder(directory)
  return { databases: inFiles(directory, durability), snapshotStore: snapshotFiles(join(directory, 'snapshots')) }
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
  const forget = (id: string) => {
    const bytes = closed.get(id)
    closed.delete(id)
    if (bytes && 'image' in bytes) releaseBytes(bytes.image)
  }
  const kept = (id: string, sql: Sql): Sql => ({
    ...sql,
    close: () => {
      const raw = { image: imageOf(sql) }
      sql.close()
      closed.set(id, raw)
      // Not before it is clear that nobody removes or replaces it.
      setImmediate(() => {
        if (closed.get(id) === raw) closed.set(id, { compressed: zlib().zstdCompressSync(raw.image) })
      })
    },
  })
  return {
    list: () => [],
    open: (id) => {
      const bytes = closed.get(id)
      if (!bytes) throw new Error(`The world "${id}" is not in memory.`)
      const sql = openSqliteCopy('image' in bytes ? bytes.image : zlib().zstdDecompressSync(bytes.compressed))
      forget(id)
      return kept(id, sql)
    },
    draft: factory(),
    ready: async () => {},
    discard: (draft) => draft.close(),
    put: (id, draft, use) => {
      const before = closed.get(id)
      try {
        const made = use(kept(id, draft))
        forget(id)
        return made
      } catch (error) {
        if (before) closed.set(id, before)
        else closed.delete(id)
        throw error
      }
    },
    remove: forget,
  }
}

/** One file per world, which alone is the world whenever that was closed in order. */
function inFiles(directory: string, durability: Durability): Databases {
  const fileOf = (id: string) => join(directory, `${id}.db`)
  /** WorldFactory that are on disk already, and under which name. */
  const written = new WeakMap<Sql, string>()
  const discard = (draft: Sql) => {
    draft.close()
    const unfinished = written.get(draft)
    if (unfinished !== undefined) rmSync(unfinished, { force: true })
  }
  // What a crash interrupted.
  for (const name of readdirSync(directory)) {
    if (name.endsWith(UNFINISHED)) rmSync(join(directory, name))
    if (name.endsWith(ASIDE)) putBack(join(directory, name.slice(0, -ASIDE.length)))
  }
  return {
    list: () =>
      readdirSync(directory)
        .filter((name) => name.endsWith('.db'))
        .map((name) => name.slice(0, -'.db'.length))
        .sort(),
    open: (id) => {
      if (!existsSync(fileOf(id))) throw new Error(`${fileOf(id)} is gone.`)
      return openSqlite(fileOf(id), durability)
    },
    draft: factory(),
    ready: async (id, draft) => {
      const image = inWalMode(imageOf(draft))
      written.set(draft, await onFile(fileOf(id), () => writeBeside(fileOf(id), image)))
      releaseBytes(image)
    },
    discard,
    put: (id, draft, use) => {
      const file = fileOf(id)
      const place = () => {
        const unfinished = written.get(draft)
        onFile(file, () => (unfinished === undefined ? writeDraft(draft, file) : finish(unfinished, file)))
        return use(openSqlite(file, durability))
      }
      try {
        return inPlaceOf(file, place)
      } finally {
        discard(draft)
      }
    },
    remove: (id) => removeDatabase(fileOf(id)),
  }
}

function writeDraft(draft: Sql, file: string): void {
  const image = inWalMode(imageOf(draft))
  writeWhole(file, image)
  releaseBytes(image)
}

/** What stood in the place of a database carries this ending until the new one is open. */
const ASIDE = '.before'

/** Makes something of a new database in the place of a file; where that fails, what stood there is there again. */
function inPlaceOf<T>(file: string, place: () => T): T {
  settleLog(file)
  const stood = existsSync(file)
  if (stood) renameSync(file, file + ASIDE)
  try {
    const made = place()
    if (stood) removeQuickly(file + ASIDE)
    return made
  } catch (error) {
    removeDatabase(file)
    putBack(file)
    throw error
  }
}

/** Puts what was set aside where it was, unless something new stands there. */
function putBack(file: string): void {
  if (existsSync(file)) rmSync(file + ASIDE, { force: true })
  else if (existsSync(file + ASIDE)) renameSync(file + ASIDE, file)
}

/** The write-ahead log and its index belong to the database. */
function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

/**
 * Brings into a database what a process that was killed left in its log: it would be replayed into the one that takes
 * its place. The log of a database that is gone, or that nobody can read, belongs to nothing.
 */
function settleLog(file: string): void {
  const log = `${file}-wal`
  if (!existsSync(log)) return
  if (existsSync(file)) {
    try {
      openSqlite(file).close()
    } catch (error) {
      if (error instanceof DatabaseInUse) throw error
    }
  }
  rmSync(log, { force: true })
}

/** Stores worlds and snapshots in files or in memory. */
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Databases, SnapshotStore } from '../../../core/host.ts'
import { DEFAULT_WORLD } from '../../../core/new-world.ts'
import type { Sql } from '../../../core/sql.ts'
import { makeFolder, OWNER_ONLY } from '../file-access.ts'
import type { Durability } from '../settings.ts'
import { DatabaseInUse, imageOf, inWalMode, openNewSqlite, openSqlite, openSqliteCopy, port } from '../sqlite.ts'
import { atNextTurn } from '../wall.ts'
import { removeQuickly, syncDirectory, writeNew } from '../write-whole.ts'
import { memorySnapshotStore, snapshotFiles } from './snapshot-files.ts'
import { copyOf, SpareConnections, SqliteConnection } from './sqlite-connection.ts'
import { onFile } from './storage-errors.ts'

/** Loaded with the first world in memory that is closed, because no start needs it. */
const zlib = () => process.getBuiltinModule('node:zlib')

export function storage(
  directory: string,
  durability: Durability,
): { databases: Databases; snapshotStore: SnapshotStore } {
  if (directory === ':memory:') return { databases: inMemory(), snapshotStore: memorySnapshotStore() }
  makeFolder(directory, OWNER_ONLY.folder)
  return { databases: inFiles(directory, durability), snapshotStore: snapshotFiles(join(directory, 'snapshots')) }
}

/** Live as long as the process. Closed ones are compressed: a young world takes a few kilobytes. */
function inMemory(): Databases {
  const closed = new Map<string, SqliteConnection | Uint8Array>()
  const spare = new SpareConnections()
  const forget = (id: string) => {
    const gone = closed.get(id)
    closed.delete(id)
    if (gone instanceof SqliteConnection) spare.giveBack(gone)
  }
  const kept = (id: string, connection: SqliteConnection): Sql =>
    port(connection, {
      close: () => {
        closed.set(id, connection)
        // Not before it is clear that nobody removes, replaces or opens it.
        atNextTurn(() => {
          if (closed.get(id) !== connection) return
          closed.set(id, zlib().zstdCompressSync(imageOf(connection)))
          connection.db.close()
        })
      },
    })
  return {
    list: () => [],
    open: (id) => {
      const found = closed.get(id)
      if (!found) throw new Error(`The world "${id}" is not in memory.`)
      closed.delete(id)
      return kept(id, found instanceof SqliteConnection ? found : copyOf(zlib().zstdDecompressSync(found)))
    },
    draft: openSqliteCopy,
    put: (id, image, use) => {
      const connection = spare.open(image)
      const before = closed.get(id)
      try {
        const made = use(kept(id, connection))
        forget(id)
        return made
      } catch (error) {
        connection.db.close()
        if (before) closed.set(id, before)
        else closed.delete(id)
        throw error
      }
    },
    remove: forget,
  }
}

const ENDING = '.db'

/** One file per world, which is the whole world once it was closed in order. */
function inFiles(directory: string, durability: Durability): Databases {
  const fileOf = (id: string) => join(directory, id + ENDING)
  const confirmed = durability === 'power'
  cleanUp(directory, fileOf(DEFAULT_WORLD))
  return {
    list: () =>
      readdirSync(directory)
        .filter((name) => name.endsWith(ENDING))
        .map((name) => name.slice(0, -ENDING.length))
        .sort(),
    open: (id) => {
      if (!existsSync(fileOf(id))) throw new Error(`${fileOf(id)} is gone.`)
      return openSqlite(fileOf(id), durability)
    },
    draft: openSqliteCopy,
    put: (id, image, use) => {
      const file = fileOf(id)
      return inPlaceOf(file, confirmed, () => {
        onFile(file, () => writeNew(file, inWalMode(image), confirmed))
        return openNewSqlite(file, durability, use)
      })
    },
    remove: (id) => removeDatabase(fileOf(id)),
  }
}

function cleanUp(directory: string, defaultFile: string): void {
  const aside = readdirSync(directory).filter((name) => name.endsWith(`${ENDING}${ASIDE}`))
  if (aside.length > 0 && existsSync(defaultFile)) refuseInUse(defaultFile)
  for (const name of aside) putBack(join(directory, name.slice(0, -ASIDE.length)))
}

function refuseInUse(file: string): void {
  try {
    openSqlite(file).close()
  } catch (error) {
    if (error instanceof DatabaseInUse) throw error
  }
}

/**
 * Suffix of a database while a new one replaces it; the old one counts until the new one is complete. Empty when there
 * was no old one.
 */
const ASIDE = '.before'

function inPlaceOf<T>(file: string, confirmed: boolean, make: () => T): T {
  settleLog(file)
  const aside = file + ASIDE
  const stood = existsSync(file)
  onFile(file, () => (stood ? renameSync(file, aside) : writeFileSync(aside, '')))
  const sync = () => confirmed && syncDirectory(dirname(file))
  let made: T
  try {
    made = make()
    sync()
    if (stood) removeQuickly(aside)
    else rmSync(aside)
  } catch (error) {
    putBack(file)
    throw error
  }
  sync()
  return made
}

function putBack(file: string): void {
  removeDatabase(file)
  const aside = file + ASIDE
  if (statSync(aside).size === 0) rmSync(aside)
  else renameSync(aside, file)
}

/** The write-ahead log and its index belong to the database. */
function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

/**
 * Applies the log of a process that was killed, because it would otherwise be replayed into the new database. A log
 * without a readable database belongs to nothing.
 */
function settleLog(file: string): void {
  const log = `${file}-wal`
  if (!existsSync(log)) return
  if (existsSync(file)) refuseInUse(file)
  rmSync(log, { force: true })
}

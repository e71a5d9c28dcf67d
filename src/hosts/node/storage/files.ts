/** Stores worlds and snapshots in files or in memory. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Databases, SnapshotStore } from '../../../core/host.ts'
import { isRecord, madeOnce } from '../../../core/model/must.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { DEFAULT_WORLD } from '../../../core/new-world.ts'
import type { Sql } from '../../../core/sql.ts'
import {
  makeFolder,
  OWNER_ONLY,
  readBeginning,
  syncDirectory,
  UNFINISHED,
  writeNew,
  writeWholeMeanwhile,
} from '../file-access.ts'
import type { Durability } from '../settings.ts'
import {
  copyOf,
  DatabaseInUse,
  imageOf,
  inWalMode,
  openNewSqlite,
  openSqlite,
  openSqliteCopy,
  port,
  SqliteConnection,
} from '../sqlite.ts'
import { atNextTurn } from '../wall.ts'
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

// Connections of worlds in memory that are gone, for new worlds.

/** As many as test runners have open at once. */
const SPARE_MOST = 8
/** Pages are of 4 kB, and stay, free, in the next world, whose forks and files would be as large. */
const PAGES_MOST = 128

/**
 * For a table with foreign keys, which SQLite empties row by row: where it had spread such rows over more pages, parts of
 * them would stay in the page that is left.
 */
const REFERRING_ROWS_MOST = 10

/** Statements that empty the tables, and put in the rows of an image. */
interface Refill {
  /** Counts the rows of each table, up to one more than `REFERRING_ROWS_MOST`. */
  count: string
  tables: { name: string; refers: boolean; empty: string; insert: string; rows: unknown[][] }[]
}

/**
 * A new world whose image comes again takes a connection that is there, with its prepared statements, and copies rows:
 * opening another and preparing again makes a test with a world of its own a third dearer.
 */
export class SpareConnections {
  readonly #spare: SqliteConnection[] = []
  /** Those of other images, which may be from elsewhere, are used for nothing else. */
  readonly #own = new WeakSet<SqliteConnection>()
  readonly #seen = new WeakSet<Uint8Array>()
  /** For each image, with which many worlds begin. */
  readonly #refillOf = madeOnce(refillOf)

  open(image: Uint8Array): SqliteConnection {
    if (!this.#seen.has(image)) {
      this.#seen.add(image)
      return copyOf(image)
    }
    const connection = this.#spare.pop()
    if (connection && refilled(connection, this.#refillOf(image))) return connection
    connection?.db.close()
    const opened = copyOf(image)
    // Free pages would keep what stood in them, and a saved world holds those too.
    opened.prepare('PRAGMA secure_delete = ON').get()
    this.#own.add(opened)
    return opened
  }

  /** Closes it, or keeps one that `open` gave for an image with the same tables. */
  giveBack(connection: SqliteConnection): void {
    if (this.#spare.length === SPARE_MOST || !this.#own.has(connection) || pagesOf(connection) > PAGES_MOST)
      connection.db.close()
    else this.#spare.push(connection)
  }
}

function pagesOf(connection: SqliteConnection): number {
  const counted = connection.prepare('PRAGMA page_count').get()
  return Number(isRecord(counted) ? counted['page_count'] : 0)
}

function refillOf(image: Uint8Array): Refill {
  const { db } = copyOf(image)
  const names = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  const tables = names.map((name) => {
    const rows = db.prepare<[], unknown[]>(`SELECT * FROM ${name}`).raw().all()
    const marks = rows[0]?.map(() => '?').join(', ')
    const refers = db.pragma(`foreign_key_list(${name})`, { simple: true }) !== undefined
    return { name, refers, empty: `DELETE FROM ${name}`, insert: `INSERT INTO ${name} VALUES (${marks})`, rows }
  })
  db.close()
  const limited = (name: string) => `SELECT 1 FROM ${name} LIMIT ${REFERRING_ROWS_MOST + 1}`
  const counts = names.map((name) => `(SELECT count(*) FROM (${limited(name)})) AS ${name}`)
  return { count: `SELECT ${counts.join(', ')}`, tables }
}

/**
 * False when something of before would stay. In the order of the schema, because later tables refer to earlier ones; the
 * pragma that defers that would have SQLite prepare all statements anew.
 */
function refilled(connection: SqliteConnection, { count, tables }: Refill): boolean {
  const counted = connection.prepare(count).get()
  const rowsOf = (name: string) => Number(isRecord(counted) ? counted[name] : 0)
  if (tables.some(({ name, refers }) => refers && rowsOf(name) > REFERRING_ROWS_MOST)) return false
  connection.prepare('BEGIN').run()
  for (const { name, empty } of tables.toReversed()) if (rowsOf(name) > 0) connection.prepare(empty).run()
  for (const { insert, rows } of tables) for (const row of rows) connection.prepare(insert).run(...row)
  connection.prepare('COMMIT').run()
  return true
}

// Worlds in files.

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
    rmSync(aside)
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

// Snapshots as files, in one folder per world.

const SNAPSHOT_ENDING = '.mfano'

function snapshotFiles(directory: string): SnapshotStore {
  const fileOf = (world: string, name: string) => join(directory, world, name + SNAPSHOT_ENDING)
  const within = (...path: string[]) => {
    const folder = join(directory, ...path)
    return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  }
  const worlds = () => within().flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  // Left by a crash.
  for (const world of worlds())
    for (const { name } of within(world)) if (name.endsWith(UNFINISHED)) rmSync(join(directory, world, name))
  return {
    list: (whose) =>
      (whose === undefined ? worlds() : [whose]).flatMap((world) =>
        within(world)
          .filter(({ name }) => name.endsWith(SNAPSHOT_ENDING))
          .map(({ name }) => ({ world, name: name.slice(0, -SNAPSHOT_ENDING.length) })),
      ),
    read: (world, name, limit) => {
      const file = fileOf(world, name)
      if (!existsSync(file)) return undefined
      return limit === undefined ? readFileSync(file) : readBeginning(file, limit)
    },
    write: async (world, name, bytes) => {
      const file = fileOf(world, name)
      // Each by itself: a data directory that was removed is not to come back for a snapshot's sake.
      onFile(file, () => {
        for (const folder of [directory, dirname(file)]) if (!existsSync(folder)) mkdirSync(folder, OWNER_ONLY.folder)
      })
      await onFile(file, () => writeWholeMeanwhile(file, bytes))
    },
    remove: (world, name) => rmSync(fileOf(world, name), { force: true }),
  }
}

// Snapshots in memory.

const MEMORY_MAX_BYTES = 512 * 1024 * 1024

export function memorySnapshotStore(maxBytes = MEMORY_MAX_BYTES): SnapshotStore {
  const files = new Map<string, { world: string; name: string; file: Uint8Array }>()
  const key = (world: string, name: string) => `${world}/${name}`
  return {
    list: (whose) =>
      [...files.values()]
        .filter(({ world }) => whose === undefined || world === whose)
        .map(({ world, name }) => ({ world, name })),
    read: (world, name, limit) => files.get(key(world, name))?.file.slice(0, limit),
    write: async (world, name, file) => {
      const others = [...files].filter(([at]) => at !== key(world, name))
      const total = others.reduce((sum, [, other]) => sum + other.file.length, file.length)
      if (total > maxBytes)
        throw new Refusal(
          'SNAPSHOTS_FULL',
          `snapshots in memory take at most ${maxBytes} bytes, and with this one they would take ${total}; DELETE some, or start mfano with a data directory`,
        )
      files.set(key(world, name), { world, name, file })
    },
    remove: (world, name) => void files.delete(key(world, name)),
  }
}

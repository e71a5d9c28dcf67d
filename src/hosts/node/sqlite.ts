/** The core's SQL port, implemented with better-sqlite3. */
import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { isRecord, must } from '../../core/model/must.ts'
import { worldClosed } from '../../core/model/refusal.ts'
import { ensureSchema } from '../../core/schema.ts'
import type { Sql, SqlValue, Statement } from '../../core/sql.ts'
import type { Durability } from './settings.ts'
import { fileGone, IN_MEMORY, onFile, storageFailure } from './storage/storage-errors.ts'
import { WaitingRows } from './storage/waiting-rows.ts'

/** Wait for a database that another process holds, because a predecessor may be stopping. */
const LOCKED_MAX_MS = 1500

/**
 * Pages of 4 kB in the log before SQLite moves them into the database and waits for the disk; with its default of 1,000
 * that took an eighth of the time of small commits in sequence. Each database has another number, because equally busy
 * worlds would otherwise all do it at once and block everybody.
 */
const LOG_PAGES = { least: 4_000, spread: 2_000 } as const
/** Shares no factor with the spread, so that consecutive databases have different numbers, far from each other. */
const STRIDE = 1_237
let opened = 0

function logPages(): number {
  return LOG_PAGES.least + ((opened++ * STRIDE) % LOG_PAGES.spread)
}

export class DatabaseInUse extends Error {
  readonly hint =
    'Stop the other mfano, or give this one a data directory of its own: --data other, or --data :memory:.'
  constructor(file: string, cause: unknown) {
    super(`${file} is in use by another process.`, { cause })
    this.name = 'DatabaseInUse'
  }
}

/** When SQLite waits for the disk: at each commit, or only when the log moves into the database. */
const SYNCHRONOUS = { power: 'FULL', process: 'NORMAL' } as const satisfies Record<Durability, string>

/**
 * In WAL mode. An answered commit is in the log, which the system writes even if the process dies; with `power`, it is
 * on the disk. A power cut loses the last commits at most, and never a part of one. `:memory:` keeps nothing.
 */
export function openSqlite(file: string, durability: Durability = 'power'): Sql {
  if (file === ':memory:') return port(new SqliteConnection(new Database(file), IN_MEMORY))
  const db = onFile(file, () => new Database(file, { timeout: LOCKED_MAX_MS }))
  // One process per database: two would each keep counters and balances in memory, and both be wrong.
  try {
    db.exec(
      `PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT;
       PRAGMA synchronous = ${SYNCHRONOUS[durability]}; PRAGMA wal_autocheckpoint = ${logPages()}`,
    )
  } catch (error) {
    db.close()
    throw isRecord(error) && error['code'] === 'SQLITE_BUSY'
      ? new DatabaseInUse(file, error)
      : storageFailure(error, file)
  }
  return port(new SqliteConnection(db, file), {
    check: standing(file, `${file}-wal`),
    close: (discarded) => {
      // Closing puts the log into the database, and would have the disk confirm both. With `power` it does, for a power
      // cut before the database is replaced.
      if (discarded && durability !== 'power') db.pragma('synchronous = OFF')
      db.close()
    },
  })
}

/** A new database counts only once `use` has ended. Without `power`, nothing waits for the disk meanwhile. */
export function openNewSqlite<T>(file: string, durability: Durability, use: (sql: Sql) => T): T {
  const sql = openSqlite(file, durability)
  if (durability === 'power') return use(sql)
  sql.exec('PRAGMA synchronous = OFF')
  const made = use(sql)
  sql.exec(`PRAGMA synchronous = ${SYNCHRONOUS[durability]}`)
  return made
}

/** Remembers the files. The returned function throws when one is gone, because SQLite would go on writing to it. */
function standing(...files: string[]): () => void {
  const found = files.map((file) => ({ file, inode: statSync(file, { throwIfNoEntry: false })?.ino }))
  return () => {
    for (const { file, inode } of found)
      if (inode !== statSync(file, { throwIfNoEntry: false })?.ino) throw fileGone(file)
  }
}

let empty: Uint8Array | undefined

/** In memory: an empty world's, or a copy of the bytes, which its errors are about. */
export function openSqliteCopy(image?: Uint8Array): Sql {
  if (!image) empty ??= sqliteImage(ensureSchema)
  return port(copyOf(image ?? must(empty)))
}

export function sqliteImage(prepare: (sql: Sql) => void): Uint8Array {
  const connection = new SqliteConnection(new Database(':memory:'))
  prepare(port(connection))
  const image = imageOf(connection)
  connection.db.close()
  return image
}

export function imageOf({ db }: SqliteConnection): Uint8Array {
  return marked(db.serialize(), 1)
}

export function inWalMode(image: Uint8Array): Uint8Array[] {
  return [marked(Uint8Array.from(image.subarray(0, HEADER_BYTES)), 2), image.subarray(HEADER_BYTES)]
}

const HEADER_BYTES = 100

/** Bytes 18 and 19 of the file format: 2 means WAL mode, which a database in memory cannot have; 1 means any other. */
function marked(image: Uint8Array, mode: 1 | 2): Uint8Array {
  image.fill(mode, 18, 20)
  return image
}

interface PortOptions {
  check?: () => void
  close?: (discarded: boolean) => void
}

/**
 * `check` throws when the file is no longer the opened one. Without a place, only the bytes can be wrong, which the
 * caller reports, or the memory full.
 */
export function port(connection: SqliteConnection, options: PortOptions = {}): Sql {
  const { db, place } = connection
  const { check = () => {}, close = () => db.close() } = options
  const failed = (error: unknown) =>
    place !== undefined || (isRecord(error) && error['code'] === 'SQLITE_FULL')
      ? storageFailure(error, place ?? IN_MEMORY)
      : error
  let closed = false
  // The connection may be another world's by now, so work of a closed world is refused.
  const requireOpen = () => {
    if (closed) throw worldClosed()
  }
  const waiting = new WaitingRows({
    db,
    place: place ?? IN_MEMORY,
    prepare: (text) => connection.prepare(text),
    requireOpen,
    check,
    failed,
  })
  const guarded = <T>(changes: boolean, work: () => T): T => {
    requireOpen()
    waiting.before(changes)
    try {
      return work()
    } catch (error) {
      throw failed(error)
    }
  }
  // Prepared when first used: that is most of what opening a world would cost, and much of the memory that it takes.
  const prepare = <Row>(text: string): Statement<Row> => {
    let known: Database.Statement | undefined
    const carryingOut =
      (how: 'get' | 'all' | 'run') =>
      (...parameters: SqlValue[]) =>
        guarded(how === 'run', () => {
          known ??= connection.prepare(text)
          return known[how](...parameters) as never
        })
    return { get: carryingOut('get'), all: carryingOut('all'), run: carryingOut('run') }
  }
  return {
    prepare,
    file: place,
    rowWriter: (text) => waiting.writer(text),
    exec: (script) => void guarded(true, () => db.exec(script)),
    transaction: waiting.transaction,
    check,
    serialize: () => {
      requireOpen()
      return imageOf(connection)
    },
    close: (discarded = false) => {
      if (closed) return
      closed = true
      close(discarded)
    },
  }
}

// A connection that prepares each statement once.

/** More than a world needs for itself: lists have texts of their own for each combination of conditions. */
const KEPT_STATEMENTS = 400

export class SqliteConnection {
  readonly db: Database.Database
  /** The file, or words for it; none where only the bytes can be wrong. */
  readonly place: string | undefined
  readonly #prepared = new Map<string, Database.Statement>()

  constructor(db: Database.Database, place?: string) {
    this.db = db
    this.place = place
    // 8 MB of pages: enough for the hot ends of the indexes of a world with millions of payments; the others are in the
    // system's cache. Savepoints keep the pages that they may have to put back; in memory, not in a temporary file.
    db.exec('PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY')
  }

  prepare(text: string): Database.Statement {
    const known = this.#prepared.get(text)
    if (known) return known
    const prepared = this.db.prepare(text)
    if (this.#prepared.size === KEPT_STATEMENTS) this.#prepared.clear()
    this.#prepared.set(text, prepared)
    return prepared
  }
}

export function copyOf(image: Uint8Array): SqliteConnection {
  // SQLite copies the bytes.
  return new SqliteConnection(new Database(Buffer.from(image.buffer, image.byteOffset, image.byteLength)))
}

/** The core's SQL port, implemented with better-sqlite3. */

import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { isRecord } from '../../core/model/must.ts'
import { worldClosed } from '../../core/model/refusal.ts'
import { ensureSchema } from '../../core/schema.ts'
import type { RowText, RowWriter, Sql, SqlValue, Statement } from '../../core/sql.ts'
import type { Durability } from './settings.ts'
import { fileGone, IN_MEMORY, onFile, storageFailure, transactionEnded } from './storage/storage-errors.ts'

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
export function openSqliteCopy(image = empty): Sql {
  if (image) return port(copyOf(image))
  const connection = new SqliteConnection(new Database(':memory:'))
  const sql = port(connection)
  ensureSchema(sql)
  empty = imageOf(connection)
  return sql
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
  const waiting = new WaitingRows(connection, { requireOpen, check, failed })
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

// The transactions of a connection, and the rows that wait in them to be written together.

/** Rows in one statement, most first. With it, and callbacks that are read together, a payment's life takes 14 % less processor time. */
const TOGETHER = [40, 8, 1] as const
const ONE_BY_ONE = [1] as const
/** Rows that wait, so that they do not fill the memory. */
const WAITING_MAX = 1_000

interface Guard {
  requireOpen(): void
  check(): void
  failed(error: unknown): unknown
}

/** How a table's rows are written, and those that are about to be. */
interface Writer {
  readonly rows: SqlValue[][]
  write(): void
}

/**
 * A row waits until another statement comes, or the transaction ends; a savepoint is set when one of its own statements
 * is carried out, so that most need none. Behind `Sql.transaction` and the writers of `core/sql.ts`.
 */
class WaitingRows {
  readonly #connection: SqliteConnection
  readonly #guard: Guard
  /** The rows that wait, in the order in which they came, and for each its writer. */
  readonly #rows: SqlValue[][] = []
  readonly #writers: Writer[] = []
  /** Only one writer of a table has rows that wait, so that these need not be kept in order with others. */
  readonly #ofTable = new Map<string, Writer>()
  /** For each open transaction inside of the whole one: how many rows waited when it began. */
  readonly #begins: number[] = []
  /** How many of those have a savepoint. */
  #savepoints = 0
  #open = false

  constructor(connection: SqliteConnection, guard: Guard) {
    this.#connection = connection
    this.#guard = guard
  }

  writer({ table, key, of }: RowText): RowWriter {
    const statements = new Map<number, Database.Statement>()
    const rows: SqlValue[][] = []
    const write = () => {
      // One statement changes a row once; of two values for it, SQLite does not say which one it takes.
      const once = key === undefined || new Set(rows.map((row) => row[key])).size === rows.length
      let at = 0
      for (const size of once ? TOGETHER : ONE_BY_ONE) {
        for (; rows.length - at >= size; at += size) {
          const statement = statements.get(size) ?? this.#connection.prepare(of(size))
          statements.set(size, statement)
          const values: SqlValue[] = []
          for (let i = at; i < at + size; i++) for (const value of rows[i] as SqlValue[]) values.push(value)
          statement.run(values)
        }
      }
      rows.length = 0
    }
    const writer: Writer = { rows, write }
    return {
      run: (...row) => {
        this.#guard.requireOpen()
        const other = this.#ofTable.get(table) ?? writer
        if (other !== writer) this.#write()
        this.#ofTable.set(table, writer)
        this.#writers.push(writer)
        if (this.#rows.push(row) === WAITING_MAX || !this.#open) this.#write()
      },
    }
  }

  /** Before any other statement: all that waits is written; one that changes something needs savepoints. */
  before(changes: boolean): void {
    if (this.#rows.length > 0) this.#write()
    if (changes) while (this.#savepoints < this.#begins.length) this.#setSavepoint()
  }

  readonly transaction = <T>(work: () => T): T => {
    if (this.#open) return this.#part(work)
    this.#run('BEGIN IMMEDIATE')
    this.#open = true
    try {
      const value = work()
      this.#write()
      this.#guard.check()
      this.#run('COMMIT')
      return value
    } catch (error) {
      this.#forget(0)
      if (this.#connection.db.inTransaction) this.#run('ROLLBACK')
      throw error
    } finally {
      this.#open = false
    }
  }

  #part<T>(work: () => T): T {
    const level = this.#begins.push(this.#rows.length)
    try {
      const value = work()
      if (this.#savepoints >= level) this.#run('RELEASE s')
      return value
    } catch (error) {
      this.#forget(this.#begins[level - 1] as number)
      // A full disk, say, makes SQLite end the whole transaction, and with it all savepoints.
      if (!this.#connection.db.inTransaction) throw transactionEnded(error, this.#connection.place ?? IN_MEMORY)
      if (this.#savepoints >= level) {
        this.#run('ROLLBACK TO s')
        this.#run('RELEASE s')
      }
      throw error
    } finally {
      this.#begins.length = level - 1
      this.#savepoints = Math.min(this.#savepoints, level - 1)
    }
  }

  /** Each row inside of the savepoint of its own work. */
  #write(): void {
    const writers = new Set<Writer>()
    try {
      while (this.#rows.length > 0) {
        const begin = this.#begins[this.#savepoints] ?? Number.POSITIVE_INFINITY
        const count = Math.min(begin, this.#rows.length)
        for (let i = 0; i < count; i++) {
          const writer = this.#writers[i] as Writer
          writer.rows.push(this.#rows[i] as SqlValue[])
          writers.add(writer)
        }
        for (const writer of writers) writer.write()
        this.#rows.splice(0, count)
        this.#writers.splice(0, count)
        for (let i = 0; i < this.#begins.length; i++) this.#begins[i] = Math.max(0, (this.#begins[i] as number) - count)
        if (this.#rows.length > 0) this.#setSavepoint()
      }
      this.#ofTable.clear()
    } catch (error) {
      for (const { rows } of writers) rows.length = 0
      this.#forget(0)
      const failure = this.#guard.failed(error)
      // It may be a row of other work than the present one.
      throw this.#begins.length > 0 ? transactionEnded(failure, this.#connection.place ?? IN_MEMORY) : failure
    }
  }

  #forget(from: number): void {
    this.#rows.length = Math.min(this.#rows.length, from)
    this.#writers.length = this.#rows.length
    if (from === 0) this.#ofTable.clear()
  }

  #setSavepoint(): void {
    this.#run('SAVEPOINT s')
    this.#savepoints++
  }

  #run(text: string): void {
    const { requireOpen, failed } = this.#guard
    requireOpen()
    try {
      this.#connection.prepare(text).run()
    } catch (error) {
      throw failed(error)
    }
  }
}

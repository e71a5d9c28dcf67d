/** The transactions of a connection, and the rows that wait in them to be written together. */
import type Database from 'better-sqlite3'
import type { RowText, RowWriter, SqlValue } from '../../../core/sql.ts'
import { transactionEnded } from './storage-errors.ts'

/** Rows in one statement, most first. With it a payment's whole life takes 15 % less processor time. */
const TOGETHER = [40, 8, 1] as const
const ONE_BY_ONE = [1] as const
/** Rows that wait, so that they do not fill the memory. */
const WAITING_MAX = 1_000

interface Connection {
  readonly db: Database.Database
  readonly place: string
  prepare(text: string): Database.Statement
  /** The connection of a closed world may be another's by now. */
  requireOpen(): void
  /** Throws when the file is no longer the opened one. */
  check(): void
  failed(error: unknown): unknown
}

/** How a table's rows are written, and those that are about to be. */
interface Writer {
  readonly table: string
  readonly rows: SqlValue[][]
  write(): void
}

/**
 * A row waits until another statement comes, or the transaction ends; a savepoint is set when one of its own statements
 * is carried out, so that most need none. Behind `Sql.transaction` and the writers of `core/sql.ts`.
 */
export class WaitingRows {
  readonly #connection: Connection
  /** What waits, in the order in which it came: each row and its table's statement. */
  #rows: SqlValue[][] = []
  #writers: Writer[] = []
  /** Only one writer of a table has rows that wait, so that these need not be kept in order with others. */
  readonly #ofTable = new Map<string, Writer>()
  /** For each open transaction inside of the whole one: how many rows waited when it began. */
  readonly #begins: number[] = []
  /** How many of those have a savepoint. */
  #savepoints = 0
  #open = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  writer({ table, key, of }: RowText): RowWriter {
    const { prepare, requireOpen } = this.#connection
    /** By how many rows it writes, with the values of the last ones. */
    const statements = new Map<number, { statement: Database.Statement; values: SqlValue[] }>()
    const carryOut = (rows: readonly SqlValue[][], from: number, size: number) => {
      let made = statements.get(size)
      if (!made) {
        made = { statement: prepare(of(size)), values: [] }
        statements.set(size, made)
      }
      const { statement, values } = made
      let at = 0
      for (let i = from; i < from + size; i++) for (const value of rows[i] as SqlValue[]) values[at++] = value
      statement.run(values)
    }
    const rows: SqlValue[][] = []
    const writer: Writer = {
      table,
      rows,
      write() {
        // One statement changes a row once.
        const once = key === undefined || new Set(rows.map((row) => row[key])).size === rows.length
        let at = 0
        for (const size of once ? TOGETHER : ONE_BY_ONE)
          for (; rows.length - at >= size; at += size) carryOut(rows, at, size)
      },
    }
    return {
      run: (...row) => {
        requireOpen()
        if (!this.#open) {
          rows.push(row)
          return this.#carryOut([writer])
        }
        const other = this.#ofTable.get(table)
        if (other !== writer) {
          if (other) this.#write()
          this.#ofTable.set(table, writer)
        }
        this.#writers.push(writer)
        if (this.#rows.push(row) === WAITING_MAX) this.#write()
      },
    }
  }

  /** Before a statement that reads. */
  beforeReading(): void {
    if (this.#rows.length > 0) this.#write()
  }

  /** Before a statement that changes something. */
  beforeChanging(): void {
    if (this.#rows.length > 0) this.#write()
    while (this.#savepoints < this.#begins.length) this.#setSavepoint()
  }

  transaction<T>(work: () => T): T {
    return this.#open ? this.#part(work) : this.#whole(work)
  }

  #whole<T>(work: () => T): T {
    this.#run('BEGIN IMMEDIATE')
    this.#open = true
    try {
      const value = work()
      this.#write()
      this.#connection.check()
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
      if (!this.#connection.db.inTransaction) throw transactionEnded(error, this.#connection.place)
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

  #write(): void {
    try {
      // Each row inside of the savepoint of its own work.
      for (let begin = this.#nextBegin; begin < this.#rows.length; begin = this.#nextBegin) {
        this.#writeFirst(begin)
        this.#setSavepoint()
      }
      this.#writeFirst(this.#rows.length)
    } catch (error) {
      // It may be a row of other work than the present one.
      throw this.#begins.length > 0 ? transactionEnded(error, this.#connection.place) : error
    }
  }

  /** Where the rows of the first work begin that has no savepoint. */
  get #nextBegin(): number {
    return this.#begins[this.#savepoints] ?? Number.POSITIVE_INFINITY
  }

  #writeFirst(count: number): void {
    if (count === 0) return
    const writers = new Set<Writer>()
    for (let i = 0; i < count; i++) {
      const writer = this.#writers[i] as Writer
      writer.rows.push(this.#rows[i] as SqlValue[])
      writers.add(writer)
    }
    this.#rows.splice(0, count)
    this.#writers.splice(0, count)
    if (this.#rows.length === 0) this.#ofTable.clear()
    for (let i = 0; i < this.#begins.length; i++) this.#begins[i] = Math.max(0, (this.#begins[i] as number) - count)
    this.#carryOut(writers)
  }

  #carryOut(writers: Iterable<Writer>): void {
    try {
      for (const writer of writers) writer.write()
    } catch (error) {
      throw this.#connection.failed(error)
    } finally {
      for (const { rows } of writers) rows.length = 0
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
    const { prepare, requireOpen, failed } = this.#connection
    requireOpen()
    try {
      prepare(text).run()
    } catch (error) {
      throw failed(error)
    }
  }
}

/** Work inside a transaction that may be taken back alone, mostly without a savepoint. */
import type Database from 'better-sqlite3'
import type { SqlValue } from '../../../core/sql.ts'
import { KeptRows } from './kept-rows.ts'
import type { RowInsert } from './row-insert.ts'
import { transactionEnded } from './storage-errors.ts'
import { mayMeet, type Tables } from './tables-of.ts'

type Write = { parameters: SqlValue[] } & (
  | { statement: Database.Statement; tables: Tables; rows?: undefined }
  | { rows: RowInsert; statement?: undefined }
)

/**
 * What such work writes waits until somebody reads of its tables, or the work is done. What is taken back by then was
 * never written, and what is kept needs no savepoint, for which SQLite would keep each page that it changes. Rows that are
 * only added, or changed by their key, wait for those of the work behind it, up to the end of the transaction, and are
 * written together. With a savepoint for each piece of work, and each row written at once, a payment that falls due takes
 * 22 to 26 % more processor time, and so does a payment that is made of its commit.
 */
export class NestedWork {
  readonly #db: Database.Database
  readonly #place: string
  /** What may be taken back alone, in the order in which it was to be written. */
  readonly #waiting: Write[] = []
  /** Where in it the writes of each level of the work under way begin. */
  readonly #begins: number[] = []
  /** So many of its levels, the outermost first, have a savepoint. */
  #savepoints = 0
  /** Rows that stay unless the whole transaction is taken back. None while there is a savepoint, which they are not part of. */
  readonly #kept = new KeptRows()
  #begun = false
  #statements: Record<'set' | 'release' | 'rollbackTo', Database.Statement> | undefined

  /** `place`: where the database is, in words. */
  constructor(db: Database.Database, place: string) {
    this.#db = db
    this.#place = place
  }

  /** Writes now, or with the work that it is part of. */
  write(statement: Database.Statement, tables: Tables, parameters: SqlValue[]): void {
    if (this.#begins.length > 0) {
      this.#waiting.push({ statement, tables, parameters })
      return
    }
    this.#kept.write(tables)
    statement.run(...parameters)
  }

  /** Adds or changes a row, when its table is read or changed otherwise at the latest. */
  add(rows: RowInsert, parameters: SqlValue[]): void {
    if (!this.#begun) rows.write([parameters])
    else if (this.#begins.length === 0) this.#kept.keep(rows, parameters)
    else this.#waiting.push({ rows, parameters })
  }

  /** Writes what waits, as far as it may be seen by who reads of some tables. */
  beforeReading(tables: Tables): void {
    if (this.#waiting.some((write) => mayMeet((write.rows ?? write).tables, tables))) this.writeWaiting()
    else this.#writeKept(tables)
  }

  /** Writes all that waits, each level's behind a savepoint of its own. */
  writeWaiting(): void {
    this.#writeKept([])
    const waiting = this.#waiting.splice(0)
    const ends = [...this.#begins.slice(1), waiting.length]
    this.#begins.fill(0)
    let from = 0
    for (const [i, end] of ends.entries()) {
      if (end === from) continue
      this.#setSavepoints(i + 1)
      try {
        const rows = new KeptRows()
        carryOut(waiting.slice(from, end), rows)
        rows.write([])
      } catch (error) {
        // What another's write meets is not of the work that is taken back for it.
        throw i + 1 < this.#begins.length ? transactionEnded(error, this.#place) : error
      }
      from = end
    }
  }

  /** Before something is done whose writes are not known. */
  beforeAnything(): void {
    this.writeWaiting()
    this.#setSavepoints(this.#begins.length)
  }

  /** Does work that is taken back when it throws, and nothing else with it. */
  do<T>(work: () => T): T {
    const level = this.#begins.push(this.#waiting.length)
    try {
      const value = work()
      this.#keep(level)
      return value
    } catch (error) {
      this.#takeBack(level, error)
      throw error
    } finally {
      this.#begins.length = Math.min(this.#begins.length, level - 1)
      this.#savepoints = Math.min(this.#savepoints, level - 1)
    }
  }

  /** Whether a transaction was begun and is not over. Remembered, as it is asked for with each piece of work. */
  get begun(): boolean {
    return this.#begun
  }

  /** A transaction begins. */
  begin(): void {
    this.#begun = true
  }

  /** The transaction is over, or is to be taken back: what waits is never written. */
  end(): void {
    this.#begun = false
    this.#waiting.length = 0
    this.#begins.length = 0
    this.#savepoints = 0
    this.#kept.clear()
  }

  /** What was written stays, unless the work around it is taken back. */
  #keep(level: number): void {
    if (this.#savepoints >= level) {
      this.writeWaiting()
      this.#savepoint('release')
    } else if (level === 1)
      // SQLite refuses none of it, unless mfano is broken: then all is taken back.
      this.#orEnd(() => carryOut(this.#waiting.splice(0), this.#kept))
  }

  #takeBack(level: number, error: unknown): void {
    this.#waiting.length = Math.min(this.#waiting.length, this.#begins[level - 1] ?? 0)
    // A full disk, say, makes SQLite end the whole transaction, and with it all savepoints.
    if (!this.#db.inTransaction) throw transactionEnded(error, this.#place)
    if (this.#savepoints < level) return
    this.#savepoint('rollbackTo')
    this.#savepoint('release')
  }

  /** What is written of work that was kept is not of the work that would be taken back for it. */
  #writeKept(tables: Tables): void {
    if (this.#begins.length > 0) this.#orEnd(() => this.#kept.write(tables))
    else this.#kept.write(tables)
  }

  /** Writes for the whole transaction, which ends when that fails. */
  #orEnd(write: () => void): void {
    try {
      write()
    } catch (error) {
      throw transactionEnded(error, this.#place)
    }
  }

  #setSavepoints(level: number): void {
    while (this.#savepoints < level) {
      this.#savepoints++
      this.#savepoint('set')
    }
  }

  #savepoint(what: 'set' | 'release' | 'rollbackTo'): void {
    this.#statements ??= {
      set: this.#db.prepare('SAVEPOINT s'),
      release: this.#db.prepare('RELEASE s'),
      rollbackTo: this.#db.prepare('ROLLBACK TO s'),
    }
    this.#statements[what].run()
  }
}

/** Writes in their order. Rows are kept with others, until something else is written to their table at the latest. */
function carryOut(writes: readonly Write[], rows: KeptRows): void {
  for (const write of writes) {
    if (write.rows) rows.keep(write.rows, write.parameters)
    else {
      rows.write(write.tables)
      write.statement.run(...write.parameters)
    }
  }
}

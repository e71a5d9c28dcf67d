/** Work inside a transaction that may be taken back alone, mostly without a savepoint. */
import type Database from 'better-sqlite3'
import type { SqlValue } from '../../../core/sql.ts'
import { KeptRows } from './kept-rows.ts'
import type { RowInsert } from './row-insert.ts'
import { storageFailure, transactionEnded } from './storage-errors.ts'
import { mayMeet, type Tables } from './tables-of.ts'

type Write = { parameters: SqlValue[]; level: number } & (
  | { statement: Database.Statement; tables: Tables; rows?: undefined }
  | { rows: RowInsert; statement?: undefined }
)

/**
 * What such work writes waits until somebody reads of its tables, or the work is done. What is taken back by then was
 * never written, and what is kept needs no savepoint, for which SQLite would keep each page that it changes. Rows that are
 * only added, or changed by their key, wait for those of the work behind it, up to the end of the transaction, and are
 * written together.
 */
export class NestedWork {
  readonly #db: Database.Database
  readonly #place: string
  /** What may be taken back alone, in the order in which it was to be written, so the deepest level is last. */
  readonly #waiting: Write[] = []
  /** Rows that stay unless the whole transaction is taken back. None while there is a savepoint, which they are not part of. */
  readonly #kept = new KeptRows()
  #begun = false
  /** How deep the work is nested, and how many of its levels have a savepoint. */
  #level = 0
  #savepoints = 0
  #statements: Record<'set' | 'release' | 'rollbackTo', Database.Statement> | undefined

  /** `place`: where the database is, in words. */
  constructor(db: Database.Database, place: string) {
    this.#db = db
    this.#place = place
  }

  /** Writes now, or with the work that it is part of. */
  write(statement: Database.Statement, tables: Tables, parameters: SqlValue[]): void {
    if (this.#level > 0) {
      this.#waiting.push({ statement, tables, parameters, level: this.#level })
      return
    }
    this.#writeKept(tables)
    statement.run(...parameters)
  }

  /** Adds or changes a row, when its table is read or changed otherwise at the latest. */
  add(rows: RowInsert, parameters: SqlValue[]): void {
    if (!this.#begun) rows.write([parameters])
    else if (this.#level === 0) this.#kept.keep(rows, parameters)
    else this.#waiting.push({ rows, parameters, level: this.#level })
  }

  /** Writes what waits, as far as it may be seen by who reads of some tables. */
  beforeReading(tables: Tables): void {
    if (this.#waiting.some((write) => mayMeet(tablesIn(write), tables))) this.writeWaiting()
    else this.#writeKept(tables)
  }

  /** Writes all that waits. */
  writeWaiting(): void {
    this.#writeKept([])
    const waiting = this.#waiting.splice(0)
    for (let at = 0; at < waiting.length; ) {
      const write = waiting[at] as Write
      const end = write.rows ? endOfRows(waiting, at) : at + 1
      this.#setSavepoints(write.level)
      try {
        if (write.rows) writeRows(waiting.slice(at, end))
        else write.statement.run(...write.parameters)
      } catch (error) {
        // What another's write meets is not of the work that is taken back for it.
        throw write.level < this.#level ? transactionEnded(error, this.#place) : error
      }
      at = end
    }
  }

  /** Before something is done whose writes are not known. */
  beforeAnything(): void {
    this.writeWaiting()
    this.#setSavepoints(this.#level)
  }

  /** Does work that is taken back when it throws, and nothing else with it. */
  do<T>(work: () => T): T {
    const level = ++this.#level
    try {
      const value = work()
      this.#keep(level)
      return value
    } catch (error) {
      this.#takeBack(level, error)
      throw error
    } finally {
      this.#level = level - 1
      this.#savepoints = Math.min(this.#savepoints, this.#level)
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
    this.#kept.clear()
    this.#level = 0
    this.#savepoints = 0
  }

  #keep(level: number): void {
    if (this.#savepoints >= level) {
      this.writeWaiting()
      this.#savepoint('release')
    } else if (level === 1) this.#keepForGood()
    else this.#handOn(level)
  }

  /** What work at a level wrote is of the work around it now. */
  #handOn(level: number): void {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const write = this.#waiting[i] as Write
      if (write.level < level) return
      write.level = level - 1
    }
  }

  #takeBack(level: number, error: unknown): void {
    while (this.#waiting.at(-1)?.level === level) this.#waiting.pop()
    // A full disk, say, makes SQLite end the whole transaction, and with it all savepoints.
    if (!this.#db.inTransaction) throw transactionEnded(error, this.#place)
    if (this.#savepoints < level) return
    this.#savepoint('rollbackTo')
    this.#savepoint('release')
  }

  /** Nobody takes it back alone any more. SQLite refuses none of it, unless mfano is broken: then all is taken back. */
  #keepForGood(): void {
    let isFirst = true
    for (const write of this.#waiting.splice(0)) {
      if (write.rows) this.#kept.keep(write.rows, write.parameters)
      else {
        const any = this.#writeKept(write.tables)
        try {
          write.statement.run(...write.parameters)
        } catch (error) {
          throw isFirst && !any ? storageFailure(error, this.#place) : transactionEnded(error, this.#place)
        }
      }
      isFirst = false
    }
  }

  /** Writes kept rows of some tables; gives whether there were any. */
  #writeKept(tables: Tables): boolean {
    try {
      return this.#kept.write(tables)
    } catch (error) {
      // It is not of the work that is taken back for it.
      throw this.#level > 0 ? transactionEnded(error, this.#place) : error
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

function tablesIn(write: Write): Tables {
  return write.rows ? write.rows.tables : write.tables
}

/** Where rows end that are added at one level, whatever their tables. */
function endOfRows(writes: readonly Write[], from: number): number {
  const level = writes[from]?.level
  let end = from
  while (writes[end]?.rows && writes[end]?.level === level) end++
  return end
}

/** Those of a table together. */
function writeRows(writes: readonly Write[]): void {
  const together = new KeptRows()
  for (const { rows, parameters } of writes) if (rows) together.keep(rows, parameters)
  together.write([])
}

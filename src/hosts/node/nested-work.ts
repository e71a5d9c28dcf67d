/** Work inside a transaction that may be taken back alone, mostly without a savepoint. */
import type Database from 'better-sqlite3'
import type { SqlValue } from '../../store/sql.ts'
import type { RowInsert } from './row-insert.ts'
import { storageFailure, transactionEnded } from './storage-errors.ts'

type Write = { parameters: SqlValue[]; level: number } & (
  | { statement: Database.Statement; rows?: undefined }
  | { rows: RowInsert; statement?: undefined }
)

/**
 * What such work writes waits until somebody reads, or the work is done. What is taken back by then was never written,
 * and what is kept needs no savepoint, for which SQLite would keep each page that it changes. Rows that are only added
 * wait for those of the work behind it, up to the end of the transaction, and are written together.
 */
export class NestedWork {
  readonly #db: Database.Database
  readonly #place: string
  /** In the order in which it was to be written, so the deepest level is last. */
  readonly #waiting: Write[] = []
  #onlyRows = true
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
  write(statement: Database.Statement, parameters: SqlValue[]): void {
    if (this.#level > 0) {
      this.#onlyRows = false
      this.#waiting.push({ statement, parameters, level: this.#level })
      return
    }
    this.writeWaiting()
    statement.run(...parameters)
  }

  /** Adds a row, when something else is read or written at the latest. */
  add(rows: RowInsert, parameters: SqlValue[]): void {
    if (this.#begun) this.#waiting.push({ rows, parameters, level: this.#level })
    else rows.write([parameters])
  }

  /** Writes what waits, so that it can be read. */
  writeWaiting(): void {
    if (this.#waiting.length === 0) return
    // What another's write meets is not of the work that is taken back for it.
    this.#writeAll((error, { level }) => (level < this.#level ? transactionEnded(error, this.#place) : error))
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

  /** A transaction begins. */
  begin(): void {
    this.#begun = true
  }

  /** The transaction is over, or is to be taken back: what waits is never written. */
  end(): void {
    this.#begun = false
    this.#waiting.length = 0
    this.#onlyRows = true
    this.#level = 0
    this.#savepoints = 0
  }

  #keep(level: number): void {
    if (this.#savepoints >= level) {
      this.writeWaiting()
      this.#savepoint('release')
    } else if (level === 1) this.#writeForGood()
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

  /** Writes what nobody takes back alone any more. SQLite refuses none of it, unless mfano is broken: then all is taken back. */
  #writeForGood(): void {
    this.#handOn(1)
    if (this.#onlyRows) return
    this.#writeAll((error, { statement }, before) =>
      statement && before === 0 ? storageFailure(error, this.#place) : transactionEnded(error, this.#place),
    )
  }

  /** `asThrown`: what becomes of an error that a write met, with so many before it. */
  #writeAll(asThrown: (error: unknown, write: Write, before: number) => unknown): void {
    const waiting = this.#waiting.splice(0)
    this.#onlyRows = true
    for (let at = 0; at < waiting.length; ) {
      const write = waiting[at] as Write
      const end = write.rows ? endOfRows(waiting, at) : at + 1
      this.#setSavepoints(write.level)
      try {
        if (write.rows) writeRows(waiting.slice(at, end))
        else write.statement.run(...write.parameters)
      } catch (error) {
        throw asThrown(error, write, at)
      }
      at = end
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

/** Where rows end that are added at one level, whatever their tables. */
function endOfRows(writes: readonly Write[], from: number): number {
  const level = writes[from]?.level
  let end = from
  while (writes[end]?.rows && writes[end]?.level === level) end++
  return end
}

/** Those of a table together. */
function writeRows(writes: readonly Write[]): void {
  const byTable = new Map<RowInsert, SqlValue[][]>()
  for (const { rows, parameters } of writes) {
    if (!rows) continue
    const known = byTable.get(rows)
    if (known) known.push(parameters)
    else byTable.set(rows, [parameters])
  }
  for (const [rows, added] of byTable) rows.write(added)
}

/** Work inside a transaction that may be taken back alone, mostly without a savepoint. */
import type Database from 'better-sqlite3'
import type { SqlValue } from '../../store/sql.ts'
import { storageFailure, transactionEnded } from './storage-errors.ts'

/** A prepared statement, and the tables that it is about. */
export interface About {
  statement: Database.Statement
  tables: readonly string[]
}

interface Write {
  about: About
  parameters: SqlValue[]
  level: number
}

/** Names behind which a statement names a table. */
const TABLE = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/gi

function mayMeet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === 0 || others.length === 0 || some.some((table) => others.includes(table))
}

/** The tables that a statement is about: those it changes, or looks into; none where it may be about any. */
export function tablesOf(text: string): string[] {
  return [...new Set([...text.matchAll(TABLE)].map(([, name = '']) => name.toLowerCase()))]
}

/**
 * What such work writes waits until somebody reads of its tables, or the work is done. What is taken back by then was
 * never written, and what is kept needs no savepoint, for which SQLite would keep each page that it changes.
 */
export class NestedWork {
  readonly #db: Database.Database
  readonly #place: string
  readonly #waiting: Write[] = []
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
  write(about: About, parameters: SqlValue[]): void {
    if (this.#level === 0) about.statement.run(...parameters)
    else this.#waiting.push({ about, parameters, level: this.#level })
  }

  /** Writes what waits, where it can be seen by who reads of some tables. */
  beforeReading(tables: readonly string[]): void {
    if (this.#waiting.some(({ about }) => mayMeet(about.tables, tables))) this.#writeWaiting()
  }

  #writeWaiting(): void {
    for (const { about, parameters, level } of this.#waiting.splice(0)) {
      this.#setSavepoints(level)
      try {
        about.statement.run(...parameters)
      } catch (error) {
        // It is not of the work that is taken back for it.
        throw level < this.#level ? transactionEnded(error, this.#place) : error
      }
    }
  }

  /** Before something is done whose writes are not known. */
  beforeAnything(): void {
    this.#writeWaiting()
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

  /** The transaction is over. */
  end(): void {
    this.#waiting.length = 0
    this.#level = 0
    this.#savepoints = 0
  }

  #keep(level: number): void {
    if (this.#savepoints >= level) {
      this.#writeWaiting()
      this.#savepoint('release')
    } else if (level === 1) this.#writeForGood()
    else for (const write of this.#waiting) write.level = Math.min(write.level, level - 1)
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
    for (const [i, { about, parameters }] of this.#waiting.splice(0).entries())
      try {
        about.statement.run(...parameters)
      } catch (error) {
        throw i === 0 ? storageFailure(error, this.#place) : transactionEnded(error, this.#place)
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

/** Rows of a table that are added or changed, many in a statement. */
import type Database from 'better-sqlite3'
import type { SqlValue } from '../../store/sql.ts'
import { type Tables, tablesOf } from './tables-of.ts'

/** So many rows are in a statement: as many as there are, from the largest on. */
const SIZES = [20, 5, 1] as const

/**
 * An INSERT whose rows are written together: to bind and to step a statement of its own costs more than many a row. Or an
 * upsert of rows that are there, whose first value is the key.
 */
export class RowInsert {
  readonly tables: Tables
  readonly #prepare: (text: string) => Database.Statement
  readonly #into: string
  readonly #row: string
  readonly #change: string
  readonly #statements = new Map<number, Database.Statement>()

  /** `into`: up to VALUES; `row`: what stands behind it for one row; `change`: what stands behind all rows of an upsert. */
  constructor(prepare: (text: string) => Database.Statement, into: string, row: string, change = '') {
    this.#prepare = prepare
    this.tables = tablesOf(into)
    this.#into = into
    this.#row = row
    this.#change = change
  }

  /** Its rows are there already, and change. */
  get changes(): boolean {
    return this.#change !== ''
  }

  /** Writes rows in their order; none of a statement that fails. */
  write(rows: readonly SqlValue[][]): void {
    let at = 0
    for (const size of SIZES)
      for (; rows.length - at >= size; at += size) {
        const width = (rows[at] as SqlValue[]).length
        const values = new Array<SqlValue>(size * width)
        for (let i = 0; i < size; i++)
          for (let j = 0; j < width; j++) values[i * width + j] = (rows[at + i] as SqlValue[])[j] as SqlValue
        this.#of(size).run(...values)
      }
  }

  #of(size: number): Database.Statement {
    let statement = this.#statements.get(size)
    if (!statement) {
      statement = this.#prepare(`${this.#into} VALUES ${Array(size).fill(this.#row).join(', ')} ${this.#change}`)
      this.#statements.set(size, statement)
    }
    return statement
  }
}

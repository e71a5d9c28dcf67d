/** Rows of a table that are added or changed, many in a statement. */
import type Database from 'better-sqlite3'
import type { SqlValue } from '../../../core/sql.ts'
import { type Tables, tablesOf } from './tables-of.ts'

/** So many rows are in a statement: as many as there are, from the largest on. */
const SIZES = [60, 20, 5, 1] as const

/**
 * An INSERT whose rows are written together: to bind and to step a statement of its own costs more than many a row. Or an
 * upsert of rows that are there, whose first value is the key. With a statement for each row, a payment that falls due
 * takes 6 to 13 % more processor time, and a payment that is made 12 to 17 % more of its commit.
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
        const values: SqlValue[] = []
        // `flat` takes two to three times as long.
        for (let i = at; i < at + size; i++) values.push(...(rows[i] as SqlValue[]))
        this.#of(size).run(...values)
      }
  }

  #of(size: number): Database.Statement {
    let statement = this.#statements.get(size)
    if (!statement) {
      const rows = Array<string>(size).fill(this.#row).join(', ')
      statement = this.#prepare(`${this.#into} VALUES ${rows} ${this.#change}`)
      this.#statements.set(size, statement)
    }
    return statement
  }
}

/** Rows of a table that are added or changed, many in a statement. */
import type Database from 'better-sqlite3'
import type { SqlValue } from '../../../core/sql.ts'
import { type Progression, progressionsOf, sharedValues, textOfRow } from './shared-values.ts'
import { type Tables, tablesOf } from './tables-of.ts'

/** So many rows are in a statement: as many as there are, from the largest on. */
const SIZES = [60, 20, 5, 1] as const
/** From this size on, values that rows share are handed over once: for fewer rows it does not pay. */
const SHARING = 20

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
  /** How the values of each column went in all statements so far that can share them. */
  #progressions: readonly Progression[] | undefined

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
        if (size >= SHARING) this.#writeSharing(rows, at, size)
        else this.#of(size).run(...valuesOf(rows, at, size))
      }
  }

  #writeSharing(rows: readonly SqlValue[][], at: number, size: number): void {
    const progressions = progressionsOf(rows, at, size, this.#progressions)
    if (progressions !== this.#progressions) {
      this.#progressions = progressions
      for (const known of SIZES) if (known >= SHARING) this.#statements.delete(known)
    }
    const own = valuesOf(rows, at, size, progressions)
    const shared = sharedValues(rows[at] as SqlValue[], progressions)
    if (shared) this.#of(size).run(...own, shared)
    else this.#of(size).run(...own)
  }

  #of(size: number): Database.Statement {
    let statement = this.#statements.get(size)
    if (!statement) {
      const progressions = size >= SHARING ? this.#progressions : undefined
      const texts = Array.from({ length: size }, (_, i) =>
        progressions ? textOfRow(this.#row, i, progressions) : this.#row,
      )
      statement = this.#prepare(`${this.#into} VALUES ${texts.join(', ')} ${this.#change}`)
      this.#statements.set(size, statement)
    }
    return statement
  }
}

/** Values of rows one after the other, without those of columns that they share. */
function valuesOf(rows: readonly SqlValue[][], at: number, size: number, shared?: readonly Progression[]): SqlValue[] {
  const columns: number[] = []
  for (let j = 0; j < (rows[at] as SqlValue[]).length; j++) if (!shared || shared[j] === 'own') columns.push(j)
  const width = columns.length
  const values = new Array<SqlValue>(size * width)
  for (let i = 0; i < size; i++)
    for (let j = 0; j < width; j++)
      values[i * width + j] = (rows[at + i] as SqlValue[])[columns[j] as number] as SqlValue
  return values
}

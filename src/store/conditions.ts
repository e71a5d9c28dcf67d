/** Pages of a table: the SQL of their conditions. */
import type { InstantUs } from '../model/time.ts'
import type { SqlValue } from './sql.ts'

/** Which part of a table a page is of: between instants, both of them in, and behind or before a number. */
export interface Stretch {
  sinceUs?: InstantUs | undefined
  untilUs?: InstantUs | undefined
  /** Only higher numbers. */
  after?: number | undefined
  /** Only lower numbers. */
  before?: number | undefined
}

/** A WHERE clause that is put together: parts whose value is undefined are left out. */
export class Conditions {
  readonly values: SqlValue[] = []
  readonly #parts: string[] = []

  add(part: string, value: SqlValue | undefined): this {
    if (value === undefined) return this
    this.#parts.push(part)
    this.values.push(value)
    return this
  }

  /** A stretch, by the columns that hold the instant and the number. */
  within({ sinceUs, untilUs, after, before }: Stretch, atColumn: string, numberColumn: string): this {
    return this.add(`${atColumn} >= ?`, sinceUs)
      .add(`${atColumn} <= ?`, untilUs)
      .add(`${numberColumn} > ?`, after)
      .add(`${numberColumn} < ?`, before)
  }

  get where(): string {
    return this.#parts.length > 0 ? `WHERE ${this.#parts.join(' AND ')}` : ''
  }
}

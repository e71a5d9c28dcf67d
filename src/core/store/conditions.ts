/** Pages of a table: the SQL of their conditions. */
import type { Stretch } from '../model/filters.ts'
import type { SqlValue } from '../sql.ts'

/** A text as it stands in JSON. */
export function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** One of these texts stands in one of these values, as `holdsText` finds it. */
export function textStandsIn(values: readonly (string | null)[], texts: readonly string[]): boolean {
  const wanted = texts.map((text) => asInJson(text).toLowerCase())
  return values.some((value) => value !== null && wanted.some((text) => value.toLowerCase().includes(text)))
}

/** SQL for: one of these texts stands in one of these columns, which may hold JSON. The case of letters is ignored. */
export function holdsText(columns: readonly string[], texts: readonly string[]): { sql: string; values: string[] } {
  const patterns = texts.map((text) => `%${asInJson(text).replace(/[\\%_]/g, (special) => `\\${special}`)}%`)
  const one = columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')
  return {
    sql: `(${patterns.map(() => one).join(' OR ')})`,
    values: patterns.flatMap((pattern) => columns.map(() => pattern)),
  }
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

  /** Some text stands in one of these columns; `wrap` puts that into a condition of its own. */
  text(texts: readonly string[] | undefined, columns: readonly string[], wrap = (sql: string) => sql): this {
    if (texts === undefined) return this
    const { sql, values } = holdsText(columns, texts)
    this.#parts.push(wrap(sql))
    this.values.push(...values)
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

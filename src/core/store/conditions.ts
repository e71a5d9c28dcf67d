/** SQL conditions for pages of a table. */
import type { Stretch } from '../model/filters.ts'
import type { SqlValue } from '../sql.ts'

export function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

export function textStandsIn(values: readonly (string | null)[], texts: readonly string[]): boolean {
  const wanted = texts.map((text) => asInJson(text).toLowerCase())
  return values.some((value) => value !== null && wanted.some((text) => value.toLowerCase().includes(text)))
}

export function holdsText(columns: readonly string[], texts: readonly string[]): { sql: string; values: string[] } {
  const patterns = texts.map((text) => `%${asInJson(text).replace(/[\\%_]/g, (special) => `\\${special}`)}%`)
  const one = columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')
  return {
    sql: `(${patterns.map(() => one).join(' OR ')})`,
    values: patterns.flatMap((pattern) => columns.map(() => pattern)),
  }
}

export class Conditions {
  readonly values: SqlValue[] = []
  readonly #parts: string[] = []

  add(part: string, value: SqlValue | undefined): this {
    if (value === undefined) return this
    this.#parts.push(part)
    this.values.push(value)
    return this
  }

  text(texts: readonly string[] | undefined, columns: readonly string[], wrap = (sql: string) => sql): this {
    if (texts === undefined) return this
    const { sql, values } = holdsText(columns, texts)
    this.#parts.push(wrap(sql))
    this.values.push(...values)
    return this
  }

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

/** SQL conditions for pages of a table. */
import type { Bounds } from '../model/journal.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, SqlValue, Statement } from '../sql.ts'

function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
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

  within({ sinceUs, untilUs, after, before }: Bounds, atColumn: string, numberColumn: string): this {
    return this.add(`${atColumn} >= ?`, sinceUs)
      .add(`${atColumn} <= ?`, untilUs)
      .add(`${numberColumn} > ?`, after)
      .add(`${numberColumn} < ?`, before)
  }

  get where(): string {
    return this.#parts.length > 0 ? `WHERE ${this.#parts.join(' AND ')}` : ''
  }
}

/**
 * The first `seq` of a table that is not older, or the next one. By binary search, because world time does not go back,
 * so stamps rise with `seq`.
 */
export class FirstSince {
  readonly #newest: Statement<{ seq: number | null }>
  readonly #from: Statement<{ seq: number; atUs: InstantUs }>

  constructor(sql: Sql, table: string, atColumn: string) {
    this.#newest = sql.prepare(`SELECT max(seq) AS seq FROM ${table}`)
    this.#from = sql.prepare(`SELECT seq, ${atColumn} AS atUs FROM ${table} WHERE seq >= ? ORDER BY seq LIMIT 1`)
  }

  find(atUs: InstantUs): number {
    let [low, high] = [1, (this.#newest.get()?.seq ?? 0) + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const found = this.#from.get(middle)
      if (found && found.atUs < atUs) low = found.seq + 1
      else high = middle
    }
    return low
  }
}

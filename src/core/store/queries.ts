/** Shared by the queries of several tables: conditions, slices of long tables. */
import type { Bounds } from '../model/journal.ts'
import type { InstantUs } from '../model/time.ts'
import type { Sql, SqlValue } from '../sql.ts'

export function parsedJson(text: string | null) {
  return text === null ? null : JSON.parse(text)
}

// SQL conditions for pages of a table.

function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

export interface Paging extends Bounds {
  limit: number
  newestFirst?: boolean
}

export class Conditions {
  readonly values: SqlValue[] = []
  readonly #parts: string[] = []

  /** Left out where a value is undefined. */
  add(part: string, ...values: (SqlValue | undefined)[]): this {
    const given = values.filter((value) => value !== undefined)
    if (given.length < values.length) return this
    this.#parts.push(part)
    this.values.push(...given)
    return this
  }

  among(column: string, values: readonly SqlValue[] | undefined): this {
    return values ? this.add(`${column} IN (${values.map(() => '?').join(', ')})`, ...values) : this
  }

  text(texts: readonly string[] | undefined, columns: readonly string[], wrap = (sql: string) => sql): this {
    if (texts === undefined) return this
    const patterns = texts.map((text) => `%${asInJson(text).replace(/[\\%_]/g, (special) => `\\${special}`)}%`)
    const one = columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')
    return this.add(
      wrap(`(${patterns.map(() => one).join(' OR ')})`),
      ...patterns.flatMap((pattern) => columns.map(() => pattern)),
    )
  }

  within(sql: Sql, table: NumberedTable, { sinceUs, untilUs, after, before }: Bounds, number: string): this {
    const since = (atUs: InstantUs | undefined) => (atUs === undefined ? undefined : firstSince(sql, table, atUs))
    return this.add(`${number} > ?`, after)
      .add(`${number} < ?`, before)
      .add(`${number} >= ?`, since(sinceUs))
      .add(`${number} < ?`, since(untilUs === undefined ? undefined : untilUs + 1))
  }

  get where(): string {
    return this.#parts.length > 0 ? `WHERE ${this.#parts.join(' AND ')}` : ''
  }

  /** In the order of their numbers. */
  page<Row>(sql: Sql, table: string, number: string, { limit, newestFirst }: Omit<Paging, keyof Bounds>): Row[] {
    const order = newestFirst ? 'DESC' : 'ASC'
    const text = `SELECT * FROM ${table} ${this.where} ORDER BY ${number} ${order} LIMIT ? + 0`
    return sql.prepare<Row>(text).all(...this.values, limit)
  }
}

type NumberedTable = 'payment' | 'journal' | 'callback' | 'inbox'

/**
 * The number of the first row that is not older, or the next number. By binary search, because world time does not go
 * back, so stamps rise with numbers.
 */
export function firstSince(sql: Sql, table: NumberedTable, atUs: InstantUs): number {
  const number = table === 'payment' || table === 'journal' ? 'seq' : 'id'
  const at = table === 'payment' || table === 'callback' ? 'createdAtUs' : 'atUs'
  const newest = sql.prepare<{ n: number | null }>(`SELECT max(${number}) AS n FROM ${table}`).get()
  const from = sql.prepare<{ n: number; atUs: InstantUs }>(
    `SELECT ${number} AS n, ${at} AS atUs FROM ${table} WHERE ${number} >= ? ORDER BY ${number} LIMIT 1`,
  )
  let [low, high] = [1, (newest?.n ?? 0) + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = from.get(middle)
    if (found && found.atUs < atUs) low = found.n + 1
    else high = middle
  }
  return low
}

// Goes through a whole table in slices, so that nobody waits for long.

/** Rows that one statement looks at: a few milliseconds of work where a whole row is read. */
const SLICE = 2_500

export interface Slice {
  number: number
  /** The first key, and the last. */
  from: number
  through: number
}

export function sliceOf(key: number): Slice {
  const number = Math.floor(key / SLICE)
  return { number, from: number * SLICE, through: (number + 1) * SLICE - 1 }
}

/**
 * All slices with rows, up to a key, in order. Others have their turn after each; a table of one slice is read at once.
 * Slices without rows are left out, because the keys of a world file may be far apart.
 */
export function* slicesThrough(
  sql: Sql,
  keys: 'payment.seq' | 'callback.id' | 'transfer.id',
  last: number,
  read: (slice: Slice) => void,
): Generator<void, void> {
  const [table, key] = keys.split('.')
  const next = sql.prepare<{ key: number | null }>(`SELECT min(${key}) AS key FROM ${table} WHERE ${key} > ? + 0`)
  for (let at: number | null | undefined = 0; typeof at === 'number' && at <= last; ) {
    const slice = sliceOf(at)
    read(slice)
    at = next.get(slice.through)?.key
    if (at !== null) yield
  }
}

/** Goes through a whole table in slices, so that nobody waits for long. */
import type { Sql } from '../sql.ts'

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

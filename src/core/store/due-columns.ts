/** Columns that hold what a payment or callback waits for. */
import type { Due } from '../model/due.ts'
import { must } from '../model/must.ts'

export interface DueColumns {
  due_at_us: number | null
  due_seq: number | null
  due_event: string | null
}

/** `url` is empty when the callback is not stored. */
export type DueDelivery = Due & { url: string }

export type Position = Pick<Due, 'dueAtUs' | 'seq'>

/**
 * Due up to a position, which is two values. `+ 0`: SQLite plans a query again whenever a value that it used for
 * planning changes, but ignores the value inside a sum.
 */
export const DUE_THROUGH = 'due_at_us IS NOT NULL AND (due_at_us, due_seq) <= (? + 0, ? + 0)'

export function isBehind(place: Position, other: Position): boolean {
  return place.dueAtUs > other.dueAtUs || (place.dueAtUs === other.dueAtUs && place.seq > other.seq)
}

export const BEGINNING: Position = { dueAtUs: Number.MIN_SAFE_INTEGER, seq: 0 }

/** Due by an instant and behind a position, which is two values; earliest first, with a limit. */
export const DUE_FROM =
  'due_at_us IS NOT NULL AND due_at_us <= ? + 0 AND (due_at_us, due_seq) > (? + 0, ? + 0) ORDER BY due_at_us, due_seq LIMIT ? + 0'

export function dueOf({ due_at_us, due_seq, due_event }: DueColumns, subject: number): Due | null {
  if (due_at_us === null) return null
  return { dueAtUs: due_at_us, seq: must(due_seq), subject, event: must(due_event) }
}

/** Columns that say what a row waits for. */
import type { Due } from '../model/due.ts'

/** The columns of a payment or callback. */
export interface DueColumns {
  due_at_us: number | null
  due_seq: number | null
  due_event: string | null
}

/** An attempt of a callback that is due, and where it goes; nowhere when its callback is not stored. */
export type DueDelivery = Due & { url: string }

/** A place in the order of what is due. */
export type Position = Pick<Due, 'dueAtUs' | 'seq'>

/**
 * Of the rows that are due up to a place, which is two values. `+ 0`: SQLite plans a query again whenever a value that it
 * planned by changes; it does not look into a sum.
 */
export const DUE_THROUGH = 'due_at_us IS NOT NULL AND (due_at_us, due_seq) <= (? + 0, ? + 0)'

export function isBehind(place: Position, other: Position): boolean {
  return place.dueAtUs > other.dueAtUs || (place.dueAtUs === other.dueAtUs && place.seq > other.seq)
}

/** Before all that is due. */
export const BEGINNING: Position = { dueAtUs: Number.MIN_SAFE_INTEGER, seq: 0 }

/** Of the rows that are due by an instant, behind a place, which is two values; the earliest first, and so many. */
export const DUE_FROM =
  'due_at_us IS NOT NULL AND due_at_us <= ? + 0 AND (due_at_us, due_seq) > (? + 0, ? + 0) ORDER BY due_at_us, due_seq LIMIT ? + 0'

/** What they say; null when nothing is due. */
export function dueOf({ due_at_us, due_seq, due_event }: DueColumns, subject: number): Due | null {
  if (due_at_us === null) return null
  return { dueAtUs: due_at_us, seq: due_seq as number, subject, event: due_event as string }
}

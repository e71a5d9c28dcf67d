/** Values that rows of one statement share, so that they are handed to SQLite once. */
import type { SqlValue } from '../../../core/sql.ts'

/**
 * How the values of a column go from row to row: each has its own, or each is so much more than the one before it, as
 * numbers of a series are. Zero more: all are the same, texts among them.
 */
export type Progression = 'own' | number

/** What is written in a statement for a row is no more than a small whole number, which SQLite adds as we do. */
const RISE_MAX = 1_000_000

/**
 * How the values of each column go in so many rows: as they were known to go, or each by itself. They are not taken for
 * closer than they were known to be, because a statement holds for one set of progressions, and would be made anew whenever
 * rows happen to share more. What is known, where that holds.
 */
export function progressionsOf(
  rows: readonly SqlValue[][],
  at: number,
  size: number,
  known: readonly Progression[] | undefined,
): readonly Progression[] {
  const before = known ?? (rows[at] as SqlValue[]).map((first, column) => risesBy(first, rows[at + 1]?.[column]))
  let found = before
  for (let column = 0; column < before.length; column++) {
    const progression = before[column] as Progression
    if (progression === 'own' || holds(rows, at, size, column, progression)) continue
    if (found === before) found = [...before]
    ;(found as Progression[])[column] = 'own'
  }
  return found
}

function risesBy(value: SqlValue, next: SqlValue | undefined): Progression {
  if (value === next) return 0
  if (typeof value !== 'number' || typeof next !== 'number') return 'own'
  const rise = next - value
  return Number.isInteger(rise) && Math.abs(rise) <= RISE_MAX ? rise : 'own'
}

function holds(rows: readonly SqlValue[][], at: number, size: number, column: number, rise: number): boolean {
  const first = (rows[at] as SqlValue[])[column] as SqlValue
  for (let i = 1; i < size; i++) {
    const value = (rows[at + i] as SqlValue[])[column]
    if (value !== (rise === 0 ? first : (first as number) + i * rise)) return false
  }
  return true
}

/** What rows share, by the names that `textOfRow` has for it; undefined where that is nothing. */
export function sharedValues(
  row: readonly SqlValue[],
  progressions: readonly Progression[],
): Record<string, SqlValue> | undefined {
  let shared: Record<string, SqlValue> | undefined
  for (let column = 0; column < progressions.length; column++) {
    if (progressions[column] === 'own') continue
    shared ??= {}
    shared[`v${column}`] = row[column] as SqlValue
  }
  return shared
}

/** The `i`-th row of a statement: `row` with marks for its own values alone. */
export function textOfRow(row: string, i: number, progressions: readonly Progression[]): string {
  let column = 0
  // A mark inside of a text is none.
  return row.replaceAll(/'(?:[^']|'')*'|\?/g, (part) => {
    if (part !== '?') return part
    const at = column++
    const progression = progressions[at] as Progression
    if (progression === 'own') return '?'
    return progression === 0 || i === 0 ? `@v${at}` : `@v${at} + ${i * progression}`
  })
}

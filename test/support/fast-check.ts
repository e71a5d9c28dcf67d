/** fast-check with one seed for every run, so that a test that passes here passes everywhere. */
import fc from 'fast-check'
import { dayOrNight } from './night.ts'

/** How many draws of so many: all by night, else a quarter. */
export function draws(all: number): number {
  return dayOrNight(Math.ceil(all / 4), all)
}

/**
 * Of a long list of cases that go the same road with other data, all where the long tests run too, else every fourth. What
 * differs in more than its data is no such case: it is run each time.
 */
export function sample<T>(all: readonly T[]): readonly T[] {
  return ['long', 'night'].includes(process.env['MODE'] ?? '') ? all : quarter(all, 0)
}

/** The quarters of a long list that are looked at, each by a test: all by night. */
export const quarters: readonly number[] = dayOrNight([1], [1, 2, 3, 4])

/** Every fourth of a list; `turn` says from where. */
export function quarter<T>(all: readonly T[], turn: number): readonly T[] {
  return all.filter((_, i) => (i + turn) % 4 === 0)
}

fc.configureGlobal({ seed: 20250124, numRuns: draws(100) })

export default fc

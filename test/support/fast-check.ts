/** fast-check with one seed for every run, so that a test that passes here passes everywhere. */
import fc from 'fast-check'
import { dailyCase, dayOrNight } from './night.ts'

/** How many draws of so many: all by night, else a quarter. */
export function draws(all: number): number {
  return dayOrNight(Math.ceil(all / 4), all)
}

/** Quarters of a long list that are tested: all at night, else one. */
export const quarters = dailyCase([1, 2, 3, 4])

/**
 * Of a long list of cases that go the same road with other data, all where the long tests run too, else every fourth. What
 * differs in more than its data is no such case: it is run each time.
 */
export function sample<T>(all: readonly T[]): readonly T[] {
  return process.env['MODE'] === 'test' ? quarter(all, 0) : all
}

/** Every fourth of a list; `turn` says from where. */
export function quarter<T>(all: readonly T[], turn: number): readonly T[] {
  return all.filter((_, i) => (i + turn) % 4 === 0)
}

fc.configureGlobal({ seed: 20250124, numRuns: draws(100) })

export default fc

/**
 * fast-check with one seed for every run, so that a test that passes here passes everywhere. MFANO_FUZZ_SEED draws
 * others.
 */
import fc from 'fast-check'

/** The long tests run too. */
const long = process.env['MODE'] === 'long'

/** How many draws of so many: all where the long tests run too, else a quarter. */
export function draws(all: number): number {
  return long ? all : Math.ceil(all / 4)
}

/**
 * Of a long list of cases that go the same road with other data, all where the long tests run too, else every fourth. What
 * differs in more than its data is no such case: it is run each time.
 */
export function sample<T>(all: readonly T[]): readonly T[] {
  return long ? all : quarter(all, 0)
}

/** The quarters of a long list that are looked at, each by a test: all where the long tests run too. */
export const quarters: readonly number[] = long ? [1, 2, 3, 4] : [1]

/** Every fourth of a list; `turn` says from where. */
export function quarter<T>(all: readonly T[], turn: number): readonly T[] {
  return all.filter((_, i) => (i + turn) % 4 === 0)
}

fc.configureGlobal({ seed: Number(process.env['MFANO_FUZZ_SEED'] ?? 20250124), numRuns: draws(100) })

export default fc

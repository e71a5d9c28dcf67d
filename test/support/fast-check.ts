/**
 * fast-check with one seed for every run, so that a test that passes here passes everywhere. MFANO_FUZZ_SEED draws
 * others.
 */
import fc from 'fast-check'

/** How many draws of so many: all where the long tests run too, else a quarter. */
export function draws(all: number): number {
  return process.env['MODE'] === 'long' ? all : Math.ceil(all / 4)
}

fc.configureGlobal({ seed: Number(process.env['MFANO_FUZZ_SEED'] ?? 20250124), numRuns: draws(100) })

export default fc

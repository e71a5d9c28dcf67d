/** What is said at the end of a run. */
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** How many tests ended which way. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/**
 * Counts what must be counted as failed although no test says so: a file that does not load, a hook that throws, an
 * error outside of every test, a test that never came to its end.
 */
export function count(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): Counts {
  const counts = { passed: 0, failed: strayErrors.length, skipped: 0 }
  for (const module of modules) {
    counts.failed += module.errors().length
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      counts[state === 'pending' ? 'failed' : state]++
    }
  }
  return counts
}

/** Why tests were skipped, with how many each: `2 skipped: this machine has no php`. */
function reasons(modules: readonly TestModule[]): string[] {
  const counts = new Map<string, number>()
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const result = test.result()
      // Those that were left out by the command line have none.
      const why = result.state === 'skipped' ? result.note : undefined
      if (why) counts.set(why, (counts.get(why) ?? 0) + 1)
    }
  }
  return [...counts].map(([why, count]) => `${count} skipped: ${why}\n`)
}

/** `Tests: 12 passed, 0 failed`, as the last line of a run, without colour, for whoever reads only that; before it what was skipped, and why. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[], reason: string): void {
    const counts = count(modules, strayErrors)
    // A run can fail with no test to blame, for one because it found none.
    if (reason !== 'passed' && counts.failed === 0) counts.failed = 1
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    for (const line of reasons(modules)) process.stdout.write(line)
    process.stdout.write(`Tests: ${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  }
}

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

/** `Tests: 12 passed, 0 failed`, as the last line of a run, without colour, for whoever reads only that. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[], reason: string): void {
    const counts = count(modules, strayErrors)
    // A run can fail with no test to blame, for one because it found none.
    if (reason !== 'passed' && counts.failed === 0) counts.failed = 1
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    process.stdout.write(`Tests: ${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  }
}

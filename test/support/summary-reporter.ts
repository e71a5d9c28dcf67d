/** What is said at the end of a run, and what fails one although no test of it failed. */
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { mayBeSkipped } from './needs.ts'

/** How many tests ended which way. */
interface Counts {
  passed: number
  failed: number
  skipped: number
}

/**
 * Counts what must be counted as failed although no test says so: a file that does not load, a hook that throws, an
 * error outside of every test, a test that never came to its end.
 */
function count(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): Counts {
  const counts = { passed: 0, failed: strayErrors.length, skipped: 0 }
  for (const module of modules) {
    counts.failed += errorsOutsideOfTests(module)
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      counts[state === 'pending' ? 'failed' : state]++
    }
  }
  return counts
}

function errorsOutsideOfTests(module: TestModule): number {
  let errors = module.errors().length
  for (const suite of module.children.allSuites()) errors += suite.errors().length
  return errors
}

/** Why a test was skipped. Nothing is known of one that was not, or that was left out before it began. */
function reasonOf(test: TestCase): string | undefined {
  const result = test.result()
  return result.state === 'skipped' ? result.note : undefined
}

/** Why tests were skipped, with how many each: `2 skipped: this machine has no php`. */
function reasons(modules: readonly TestModule[]): string[] {
  const counts = new Map<string, number>()
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const why = reasonOf(test)
      if (why) counts.set(why, (counts.get(why) ?? 0) + 1)
    }
  }
  return [...counts].map(([why, count]) => `${count} skipped: ${why}\n`)
}

/** What was not tested, and nobody declared that it may be: tests that were skipped, files without one. */
function untested(modules: readonly TestModule[]): string[] {
  // Where something outside of a test failed, what it was needed for is skipped, and the failure is told.
  return modules.filter((module) => errorsOutsideOfTests(module) === 0).flatMap(untestedIn)
}

function untestedIn(module: TestModule): string[] {
  const tests = [...module.children.allTests()]
  if (tests.length === 0) return [`there is no test in ${module.relativeModuleId}`]
  return tests
    .filter((test) => test.result().state === 'skipped' && !mayBeSkipped(module.project.name, reasonOf(test)))
    .map((test) => `skipped, for ${wordsOf(reasonOf(test))}: ${module.relativeModuleId} > ${test.fullName}`)
}

function wordsOf(why: string | undefined): string {
  return why ? `a reason that is not in test/support/needs.ts ("${why}")` : 'no reason'
}

/**
 * `Tests: 12 passed, 0 failed`, as the last line of a run, without colour, for whoever reads only that; before it what
 * was skipped, and why. What nobody expects to be skipped counts as failed, and fails the run.
 */
export default class SummaryReporter implements Reporter {
  /** Whether the command line asks for some tests of each file; the rest is skipped with no reason then. */
  #some = false
  readonly #note: string

  /** `note` is said before the last line. A reporter that a command line names gets an object of options. */
  constructor(note: string | object = '') {
    this.#note = typeof note === 'string' ? note : ''
  }

  onInit({ config }: Vitest): void {
    this.#some = config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[], reason: string): void {
    const counts = count(modules, strayErrors)
    const missing = this.#some ? [] : untested(modules)
    if (missing.length > 0) process.exitCode = 1
    counts.failed += missing.length
    // A run can fail with no test to blame, for one because it found none.
    if (reason !== 'passed' && counts.failed === 0) counts.failed = 1
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    for (const line of reasons(modules)) process.stdout.write(line)
    for (const what of missing) process.stdout.write(`FAIL ${what}\n`)
    process.stdout.write(this.#note)
    process.stdout.write(`Tests: ${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  }
}

import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, expect, it, test, vi } from 'vitest'
import type { TestModule } from 'vitest/node'
import { folder } from '../../apps/cli/support.ts'
import SummaryReporter, { count } from '../../support/summary-reporter.ts'

/** As much of a test file as counting reads. */
function file(states: string[], fileErrors = 0, suiteErrors = 0, note?: string, project = 'mfano'): TestModule {
  const errors = (n: number) => () => Array.from({ length: n }, () => ({ message: 'no' }))
  return {
    relativeModuleId: 'test/a.test.ts',
    project: { name: project },
    errors: errors(fileErrors),
    children: {
      allSuites: () => [{ errors: errors(suiteErrors) }],
      allTests: () => states.map((state, i) => ({ fullName: `does ${i + 1}`, result: () => ({ state, note }) })),
    },
  } as unknown as TestModule
}

const php = 'this machine has no php'
const go = 'this machine has no go'
const ownTime = 'it moves the time of its own process, or has a service of its own'

test('tests are counted by how they ended', () => {
  const files = [file(['passed', 'failed', 'skipped']), file(['passed'])]
  expect(count(files, [])).toEqual({ passed: 2, failed: 1, skipped: 1 })
})

test('what fails outside of a test counts as failed', () => {
  expect(count([file([], 1)], [])).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(count([file(['skipped'], 0, 1)], [])).toEqual({ passed: 0, failed: 1, skipped: 1 })
  expect(count([file(['passed'])], [{ message: 'stray' }])).toEqual({ passed: 1, failed: 1, skipped: 0 })
  expect(count([file(['pending'])], [])).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

const before = process.exitCode
afterEach(() => {
  process.exitCode = before
})

test.for<[files: TestModule[], reason: string, said: string, exitCode?: number]>([
  [[file(['passed'])], 'passed', 'Tests: 1 passed, 0 failed\n'],
  [
    [file(['skipped'], 0, 0, php), file(['passed', 'skipped'], 0, 0, php), file(['skipped'], 0, 0, go)],
    'passed',
    `2 skipped: ${php}\n1 skipped: ${go}\nTests: 1 passed, 0 failed, 3 skipped\n`,
  ],
  [[], 'failed', 'Tests: 0 passed, 1 failed\n'],
  [[file(['failed'])], 'failed', 'Tests: 0 passed, 1 failed\n'],
  [
    [file(['passed', 'skipped'])],
    'passed',
    'FAIL skipped, for no reason: test/a.test.ts > does 2\nTests: 1 passed, 1 failed, 1 skipped\n',
    1,
  ],
  [
    [file(['skipped'], 0, 0, 'too slow')],
    'passed',
    '1 skipped: too slow\nFAIL skipped, for a reason that is not in test/support/needs.ts ("too slow"): test/a.test.ts > does 1\nTests: 0 passed, 1 failed, 1 skipped\n',
    1,
  ],
  // What only a deployment cannot do, is done everywhere else.
  [
    [file(['skipped'], 0, 0, ownTime, 'workers')],
    'passed',
    `1 skipped: ${ownTime}\nTests: 0 passed, 0 failed, 1 skipped\n`,
  ],
  [
    [file(['skipped'], 0, 0, ownTime)],
    'passed',
    `1 skipped: ${ownTime}\nFAIL skipped, for a reason that is not in test/support/needs.ts ("${ownTime}"): test/a.test.ts > does 1\nTests: 0 passed, 1 failed, 1 skipped\n`,
    1,
  ],
  [[file([])], 'passed', 'FAIL there is no test in test/a.test.ts\nTests: 0 passed, 1 failed\n', 1],
  // A hook that threw is told by itself, and takes its tests along.
  [[file(['skipped', 'skipped'], 0, 1)], 'failed', 'Tests: 0 passed, 1 failed, 2 skipped\n'],
])('%# what is said', ([files, reason, line, exitCode]) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  process.exitCode = undefined
  new SummaryReporter().onTestRunEnd(files, [], reason)
  const said = write.mock.calls.map(([text]) => text)
  write.mockRestore()
  expect(said.join('')).toEqual(line)
  expect(process.exitCode).toBe(exitCode)
})

/** Runs vitest itself on a file of tests. */
function run(source: string, ...flags: string[]) {
  const root = folder({ 'one.test.js': source })
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const reporter = join(import.meta.dirname, '../../support/summary-reporter.ts')
  const typed = [vitest, 'run', '--root', root, '--globals', `--reporter=${reporter}`, ...flags]
  const { status, stdout, stderr } = spawnSync(process.execPath, typed, { encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

it('fails a run of vitest that skips without a reason, unless its command line asked for that', () => {
  const source = `it('goes', () => {}); it.skip('is left', () => {})`
  expect(run(source)).toMatchObject({
    status: 1,
    said: 'FAIL skipped, for no reason: one.test.js > is left\nTests: 1 passed, 1 failed, 1 skipped\n',
  })
  expect(run(source, '-t', 'goes')).toMatchObject({ status: 0, said: 'Tests: 1 passed, 0 failed, 1 skipped\n' })
})

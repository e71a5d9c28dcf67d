import { expect, test, vi } from 'vitest'
import type { TestModule } from 'vitest/node'
import SummaryReporter, { count } from '../support/summary-reporter.ts'

/** As much of a test file as counting reads. */
function file(states: string[], fileErrors = 0, suiteErrors = 0, note?: string): TestModule {
  const errors = (n: number) => () => Array.from({ length: n }, () => ({ message: 'no' }))
  return {
    errors: errors(fileErrors),
    children: {
      allSuites: () => [{ errors: errors(suiteErrors) }],
      allTests: () => states.map((state) => ({ result: () => ({ state, note }) })),
    },
  } as unknown as TestModule
}

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

test.for<[files: TestModule[], reason: string, line: string]>([
  [[file(['passed'])], 'passed', 'Tests: 1 passed, 0 failed\n'],
  [[file(['passed', 'skipped'])], 'passed', 'Tests: 1 passed, 0 failed, 1 skipped\n'],
  [
    [file(['skipped'], 0, 0, 'no php'), file(['passed', 'skipped'], 0, 0, 'no php'), file(['skipped'], 0, 0, 'no go')],
    'passed',
    '2 skipped: no php\n1 skipped: no go\nTests: 1 passed, 0 failed, 3 skipped\n',
  ],
  [[], 'failed', 'Tests: 0 passed, 1 failed\n'],
  [[file(['failed'])], 'failed', 'Tests: 0 passed, 1 failed\n'],
])('%# the line', ([files, reason, line]) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  new SummaryReporter().onTestRunEnd(files, [], reason)
  const said = write.mock.calls.map(([text]) => text)
  write.mockRestore()
  expect(said.join('')).toEqual(line)
})

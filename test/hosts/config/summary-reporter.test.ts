import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it, test } from 'vitest'
import type { TestModule } from 'vitest/node'
import { folder } from '../../apps/cli/support.ts'
import { count } from '../../support/summary-reporter.ts'

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

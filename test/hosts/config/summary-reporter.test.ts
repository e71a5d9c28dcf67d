import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { folder } from '../../apps/cli/support.ts'

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

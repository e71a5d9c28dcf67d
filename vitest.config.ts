import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import LongFirst from './test/support/long-first.ts'
import { leftOut, nightDate, nightNote } from './test/support/night-files.ts'
import RunningReporter from './test/support/running-reporter.ts'
import SummaryReporter from './test/support/summary-reporter.ts'

const MOCKED = ['test/house/new-kind.test.ts', 'test/house/newcomer.test.ts']

export default defineConfig(({ mode }) => ({
  // Sources do not look beside the tests, where it is installed.
  resolve: {
    alias: { testcontainers: fileURLToPath(new URL('test/node_modules/testcontainers', import.meta.url)) },
  },
  test: {
    globalSetup: ['test/support/left-behind.ts', 'test/support/packed-folder.ts', 'test/support/built-clone.ts'],
    // Processes rather than threads: tests start servers, send themselves signals and load a native module.
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'mfano',
          include: ['test/**/*.test.ts'],
          // The merchants' own suites are run by test/merchants/merchants.night.test.ts.
          exclude: [
            'test/bench/**',
            'test/merchants/typescript/**',
            'test/hosts/workers/**',
            ...MOCKED,
            '**/node_modules/**',
            ...leftOut(mode),
          ],
          // A process for each file would load mfano again for each. What a file changes in its process, it puts back.
          isolate: false,
        },
      },
      // What it puts in the place of a module must not be there for others, nor theirs for it.
      { extends: true, test: { name: 'mocked', include: MOCKED, isolate: true } },
      // Test files of others are loaded here a second time, and told so by the environment.
      {
        extends: true,
        test: {
          name: 'workers',
          include: ['test/hosts/workers/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...leftOut(mode)],
          isolate: true,
        },
      },
    ],
    // Against what hangs. A busy machine may be slow, and no test asserts how fast anything is.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // A poll looks until something is so, as waits of a page do; this ends it where that never comes.
    expect: { poll: { interval: 20, timeout: 30_000 } },
    // The developer's own MFANO_ variables must not change what is tested.
    // Completion gives up on a slow server; here the machine may be slow.
    env: { NO_COLOR: '1', ...(mode === 'test' ? {} : { NIGHT_DATE: nightDate }) },
    reporters: ['default', new RunningReporter(), new SummaryReporter(mode === 'long' ? nightNote : '')],
  },
}))

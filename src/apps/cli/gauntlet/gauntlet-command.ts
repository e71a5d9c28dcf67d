/** `mfano gauntlet`: runs an app under every scenario that can affect it, and judges its books. */
import { must } from '../../../core/model/must.ts'
import { parseDuration } from '../../../core/model/time.ts'
import { dimensions } from '../../../inspect/coverage.ts'
import { runGauntlet } from '../../../judge/run-gauntlet.ts'
import { WORLDS_PER_CPU } from '../../../judge/subject.ts'
import { type CliCommand, UsageError } from '../command.ts'
import { readLeast } from '../coverage-command.ts'
import { evidenceFlag } from '../evidence/keep-evidence.ts'
import { judging } from '../judging.ts'
import { appFlags, jobsFlag, reportFlags, subjectGiven, tlsFlag } from '../suite-flags.ts'
import { durationValue } from '../typed-values.ts'

const failOn = ['error', 'warning'] as const

export const gauntletCommand: CliCommand = {
  name: 'gauntlet',
  words: '[MERCHANT.yaml|COMMAND…]',
  names: ['files'],
  summary:
    'Runs an app by its merchant file, or a test suite by its command behind --, under every scenario that can make a difference, an app also under every single choice of explore, and compares its books with the ledger. Exit code 0: searched, and no findings; 1: findings; 2: it could not be judged.',
  flags: [
    {
      name: 'init',
      value: 'url',
      help: 'Write a first merchant file from the app that runs at this address, and judge nothing.',
      expected: 'the address of your running app, such as http://localhost:3000',
      holds: (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    },
    { name: 'out', value: 'file', help: 'Where --init writes it. Default: merchant.yaml.', names: 'files' },
    { name: 'scenario', value: 'name', help: 'Only this one; may be repeated.', names: 'scenarios', many: true },
    { name: 'scenarios', value: 'folder', help: 'Scenarios of your own: every YAML file of a folder.', names: 'files' },
    {
      name: 'within',
      value: 'time',
      help: 'Real time for all of it. Default: 3m, or no limit for a suite and for named scenarios.',
      ...durationValue,
    },
    { name: 'allow-unstable', help: 'What does not come each time under the same choice does not count.' },
    { name: 'full', help: 'Run all scenarios, also those that can make no difference.' },
    { ...jobsFlag, help: `Worlds at a time. Default: ${WORLDS_PER_CPU} for each processor.` },
    tlsFlag,
    ...appFlags,
    {
      name: 'books',
      value: 'url|file',
      help: 'For a suite: the books of the app once the suite has ended.',
      names: 'files',
    },
    {
      name: 'fail-on',
      value: failOn.join('|'),
      help: 'What makes the exit code 1: findings about money, or advice too.',
      choices: failOn,
      byDefault: 'error',
    },
    {
      name: 'min',
      value: 'dimension=percent',
      help: `Exit code 1 where all runs together exercise less; may be repeated. Dimensions: ${dimensions.join(', ')}.`,
      expected: 'a dimension, = and a percentage, such as edges=80',
      many: true,
    },
    { name: 'baseline', value: 'file', help: 'Known findings, which do not count.', names: 'files' },
    { name: 'write-baseline', value: 'file', help: 'Write the findings down as known.', names: 'files' },
    evidenceFlag,
    ...reportFlags,
  ],
  examples: [
    'mfano gauntlet --init http://localhost:3000',
    'mfano gauntlet merchant.yaml',
    'mfano gauntlet merchant.yaml --scenario payout-times-out --json',
  ],
  run: async (given, output) => {
    if (given.has('init')) return (await import('./gauntlet-init.ts')).initMerchant(given, output)
    if (given.words.length === 0)
      throw new UsageError(
        'MERCHANT.yaml|COMMAND… is missing. Draft a file from your running app: --init http://localhost:3000',
      )
    const within = given.get('within')
    return judging(given, output, (watch) =>
      runGauntlet({
        ...subjectGiven(given, watch),
        books: given.get('books'),
        scenarios: given.all('scenario'),
        scenarioFolder: given.get('scenarios'),
        ...(within !== undefined && { withinMs: must(parseDuration(within)) / 1000 }),
        allowUnstable: given.has('allow-unstable'),
        full: given.has('full'),
        least: readLeast(given),
        adviceCounts: given.get('fail-on') === 'warning',
        baseline: given.get('baseline'),
        baselineOut: given.get('write-baseline'),
        tls: given.has('tls'),
      }),
    )
  },
}

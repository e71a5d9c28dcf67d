/** `mfano gauntlet`: an app under every scenario that can make a difference to it, and what its books are worth. */
import { readFileSync } from 'node:fs'
import { whyUnreadable } from '../../../hosts/node/file-access.ts'
import { dimensions } from '../../../inspect/coverage.ts'
import { type KnownFinding, readBaseline, withoutKnown } from '../../../judge/baseline.ts'
import { type GauntletOptions, gauntlet } from '../../../judge/gauntlet.ts'
import type { GauntletReport } from '../../../judge/report.ts'
import { runMerchant } from '../../../judge/run-merchant.ts'
import { runSuite } from '../../../judge/run-suite.ts'
import { type Arguments, CLEAN, type Command, jsonFlag, PROBLEMS, USAGE, UsageError } from '../command.ts'
import { readLeast } from '../coverage-command.ts'
import type { Output } from '../output.ts'
import { inOwnMfano } from '../own-mfano.ts'
import {
  envFlag,
  jobsFlag,
  jobsOf,
  merchantOf,
  patienceFlags,
  patienceOf,
  suiteOf,
  WORLDS_PER_CPU,
} from '../suite-flags.ts'
import { resultLine, scorecard } from './scorecard.ts'
import { knownTargets, readTrials } from './trials.ts'
import { writeReports } from './write-reports.ts'

/** Whether advice counts, for the exit code. */
const failOn = ['error', 'warning'] as const

export const gauntletCommand: Command = {
  name: 'gauntlet',
  words: 'MERCHANT.yaml|COMMAND…',
  names: ['files'],
  summary:
    'Runs an app by its merchant file, or a test suite by its command behind --, under every scenario that can make a difference, and compares its books with the ledger. Exit code 0: no findings; 1: findings; 2: it could not be judged.',
  flags: [
    { name: 'scenario', value: 'name', help: 'Only this one; may be repeated.', names: 'scenarios', many: true },
    { name: 'scenarios', value: 'folder', help: 'Scenarios of your own: every YAML file of a folder.', names: 'files' },
    { name: 'full', help: 'Run all scenarios, also those that can make no difference.' },
    { ...jobsFlag, help: `Worlds at a time. Default: ${WORLDS_PER_CPU} for each processor.` },
    ...patienceFlags,
    {
      name: 'books',
      value: 'url|file',
      help: 'For a suite: the books of the app once the suite has ended.',
      names: 'files',
    },
    envFlag,
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
    { name: 'junit', value: 'file', help: 'Write a JUnit report.', names: 'files' },
    { name: 'ctrf', value: 'file', help: 'Write a CTRF report.', names: 'files' },
    { name: 'html', value: 'file', help: 'Write a report as one HTML file.', names: 'files' },
    { name: 'markdown', value: 'file', help: 'Write a report in Markdown, such as for a comment.', names: 'files' },
    jsonFlag,
  ],
  examples: ['mfano gauntlet merchant.yaml', 'mfano gauntlet merchant.yaml --scenario payout-times-out --json'],
  run: async (given, output) => {
    const baseline = knownFindings(given.get('baseline'))
    const found = await judged(given, output, subjectOf(given))
    const counting = given.get('fail-on') === 'warning' ? [...found.findings, ...found.warnings] : found.findings
    const report = withoutKnown({ ...found, findings: counting }, baseline)
    writeReports(report, given)
    output.out(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : scorecard(report, output))
    return exitCode(report)
  },
}

type Subject = Pick<GauntletOptions, 'merchant' | 'command' | 'run' | 'jobs'>

/** A merchant file, or somebody's own suite. */
function subjectOf(given: Arguments): Subject {
  const jobs = jobsOf(given, { isDriven: true })
  const merchant = merchantOf(given)
  if (merchant) {
    const patience = patienceOf(given)
    const run: Subject['run'] = (world) => runMerchant(merchant, world, patience)
    return { merchant: merchant.name, command: given.words.join(' '), jobs, run }
  }
  const suite = { ...suiteOf(given), books: given.get('books') }
  const name = given.words.join(' ')
  // Books at one address are those of one run at a time.
  const atOnce = suite.books === undefined ? jobs : 1
  return { merchant: name, command: `-- ${name}`, jobs: atOnce, run: (world) => runSuite(suite, world) }
}

function knownFindings(file: string | undefined): KnownFinding[] {
  if (file === undefined) return []
  try {
    return readBaseline(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--baseline: ${file} cannot be read: ${whyUnreadable(error)}`)
  }
}

/** Runs it in a mfano of its own, until it ends or Ctrl-C does. */
async function judged(given: Arguments, output: Output, subject: Subject): Promise<GauntletReport> {
  const { base, trials } = readTrials(given)
  const least = readLeast(given)
  return inOwnMfano(subject.jobs + 1, ({ baseUrl: url }, signal) =>
    gauntlet({
      ...subject,
      url,
      base,
      trials,
      operations: knownTargets(),
      full: given.has('full'),
      least,
      signal,
      ended: (result) => {
        if (!given.has('json') && result.verdict !== 'skipped') output.out(resultLine(result, output))
      },
    }),
  )
}

/** Findings say more than a scenario that could not be judged. */
function exitCode({ findings, scenarios, tooLittle, interrupted }: GauntletReport): number {
  if (findings.length > 0 || tooLittle.length > 0) return PROBLEMS
  return interrupted || scenarios.some(({ verdict }) => verdict === 'unjudged') ? USAGE : CLEAN
}

/** `mfano gauntlet`: an app under every scenario that can make a difference to it, and what its books are worth. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { whyUnreadable } from '../../../hosts/node/file-access.ts'
import { silentLog } from '../../../hosts/node/log.ts'
import { settingsOf } from '../../../hosts/node/settings.ts'
import { startSimulator } from '../../../hosts/node/simulator.ts'
import { dimensions } from '../../../inspect/coverage.ts'
import { type KnownFinding, readBaseline, withoutKnown } from '../../../judge/gauntlet/baseline.ts'
import { type GauntletOptions, gauntlet } from '../../../judge/gauntlet/gauntlet.ts'
import { type Merchant, MerchantFileError, readMerchantFile } from '../../../judge/app/merchant-file.ts'
import type { GauntletReport } from '../../../judge/gauntlet/gauntlet-report.ts'
import { runMerchant } from '../../../judge/subject/run-merchant.ts'
import { runSuite } from '../../../judge/subject/run-suite.ts'
import {
  type Arguments,
  CLEAN,
  type Command,
  CommandFailed,
  jsonFlag,
  PROBLEMS,
  USAGE,
  UsageError,
} from '../command.ts'
import { readLeast } from '../coverage-command.ts'
import type { Output } from '../output.ts'
import { resultLine, scorecard } from './scorecard.ts'
import { knownTargets, readTrials } from '../../../judge/gauntlet/trials.ts'
import { writeReports } from './write-reports.ts'

/** Most of the time a world waits for its app, so there are more of them than processors. */
export const WORLDS_PER_CPU = 4
/** Whether advice counts, for the exit code. */
const failOn = ['error', 'warning'] as const
const usual = { ready: '60', rest: '120' }

export const gauntletCommand: Command = {
  name: 'gauntlet',
  words: 'MERCHANT.yaml|COMMAND…',
  count: [1, Number.POSITIVE_INFINITY],
  names: ['files'],
  summary:
    'Runs an app by its merchant file, or a test suite by its command behind --, under every scenario that can make a difference, and compares its books with the ledger. Exit code 0: no findings; 1: findings; 2: it could not be judged.',
  flags: [
    { name: 'scenario', value: 'name', help: 'Only this one; may be repeated.', names: 'scenarios', many: true },
    { name: 'scenarios', value: 'folder', help: 'Scenarios of your own: every YAML file of a folder.', names: 'files' },
    { name: 'full', help: 'Run all scenarios, also those that can make no difference.' },
    {
      name: 'jobs',
      value: 'n',
      help: `Worlds at a time. Default: ${WORLDS_PER_CPU} for each processor.`,
      expected: 'a whole number from 1',
    },
    {
      name: 'ready-within',
      value: 'seconds',
      help: 'How long the app may take until it is ready.',
      byDefault: usual.ready,
    },
    { name: 'rest-within', value: 'seconds', help: 'How long the app may work until it rests.', byDefault: usual.rest },
    {
      name: 'books',
      value: 'url|file',
      help: 'For a suite: the books of the app once the suite has ended.',
      names: 'files',
    },
    {
      name: 'env',
      value: 'name=value',
      help: 'For a suite: a variable, such as MY_URL={baseUrl}; may be repeated.',
      many: true,
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
  const jobs = given.has('jobs') ? wholeOf(given, 'jobs') : WORLDS_PER_CPU * cpus().length
  const [first = ''] = given.words
  if (given.words.length === 1 && /\.(?:ya?ml|json)$/.test(first)) {
    const merchant = readMerchant(first)
    const patience = { readyWithinMs: secondsOf(given, 'ready-within'), restWithinMs: secondsOf(given, 'rest-within') }
    return { merchant: merchant.name, command: first, jobs, run: (world) => runMerchant(merchant, world, patience) }
  }
  const books = given.get('books')
  const suite = { command: given.words, env: Object.fromEntries(given.all('env').map(variable)), books }
  // Books at one address are those of one run at a time.
  return {
    merchant: given.words.join(' '),
    command: `-- ${given.words.join(' ')}`,
    jobs: books === undefined ? jobs : 1,
    run: (world) => runSuite(suite, world),
  }
}

export function variable(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new UsageError(`--env: expected a name, = and a value, such as MY_URL={baseUrl}, got ${JSON.stringify(text)}.`)
}

function knownFindings(file: string | undefined): KnownFinding[] {
  if (file === undefined) return []
  try {
    return readBaseline(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--baseline: ${file} cannot be read: ${whyUnreadable(error)}`)
  }
}

export function readMerchant(file: string): Merchant {
  try {
    return readMerchantFile(file)
  } catch (error) {
    if (!(error instanceof MerchantFileError)) throw error
    throw new CommandFailed(error.message, '', { code: 'MERCHANT_FILE', exitCode: USAGE })
  }
}

/** Runs it in a mfano of its own, until it ends or Ctrl-C does. */
async function judged(given: Arguments, output: Output, subject: Subject): Promise<GauntletReport> {
  const { base, trials } = readTrials(given)
  const least = readLeast(given)
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off' })
  const simulator = await startSimulator(
    { ...settings, openWorlds: Math.max(settings.openWorlds, subject.jobs + 1) },
    silentLog,
  )
  const interruption = new AbortController()
  const interrupted = () => interruption.abort()
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await gauntlet({
      ...subject,
      url: simulator.baseUrl,
      base,
      trials,
      operations: knownTargets(),
      full: given.has('full'),
      least,
      signal: interruption.signal,
      ended: (result) => {
        if (!given.has('json') && result.verdict !== 'skipped') output.out(resultLine(result, output))
      },
    })
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await simulator.close()
  }
}

/** Findings say more than a scenario that could not be judged. */
function exitCode({ findings, scenarios, tooLittle, interrupted }: GauntletReport): number {
  if (findings.length > 0 || tooLittle.length > 0) return PROBLEMS
  return interrupted || scenarios.some(({ verdict }) => verdict === 'unjudged') ? USAGE : CLEAN
}

export function secondsOf(given: Arguments, flag: string): number {
  return wholeOf(given, flag) * 1000
}

export function wholeOf(given: Arguments, flag: string): number {
  const text = given.get(flag) ?? ''
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new UsageError(`--${flag}: expected a whole number from 1, got ${JSON.stringify(text)}.`)
  return Number(text)
}

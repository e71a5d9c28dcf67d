/** `mfano gauntlet`: an app under every scenario that can make a difference to it, and what its books are worth. */
import { cpus } from 'node:os'
import { silentLog } from '../../hosts/node/log/log.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { startSimulator } from '../../hosts/node/simulator.ts'
import { type GauntletOptions, gauntlet } from '../../judge/gauntlet.ts'
import { type Merchant, MerchantFileError, readMerchantFile } from '../../judge/merchant-file.ts'
import type { GauntletReport } from '../../judge/report.ts'
import { runMerchant } from '../../judge/run-merchant.ts'
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
import type { Output } from '../output.ts'
import { resultLine, scorecard } from './scorecard.ts'
import { knownTargets, readTrials } from './trials.ts'

/** Most of the time a world waits for its app, so there are more of them than processors. */
const WORLDS_PER_CPU = 4
const usual = { ready: '60', rest: '120' }

export const gauntletCommand: Command = {
  name: 'gauntlet',
  words: 'MERCHANT.yaml',
  count: [1, 1],
  names: ['files'],
  summary:
    'Runs an app under every scenario that can make a difference to it, and compares its books with the ledger. Exit code 0: no findings; 1: findings; 2: it could not be judged.',
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
    jsonFlag,
  ],
  examples: ['mfano gauntlet merchant.yaml', 'mfano gauntlet merchant.yaml --scenario payout-times-out --json'],
  run: async (given, output) => {
    const merchant = read(given.words[0] as string)
    const patience = { readyWithinMs: secondsOf(given, 'ready-within'), restWithinMs: secondsOf(given, 'rest-within') }
    const report = await judged(given, output, {
      merchant: merchant.name,
      run: (world) => runMerchant(merchant, world, patience),
    })
    output.out(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : scorecard(report, output))
    return exitCode(report)
  },
}

function read(file: string): Merchant {
  try {
    return readMerchantFile(file)
  } catch (error) {
    if (!(error instanceof MerchantFileError)) throw error
    throw new CommandFailed(error.message, '', { code: 'MERCHANT_FILE', exitCode: USAGE })
  }
}

/** Runs it in a mfano of its own, until it ends or Ctrl-C does. */
async function judged(
  given: Arguments,
  output: Output,
  { merchant, run }: Pick<GauntletOptions, 'merchant' | 'run'>,
): Promise<GauntletReport> {
  const { base, trials } = readTrials(given)
  const jobs = given.has('jobs') ? wholeOf(given, 'jobs') : WORLDS_PER_CPU * cpus().length
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off' })
  const simulator = await startSimulator(
    { ...settings, openWorlds: Math.max(settings.openWorlds, jobs + 1) },
    silentLog,
  )
  const interruption = new AbortController()
  const interrupted = () => interruption.abort()
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await gauntlet({
      merchant,
      run,
      url: simulator.baseUrl,
      base,
      trials,
      operations: knownTargets(),
      jobs,
      full: given.has('full'),
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
function exitCode({ findings, scenarios, interrupted }: GauntletReport): number {
  if (findings.length > 0) return PROBLEMS
  return interrupted || scenarios.some(({ verdict }) => verdict === 'unjudged') ? USAGE : CLEAN
}

function secondsOf(given: Arguments, flag: string): number {
  return wholeOf(given, flag) * 1000
}

function wholeOf(given: Arguments, flag: string): number {
  const text = given.get(flag) ?? ''
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new UsageError(`--${flag}: expected a whole number from 1, got ${JSON.stringify(text)}.`)
  return Number(text)
}

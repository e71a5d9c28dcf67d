/** `mfano matrix`: a test suite under the alternatives to what mfano assumes. */
import { cpus } from 'node:os'
import type { ControlBody } from '../../../client/control.ts'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { silentLog } from '../../../hosts/node/log.ts'
import { scenarioLibrary } from '../../../hosts/node/scenarios.ts'
import { settingsOf } from '../../../hosts/node/settings.ts'
import { startSimulator } from '../../../hosts/node/simulator.ts'
import { type MatrixOptions, type MatrixWorld, matrix, type Result } from '../../../judge/matrix/matrix.ts'
import { matrixJunit } from '../../../judge/matrix/matrix-junit.ts'
import type { Choice, MatrixReport } from '../../../judge/matrix/matrix-report.ts'
import { runMerchant } from '../../../judge/run-merchant.ts'
import { ASKED_NOTHING, isUnasked, startSuite } from '../../../judge/run-suite.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Arguments, CLEAN, type Command, jsonFlag, PROBLEMS, USAGE, UsageError } from '../command.ts'
import { readMerchant, secondsOf, variable, WORLDS_PER_CPU, wholeOf } from '../gauntlet/gauntlet-command.ts'
import type { Output } from '../output.ts'
import { type Variant, variantsOf } from '../scenario-variants.ts'
import { shellWord } from '../words.ts'
import { writeNamed } from '../write-file.ts'
import { matrixText, runLine } from './matrix-text.ts'

/** An app that is driven through time begins then, as in a gauntlet. */
const FROZEN = { mode: 'frozen', start: '2025-01-24T16:28:00' } as const
/** A suite keeps a processor busy, where an app mostly waits. */
const SUITES_PER_CPU = 2
const usual = { ready: '60', rest: '120', suite: '600', seed: '1' }

export const matrixCommand: Command = {
  name: 'matrix',
  words: 'MERCHANT.yaml|COMMAND…',
  count: [1, Number.POSITIVE_INFINITY],
  names: ['files'],
  summary:
    'Runs a test suite by its command behind --, or an app by its merchant file, under the defaults and then under every alternative to what mfano assumes, each alone and in pairs, or in sets that are drawn, and names those that break it. Exit code 0: none does; 1: some do; 2: it could not be judged, as where it is red under the defaults.',
  flags: [
    {
      name: 'env',
      value: 'name=value',
      help: 'For a suite: a variable, such as MY_URL={baseUrl}, {apiKey}, {apiSecret} or {companyId}; may be repeated. It finds PAYMENTS_URL, PAYMENTS_KEY, PAYMENTS_SECRET and PAYMENTS_COMPANY too.',
      many: true,
    },
    {
      name: 'scenario',
      value: 'name|file',
      help: 'What its worlds begin with.',
      names: 'scenarios',
      byDefault: 'default',
    },
    {
      name: 'assumption',
      value: 'id',
      help: 'Only the alternatives of this one; may be repeated. GET /_mfano/fidelity lists them.',
      many: true,
    },
    { name: 'alone', help: 'Run each alternative alone, and none together.' },
    {
      name: 'sample',
      value: 'n',
      help: 'Run under n sets in which every assumption is drawn, as a world with assumptions: drawn has them, and under no others.',
      expected: 'a whole number from 1',
    },
    {
      name: 'seed',
      value: 'number',
      help: 'The seed of the first set of --sample; each further set has the next one.',
      byDefault: usual.seed,
    },
    {
      name: 'jobs',
      value: 'n',
      help: `Worlds at a time; 1 where the suite listens on a port of its own. Default: ${SUITES_PER_CPU} for each processor, or ${WORLDS_PER_CPU} for an app.`,
      expected: 'a whole number from 1',
    },
    { name: 'within', value: 'seconds', help: 'How long one run of a suite may take.', byDefault: usual.suite },
    {
      name: 'ready-within',
      value: 'seconds',
      help: 'How long an app may take until it is ready.',
      byDefault: usual.ready,
    },
    { name: 'rest-within', value: 'seconds', help: 'How long an app may work until it rests.', byDefault: usual.rest },
    { name: 'junit', value: 'file', help: 'Write a JUnit report.', names: 'files' },
    jsonFlag,
  ],
  examples: [
    'mfano matrix -- npm test',
    'mfano matrix --env API={baseUrl} --jobs 1 --junit matrix.xml -- npm test',
    'mfano matrix merchant.yaml --assumption error-body --assumption list-order',
    'mfano matrix --sample 20 -- npm test',
  ],
  run: async (given, output) => {
    const report = await ran(given, output, subjectOf(given))
    const junit = given.get('junit')
    if (junit !== undefined) writeNamed(junit, matrixJunit(report))
    output.out(
      given.has('json')
        ? `${JSON.stringify(report, null, 2)}\n`
        : matrixText(report, output, (seed) => repeated(given, seed)),
    )
    return exitCode(report)
  },
}

type Subject = Pick<MatrixOptions, 'suite' | 'run'> & { isDriven: boolean }

/** A merchant file, or somebody's own suite. */
function subjectOf(given: Arguments): Subject {
  const [first = ''] = given.words
  if (given.words.length === 1 && /\.(?:ya?ml|json)$/.test(first)) {
    const merchant = readMerchant(first)
    const patience = { readyWithinMs: secondsOf(given, 'ready-within'), restWithinMs: secondsOf(given, 'rest-within') }
    return {
      suite: merchant.name,
      isDriven: true,
      run: async (world) => {
        const { findings, unjudged } = await runMerchant(merchant, world, patience)
        if (findings.length > 0) return { verdict: 'red', said: findings.map(({ text }) => text).join('\n') }
        if (unjudged !== undefined) return { verdict: 'unjudged', said: unjudged }
        if (await isUnasked(world.control)) return { verdict: 'unjudged', said: 'It asked its world nothing.' }
        return { verdict: 'green', said: '' }
      },
    }
  }
  const suite = { command: given.words, env: Object.fromEntries(given.all('env').map(variable)) }
  const withinS = wholeOf(given, 'within')
  return { suite: given.words.join(' '), isDriven: false, run: (world) => suiteRun(suite, world, withinS) }
}

/** Green where its exit code is 0, unless it tried nothing. One that does not end is red: a suite may wait for what never comes. */
async function suiteRun(suite: Parameters<typeof startSuite>[0], world: MatrixWorld, withinS: number): Promise<Result> {
  const late = AbortSignal.timeout(withinS * 1000)
  try {
    const { failure, exitCode, said } = await startSuite(suite, {
      ...world,
      signal: AbortSignal.any([world.signal, late]),
    })
    if (failure !== undefined) return { verdict: 'unjudged', said: failure }
    if (await isUnasked(world.control)) return { verdict: 'unjudged', said: `${ASKED_NOTHING}\n${said}`.trim() }
    return { verdict: exitCode === 0 ? 'green' : 'red', said }
  } catch (error) {
    if (world.signal.aborted || !late.aborted) throw error
    return { verdict: 'red', said: `It did not end within ${withinS} s.` }
  }
}

/** Runs it in a mfano of its own, until it ends or Ctrl-C does. */
async function ran(given: Arguments, output: Output, { suite, run, isDriven }: Subject): Promise<MatrixReport> {
  const base = scenarioLibrary(paymentsService).find(given.get('scenario') ?? 'default')
  const variant = variantsOf(base)
  const ownStart = base.clock.startUs !== null
  const assumptions = given.all('assumption').map(known)
  const sample = sampleOf(given)
  const jobs = given.has('jobs') ? wholeOf(given, 'jobs') : (isDriven ? WORLDS_PER_CPU : SUITES_PER_CPU) * cpus().length
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off' })
  const simulator = await startSimulator(
    { ...settings, openWorlds: Math.max(settings.openWorlds, jobs + 1) },
    silentLog,
  )
  const interruption = new AbortController()
  const interrupted = () => interruption.abort()
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await matrix({
      suite,
      url: simulator.baseUrl,
      world: (choices) => worldOf(variant(chosen(choices)), { isDriven, ownStart }),
      run,
      assumptions,
      pairs: !given.has('alone'),
      sample,
      jobs,
      signal: interruption.signal,
      ended: (one) => {
        if (!given.has('json') && one.verdict !== 'skipped') output.out(runLine(one, output))
      },
    })
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await simulator.close()
  }
}

/** Time goes by for a suite as it does by default, unless its scenario says otherwise; an app is driven through it. */
function worldOf(
  variant: Variant,
  { isDriven, ownStart }: { isDriven: boolean; ownStart: boolean },
): ControlBody<'POST', '/worlds'> {
  const { start, mode } = FROZEN
  return { ...variant, ...(isDriven && { clock: ownStart ? { mode } : { mode, start } }) }
}

function sampleOf(given: Arguments): MatrixReport['sample'] {
  if (given.has('sample') && given.has('alone'))
    throw new UsageError('--alone and --sample contradict each other. Remove one of them.')
  if (given.has('sample')) return { count: wholeOf(given, 'sample'), seed: wholeOf(given, 'seed') }
  if (given.has('seed')) throw new UsageError('--seed is for sets that are drawn. Add --sample.')
  return null
}

/** What to type for one drawn set again. */
function repeated(given: Arguments, seed: number): string {
  const again = ['scenario', 'assumption', 'env', 'within'].flatMap((name) =>
    given.all(name).map((value) => `--${name} ${shellWord(value)}`),
  )
  const command = given.words.map(shellWord).join(' ')
  return [`mfano matrix --sample 1 --seed ${seed}`, ...again, `-- ${command}`].join(' ')
}

/** By assumption. */
function chosen(choices: readonly Choice[]): Record<string, string> {
  return Object.fromEntries(choices.map(({ assumption, alternative }) => [assumption, alternative]))
}

function known(id: string): string {
  const ids = Object.keys(paymentsService.assumptions)
  if (ids.includes(id)) return id
  throw new UsageError(`--assumption: there is no ${JSON.stringify(id)}.${didYouMean(id, ids)}`)
}

/** A broken suite says more than a run that could not be judged. */
function exitCode({ defaults, findings, runs, interrupted }: MatrixReport): number {
  if (defaults.verdict !== 'green') return USAGE
  if (findings.length > 0) return PROBLEMS
  return interrupted || runs.some(({ verdict }) => verdict === 'unjudged' || verdict === 'flaky') ? USAGE : CLEAN
}

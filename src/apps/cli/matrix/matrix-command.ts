/** `mfano matrix`: a test suite under every alternative to what mfano assumes. */
import type { ControlBody } from '../../../client/control.ts'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { scenarioLibrary } from '../../../hosts/node/scenarios.ts'
import { type MatrixOptions, type MatrixWorld, matrix, type Result } from '../../../judge/matrix/matrix.ts'
import { matrixJunit } from '../../../judge/matrix/matrix-junit.ts'
import type { Choice, MatrixReport } from '../../../judge/matrix/matrix-report.ts'
import { runMerchant } from '../../../judge/run-merchant.ts'
import { ASKED_NOTHING, isUnasked, startSuite } from '../../../judge/run-suite.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Arguments, CLEAN, type Command, jsonFlag, PROBLEMS, USAGE, UsageError } from '../command.ts'
import type { Output } from '../output.ts'
import { inOwnMfano } from '../own-mfano.ts'
import { type Variant, variantsOf } from '../scenario-variants.ts'
import { jobsOf, merchantOf, patienceOf, suiteFlags, suiteOf } from '../suite-flags.ts'
import { writeNamed } from '../write-file.ts'
import { matrixText, runLine } from './matrix-text.ts'

/** An app that is driven through time begins then, as in a gauntlet. */
const FROZEN = { mode: 'frozen', start: '2025-01-24T16:28:00' } as const

export const matrixCommand: Command = {
  name: 'matrix',
  words: 'MERCHANT.yaml|COMMAND…',
  names: ['files'],
  summary:
    'Runs a test suite by its command behind --, or an app by its merchant file, under the defaults and then under every alternative to what mfano assumes, each alone and in pairs, and names those that break it. Exit code 0: none does; 1: some do; 2: it could not be judged, as where it is red under the defaults.',
  flags: [
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
    ...suiteFlags,
    { name: 'junit', value: 'file', help: 'Write a JUnit report.', names: 'files' },
    jsonFlag,
  ],
  examples: [
    'mfano matrix -- npm test',
    'mfano matrix --env API={baseUrl} --jobs 1 --junit matrix.xml -- npm test',
    'mfano matrix merchant.yaml --assumption error-body --assumption list-order',
  ],
  run: async (given, output) => {
    const report = await ran(given, output, subjectOf(given))
    const junit = given.get('junit')
    if (junit !== undefined) writeNamed(junit, matrixJunit(report))
    output.out(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : matrixText(report, output))
    return exitCode(report)
  },
}

type Subject = Pick<MatrixOptions, 'suite' | 'run'> & { isDriven: boolean }

/** A merchant file, or somebody's own suite. */
function subjectOf(given: Arguments): Subject {
  const merchant = merchantOf(given)
  if (merchant) {
    const patience = patienceOf(given)
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
  const suite = suiteOf(given)
  const withinS = given.number('within') as number
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
  const jobs = jobsOf(given, { isDriven })
  return inOwnMfano(jobs + 1, ({ baseUrl: url }, signal) =>
    matrix({
      suite,
      url,
      world: (choices) => worldOf(variant(chosen(choices)), { isDriven, ownStart }),
      run,
      assumptions,
      pairs: !given.has('alone'),
      jobs,
      signal,
      ended: (one) => {
        if (!given.has('json') && one.verdict !== 'skipped') output.out(runLine(one, output))
      },
    }),
  )
}

/** Time goes by for a suite as it does by default, unless its scenario says otherwise; an app is driven through it. */
function worldOf(
  variant: Variant,
  { isDriven, ownStart }: { isDriven: boolean; ownStart: boolean },
): ControlBody<'POST', '/worlds'> {
  const { start, mode } = FROZEN
  return { ...variant, ...(isDriven && { clock: ownStart ? { mode } : { mode, start } }) }
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

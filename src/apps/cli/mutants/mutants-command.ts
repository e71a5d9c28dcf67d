/** `mfano mutants`: would anybody notice if the service told something else than what is so? */
import { readFileSync } from 'node:fs'
import type { ControlBody } from '../../../client/control.ts'
import { MUTATION } from '../../../core/model/mutation.ts'
import { whyUnreadable } from '../../../hosts/node/file-access.ts'
import { scenarioLibrary } from '../../../hosts/node/scenarios.ts'
import { type Equivalents, EquivalentsError, readEquivalents } from '../../../judge/mutants/equivalents.ts'
import { type MutantsOptions, mutants, type Seen } from '../../../judge/mutants/mutants.ts'
import type { MutantsReport } from '../../../judge/mutants/mutants-report.ts'
import { runMerchant } from '../../../judge/run-merchant.ts'
import { startSuite } from '../../../judge/run-suite.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Arguments, CLEAN, type Command, jsonFlag, PROBLEMS, USAGE, UsageError } from '../command.ts'
import type { Output } from '../output.ts'
import { inOwnMfano } from '../own-mfano.ts'
import { jobsOf, merchantOf, patienceOf, suiteFlags, suiteOf } from '../suite-flags.ts'
import { wholeValue } from '../typed-values.ts'
import { writeNamed } from '../write-file.ts'
import { failing } from './base-worlds.ts'
import { kitWorlds } from './kit-worlds.ts'
import { mutantLine, mutantsText } from './mutants-text.ts'

/** An app that is driven through time begins then, as in a gauntlet. */
const START = '2025-01-24T16:28:00'

export const mutantsCommand: Command = {
  name: 'mutants',
  words: 'MERCHANT.yaml|COMMAND…',
  names: ['files'],
  summary:
    'Tells an app, or the app of a test suite behind --, one thing otherwise than it is in each run: an amount, a reference, a currency, a status, an id, an order, a signature. Says which of these lies nobody noticed, and which fields are proven to be read. Exit code 0: all were noticed, or as many as --min asks for; 1: some survived; 2: it could not be judged.',
  flags: [
    {
      name: 'min',
      value: 'score',
      help: 'How many of a hundred have to be noticed.',
      byDefault: '100',
      ...wholeValue(0, 100),
    },
    {
      name: 'scenario',
      value: 'name|file',
      help: 'What its worlds begin with.',
      names: 'scenarios',
      byDefault: 'default',
    },
    {
      name: 'only',
      value: 'text',
      help: 'Only mutants with this in their name, such as callback or ×100; may be repeated.',
      expected: 'part of a name',
      many: true,
    },
    { name: 'seed', value: 'n', help: 'Where chance begins.', byDefault: '1', ...wholeValue(1) },
    {
      name: 'coverage',
      value: 'file',
      help: 'Write what is exercised, and which fields are read, for mfano coverage.',
      names: 'files',
    },
    {
      name: 'equivalent',
      value: 'file',
      help: 'Mutants that no suite can notice, a line each: NAME: why. They do not count, and are told as such.',
      names: 'files',
    },
    ...suiteFlags,
    jsonFlag,
  ],
  examples: ['mfano mutants merchant.yaml', 'mfano mutants --min 80 -- npm test'],
  run: async (given, output) => {
    const least = given.number('min') as number
    const { coverage, ...report } = await ran(given, output)
    const file = given.get('coverage')
    if (file !== undefined && coverage) writeNamed(file, `${JSON.stringify(coverage, null, 2)}\n`)
    output.out(given.has('json') ? `${JSON.stringify(report, null, 2)}\n` : mutantsText(report, output))
    return exitCode(report, least)
  },
}

interface Subject {
  name: string
  run: MutantsOptions['run']
  isDriven: boolean
}

/** A merchant file, or somebody's own suite. */
function subjectOf(given: Arguments): Subject {
  const merchant = merchantOf(given)
  if (merchant) {
    const patience = patienceOf(given)
    return {
      name: merchant.name,
      isDriven: true,
      run: async (world) => {
        const { findings, unjudged, idle = false, books, acts = [] } = await runMerchant(merchant, world, patience)
        const codes = findings.map(({ code }) => code)
        // An app that stops paying when it is told something wrong has noticed; one that never pays cannot be judged.
        if (unjudged !== undefined && !(idle && world.mutant))
          return { verdict: 'unjudged', said: unjudged, findings: codes }
        const said = unjudged ?? findings.map(({ text }) => text).join('\n')
        return { verdict: codes.length > 0 ? 'red' : 'green', said, findings: codes, books, acts }
      },
    }
  }
  const suite = suiteOf(given)
  const withinS = given.number('within') as number
  return { name: given.words.join(' '), isDriven: false, run: (world) => suiteRun(suite, world, withinS) }
}

/** Green where its exit code is 0. One that does not end is red: it may wait for what never comes. */
async function suiteRun(
  suite: Parameters<typeof startSuite>[0],
  world: Parameters<MutantsOptions['run']>[0],
  withinS: number,
): Promise<Seen> {
  const late = AbortSignal.timeout(withinS * 1000)
  const kit = kitWorlds(world.mutant?.mutation)
  try {
    const signal = AbortSignal.any([world.signal, late])
    const {
      failure,
      exitCode: code,
      said,
    } = await startSuite({ ...suite, env: { ...suite.env, [MUTATION]: kit.variable } }, { ...world, signal })
    if (failure !== undefined) return { verdict: 'unjudged', said: failure }
    return { verdict: code === 0 ? 'green' : 'red', said, told: kit.told() }
  } catch (error) {
    if (world.signal.aborted || !late.aborted) throw error
    return { verdict: 'red', said: `It did not end within ${withinS} s.` }
  } finally {
    kit.close()
  }
}

function equivalentsIn(file: string | undefined): Equivalents {
  if (file === undefined) return new Map()
  try {
    return readEquivalents(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if (error instanceof EquivalentsError) throw new UsageError(`--equivalent: ${error.message}`)
    throw new UsageError(`--equivalent: ${file} cannot be read: ${whyUnreadable(error)}`)
  }
}

/** Runs it in a mfano of its own, until it ends or Ctrl-C does. */
async function ran(given: Arguments, output: Output): Promise<MutantsReport> {
  const { name, run, isDriven } = subjectOf(given)
  const equivalent = equivalentsIn(given.get('equivalent'))
  const { source, parameters } = scenarioLibrary(paymentsService)
    .find(given.get('scenario') ?? 'default')
    .sendable()
  const world = {
    scenario: source,
    parameters,
    seed: given.number('seed'),
    ...(isDriven && { clock: { mode: 'frozen', start: START } }),
  } as ControlBody<'POST', '/worlds'> & { scenario: string }
  const jobs = jobsOf(given, { isDriven })
  return inOwnMfano(jobs + 3, ({ baseUrl: url }, signal) =>
    mutants({
      subject: name,
      url,
      worlds: isDriven ? [world, failing(world)] : [world],
      run,
      jobs,
      only: given.all('only'),
      equivalent,
      signal,
      ended: (one) => {
        if (!given.has('json')) output.out(mutantLine(one, output))
      },
    }),
  )
}

function exitCode(
  { truthful, mutants: all, score, interrupted }: Omit<MutantsReport, 'coverage'>,
  least: number,
): number {
  if (truthful.verdict !== 'green') return USAGE
  if (score !== null && score < least) return PROBLEMS
  return interrupted || all.some(({ verdict }) => verdict === 'unjudged') ? USAGE : CLEAN
}

/** Runs an app or a suite in truthful worlds, then once for each thing that can be told otherwise, and says what noticed. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import type { Control, ControlBody } from '../../client/control.ts'
import { recordFor } from '../../core/model/must.ts'
import type { ForKit, Mutation } from '../../core/model/mutation.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { type Coverage, mergeCoverage } from '../../inspect/coverage.ts'
import { paymentsService } from '../../service/service.ts'
import type { SubjectWorld } from '../subject/outcome.ts'
import {
  inNewWorld,
  inTurns,
  type JudgeServer,
  type OwnWorld,
  unlessAborted,
  withWorldsBelow,
} from '../subject/own-worlds.ts'
import type { SubjectEnd } from '../subject/subject-of.ts'
import { differencesOf } from '../values/differences.ts'
import { asListed, type MutantResult, type MutantsReport, mutantsReport } from './mutants-report.ts'
import { type Equivalents, type Mutant, mutantsOf, type ToldCallback } from './mutations.ts'

/** A world that the subject is run in. */
export interface MutantWorld extends SubjectWorld {
  /** The mutation; undefined in truth. */
  mutant: Mutant | undefined
}

/** Signs of a run from outside; a sign that is left out is not compared. */
export interface MutantOutcome extends Pick<SubjectEnd, 'verdict' | 'said'> {
  books?: unknown
  findings?: string[]
  /** How the app answered what was asked of it. */
  acts?: string[]
  /** Told in worlds that the subject made by itself. */
  told?: ToldCallback[]
}

export interface MutantsOptions {
  subject: string
  server: JudgeServer
  /** The kinds of its worlds: the usual one, and others in which more is told. */
  worlds: readonly ControlBody<'POST', '/worlds'>[]
  run(world: MutantWorld): Promise<MutantOutcome>
  /** Worlds at a time. */
  jobs: number
  /** Only mutants with one of these in their name; all of them where there are none. */
  only: readonly string[]
  /** Known to come to the same, whatever a suite looks at. */
  equivalent: Equivalents
  signal: AbortSignal
  /** Told of each mutant as it ends. */
  ended(result: MutantResult): void
}

/** Other traces of a run in its world. */
interface Ran extends MutantOutcome {
  told: ToldCallback[]
  /** Statuses with which callbacks were acknowledged. */
  acknowledged: string[]
  /** The app's requests, and how often each came. */
  asked: string[]
  coverage: Coverage
  tookMs: number
}

const LISTED = 1000

/** The truth in a kind of world, and the respects in which two truthful runs of it are alike. */
interface Truth {
  world: MutantsOptions['worlds'][number]
  ran: Ran
  steady: Record<Aspect, boolean>
}

/** Runs everything; ends early with what was found so far when it is told to stop. */
export async function mutants(options: MutantsOptions): Promise<MutantsReport> {
  const { subject, signal, ended, worlds, equivalent } = options
  const results: MutantResult[] = []
  const exercised: Coverage[] = []
  const report = ({ verdict, said }: Pick<MutantOutcome, 'verdict' | 'said'>) =>
    mutantsReport(subject, { verdict, said }, results, { exercised, interrupted: signal.aborted, equivalent })
  const [first, ...others] = await Promise.all(worlds.map((world) => truthOf(options, world)))
  if (!first || 'verdict' in first) return report(first ?? { verdict: 'unjudged', said: '' })
  // An app that is in trouble there anyway is judged in the usual world alone.
  const truths = [first, ...others.filter((one): one is Truth => one !== undefined && 'ran' in one)]
  exercised.push(...truths.map(({ ran }) => ran.coverage))
  const waiting = distinct(truths).filter(({ mutant: { field, change } }) => isWanted(`${field} ${change}`, options))
  await inTurns(waiting, options, async ({ mutant, truth }) => {
    const ran = await inWorld(options, truth.world, mutant)
    if (!ran) return
    const result = asListed(judged(mutant, truth, ran), equivalent)
    results.push(result)
    ended(result)
  })
  results.sort((a, b) => `${a.field} ${a.change}`.localeCompare(`${b.field} ${b.change}`))
  return report({ verdict: 'green', said: '' })
}

/** Two truthful runs, because what differs between them says nothing; the bad one where one is. */
async function truthOf(options: MutantsOptions, world: Truth['world']): Promise<Truth | MutantOutcome | undefined> {
  const [ran, again] = await Promise.all([inWorld(options, world, undefined), inWorld(options, world, undefined)])
  if (!ran || !again) return undefined
  const bad = [ran, again].find(({ verdict }) => verdict !== 'green')
  if (bad) return { verdict: bad.verdict, said: bad.said }
  const steady = recordFor(aspects, (aspect) => noticed(ran, again, aspect) === undefined)
  return { world, ran, steady }
}

function isWanted(name: string, { only }: Pick<MutantsOptions, 'only'>): boolean {
  return only.length === 0 || only.some((text) => name.includes(text))
}

/** Each mutant once, in the first world that can show it. */
function distinct(truths: readonly Truth[]): { mutant: Mutant; truth: Truth }[] {
  const found = new Map<string, { mutant: Mutant; truth: Truth }>()
  for (const truth of truths)
    for (const mutant of mutantsOf(truth.ran.told)) {
      const name = `${mutant.field} ${mutant.change}`
      if (!found.has(name)) found.set(name, { mutant, truth })
    }
  return [...found.values()]
}

/** One world from its beginning to its end; undefined when it was interrupted. */
function inWorld(options: MutantsOptions, world: Truth['world'], mutant: Mutant | undefined): Promise<Ran | undefined> {
  const { server, run, signal } = options
  const beganMs = wallNowMs()
  const look = async (made: OwnWorld): Promise<Ran> => {
    const { control } = made
    if (mutant) await control('PUT', '/mutation', { body: mutant.mutation as ControlBody<'PUT', '/mutation'> })
    else await control('POST', '/told')
    const seen = await run({ ...made, mutant, signal })
    const all = await withWorldsBelow(control)
    const told = await Promise.all(all.map(async (one) => (await one('GET', '/told')).told))
    return {
      ...seen,
      told: [...told.flat(), ...(seen.told ?? [])],
      ...(await leftIn(all)),
      tookMs: wallNowMs() - beganMs,
    }
  }
  return unlessAborted(signal, () => inNewWorld(server, world, look))
}

async function leftIn(worlds: readonly Control[]): Promise<Pick<Ran, 'acknowledged' | 'asked' | 'coverage'>> {
  const left = await Promise.all(
    worlds.map((control) =>
      Promise.all([
        control('GET', '/callbacks', { query: { limit: LISTED } }),
        control('GET', '/requests', { query: { limit: LISTED } }),
        control('GET', '/coverage'),
      ]),
    ),
  )
  const callbacks = left.flatMap(([one]) => one.callbacks)
  const requests = left.flatMap(([, one]) => one.requests)
  return {
    coverage: mergeCoverage(left.map(([, , coverage]) => coverage)),
    acknowledged: counted(callbacks.map(({ topic, state }) => `${topic} ${state}`)),
    asked: counted(requests.map(({ operation, method, status }) => `${operation ?? method} ${status}`)),
  }
}

/** `send-money delivered ×2`: in which order they came is no matter. */
function counted(names: readonly string[]): string[] {
  return [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name} ×${all.length}`).sort()
}

const aspects = ['books', 'acts', 'acknowledged', 'asked'] as const
type Aspect = (typeof aspects)[number]

/** The first difference of two runs in one respect, as words. */
function noticed(truth: Ran, ran: Ran, aspect: Aspect): string | undefined {
  const [first] = differencesOf(byReference(truth[aspect]), byReference(ran[aspect]))
  if (!first) return undefined
  const told = (value: unknown) => (value === undefined ? '(nothing)' : JSON.stringify(value).slice(0, 80))
  return `${first.path}: ${told(first.first)} in truth, ${told(first.second)} here`
}

/** Lines of books stand in an order of their own. */
function byReference(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((line) => typeof line === 'object' && line !== null)) return value
  return value.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))
}

function keyOf(line: object): string {
  const { kind = '', amount = '', reference = '' }: { kind?: unknown; amount?: unknown; reference?: unknown } = line
  return `${kind} ${amount} ${reference}`
}

/** Signs that notice a mutant, the clearest first. */
function judged(mutant: Mutant, { ran: truth, steady }: Truth, ran: Ran): MutantResult {
  const { mutation, field, change } = mutant
  const of = (verdict: MutantResult['verdict'], by: string | null, why: string): MutantResult => ({
    mutation,
    field,
    change,
    verdict,
    by,
    text: `${field} ${change}: ${verdict}; ${why}`,
    tookMs: ran.tookMs,
  })
  const [finding] = (ran.findings ?? []).filter((code) => !truth.findings?.includes(code))
  if (finding !== undefined) return of('killed', 'finding', `the books are found wrong: ${finding}`)
  if (ran.verdict === 'unjudged') return of('unjudged', null, ran.said)
  if (ran.verdict === 'red') return of('killed', 'suite', 'the suite is red')
  const killing: [Aspect, string][] = [
    ['books', 'the books differ'],
    ['acknowledged', 'callbacks are acknowledged otherwise'],
    ['acts', 'the app answers otherwise'],
  ]
  for (const [aspect, what] of killing) {
    const difference = steady[aspect] ? noticed(truth, ran, aspect) : undefined
    // A suite is the judge of what it drives.
    if (difference !== undefined && ran.findings !== undefined) return of('killed', aspect, `${what}, ${difference}`)
  }
  const asked = steady.asked ? noticed(truth, ran, 'asked') : undefined
  if (asked !== undefined)
    return of('survived', 'asked', `it is read, and nothing came of it but other requests (${asked})`)
  return of('survived', null, mutant.unnoticed)
}

// The worlds that mutants are run in: as the scenario is, and where what is asked for fails.

type NewWorld = ControlBody<'POST', '/worlds'>

/** An end that all but a few kinds have, and by which an app must not be told that it is another. */
const FAILURE = 'FAILED'
/** A second try goes well, as it would elsewhere. */
const FAILING = { first: 1, afterS: 4 }

/** A world in which the first payment of each kind fails, so that somebody can be told that it went well. */
export function failing(world: NewWorld & { scenario: string }): NewWorld {
  const document = parseDocument(world.scenario)
  const rules = [...paymentsService.kinds]
    .filter(({ ends }) => ends.includes(FAILURE))
    .map(({ name }) => ({
      name: `the first ${name} fails`,
      on: name,
      nth: FAILING.first,
      then: { after: `${FAILING.afterS}s`, end: FAILURE },
    }))
  const written: { rules?: unknown[] } = document.toJS()
  const own = written.rules ?? []
  document.setIn(['rules'], document.createNode([...rules, ...own]))
  return { ...world, scenario: document.toString({ lineWidth: 0 }) }
}

// Worlds that a suite makes by itself, with the kits: told what to tell by a variable, and what they told kept in
// files.

export interface KitWorlds {
  /** The variable's value. */
  variable: string
  /** Their stories, once the suite has ended. */
  told(): ToldCallback[]
  close(): void
}

/** The worlds of one run, with a mutation or in truth. */
export function kitWorlds(mutation: Mutation | undefined): KitWorlds {
  if (mutation) {
    const value: ForKit = { tell: mutation }
    return { variable: JSON.stringify(value), told: () => [], close: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'mfano-told-'))
  const value: ForKit = { keepIn: folder }
  return {
    variable: JSON.stringify(value),
    told: () =>
      readdirSync(folder).flatMap((name): ToldCallback[] => JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

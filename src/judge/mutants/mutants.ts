/** Runs an app or a suite in truthful worlds, then once for each thing that can be told otherwise, and says what noticed. */

import { parseDocument } from 'yaml'
import type { ControlBody } from '../../client/control.ts'
import { recordFor } from '../../core/model/must.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import type { ReportDocument } from '../../inspect/report-document.ts'
import { paymentsService } from '../../service/service.ts'
import { endOf } from '../explore/run-app.ts'
import { type SubjectRuns, type TimedRun, withRuns } from '../explore/subject-runs.ts'
import { SUITE_RED } from '../subject/outcome.ts'
import { BEGINNING, unlessAborted } from '../subject/own-worlds.ts'
import { judgedSubject, type Subject } from '../subject/subject-of.ts'
import type { SubjectOptions } from '../subject.ts'
import { differencesOf, printed } from '../values/differences.ts'
import { type MutantResult, type MutantsReport, mutantRun, mutantsDocument, mutantsReport } from './mutants-report.ts'
import { type Mutant, mutantsOf } from './mutations.ts'

interface MutantsOptions extends SubjectOptions {
  scenario: string
  seed: number
  /** Per cent that must be noticed. */
  least: number
  only: readonly string[]
  tls: boolean
}

interface Seen extends TimedRun {
  acknowledged: string[]
  sent: string[]
}

interface Truth {
  world: NewWorld
  ran: Seen
  steady: Record<Aspect, boolean>
}

export async function findMutants(options: MutantsOptions): Promise<ReportDocument<MutantsReport>> {
  const { seed, signal, least, tls } = options
  const subject = judgedSubject(options)
  const report = await withRuns({ ...subject, seed, tls, signal }, (runs) => mutants(options, subject, runs))
  return mutantsDocument(report, least, subject.command)
}

/** Runs everything; ends early with what was found so far when it is told to stop. */
async function mutants(options: MutantsOptions, subject: Subject, runs: SubjectRuns): Promise<MutantsReport> {
  const { signal, ended } = options
  const results: MutantResult[] = []
  const report = (truthful: MutantsReport['truthful']) => mutantsReport(subject.name, truthful, results, signal.aborted)
  const given = { runs, signal }
  const worlds = worldsOf(options.scenario, subject)
  const [first, ...others] = await Promise.all(worlds.map((world) => truthOf(given, world)))
  if (!first || 'verdict' in first) return report(first ?? { verdict: 'unjudged', said: '' })
  // An app that is in trouble there anyway is judged in the usual world alone.
  const truths = [first, ...others.filter((one): one is Truth => one !== undefined && 'ran' in one)]
  const waiting = distinct(truths).filter(({ mutant: { field, change } }) => isWanted(`${field} ${change}`, options))
  const each = waiting.map(async ({ mutant, truth }) => {
    const ran = await seenIn(given, truth.world, mutant)
    if (!ran) return
    const result = judged(mutant, truth, ran)
    results.push(result)
    ended(mutantRun(result))
  })
  await Promise.all(each)
  results.sort((a, b) => `${a.field} ${a.change}`.localeCompare(`${b.field} ${b.change}`))
  return report({ verdict: 'green', said: '' })
}

interface Given {
  runs: SubjectRuns
  signal: AbortSignal
}

/** Two truthful runs, because what differs between them says nothing; the bad one where one is. */
async function truthOf(given: Given, world: Truth['world']): Promise<Truth | MutantsReport['truthful'] | undefined> {
  const [ran, again] = await Promise.all([seenIn(given, world), seenIn(given, world)])
  if (!ran || !again) return undefined
  const bad = [ran, again].map(endOf).find(({ verdict }) => verdict !== 'green')
  if (bad) return bad
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
    for (const mutant of mutantsOf(truth.ran.traces?.told ?? [])) {
      const name = `${mutant.field} ${mutant.change}`
      if (!found.has(name)) found.set(name, { mutant, truth })
    }
  return [...found.values()]
}

/** Undefined where it was interrupted. */
async function seenIn({ runs, signal }: Given, world: Truth['world'], mutant?: Mutant): Promise<Seen | undefined> {
  const tells = mutant?.mutation ?? 'truth'
  const ran = await unlessAborted(signal, () => runs.run([], { world, patience: 'patient', isTraced: true, tells }))
  if (!ran) return undefined
  const { callbacks = [], requests = [] } = ran.traces ?? {}
  return {
    ...ran,
    acknowledged: counted(callbacks.map(({ topic, state }) => `${topic} ${state}`)),
    sent: counted(requests.map(({ operation, method, status }) => `${operation ?? method} ${status}`)),
  }
}

/** `send-money delivered ×2`: in which order they came is no matter. */
function counted(names: readonly string[]): string[] {
  return [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name} ×${all.length}`).sort()
}

const aspects = ['books', 'acts', 'acknowledged', 'sent'] as const
type Aspect = (typeof aspects)[number]

/** The first difference of two runs in one respect, as words. */
function noticed(truth: Seen, ran: Seen, aspect: Aspect): string | undefined {
  const [first] = differencesOf(byReference(truth[aspect]), byReference(ran[aspect]))
  if (!first) return undefined
  return `${first.path}: ${printed(first.first)} in truth, ${printed(first.second)} here`
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
function judged(mutant: Mutant, { ran: truth, steady }: Truth, ran: Seen): MutantResult {
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
  const [finding] = ran.findings
  if (finding?.code === SUITE_RED) return of('killed', 'suite', 'the suite is red')
  if (finding) return of('killed', 'finding', `the books are found wrong: ${finding.code}`)
  // An app that stops paying when it is told something wrong has noticed.
  if (ran.unjudged !== undefined && !ran.idle) return of('unjudged', null, ran.unjudged)
  const killing: [Aspect, string][] = [
    ['books', 'the books differ'],
    ['acknowledged', 'callbacks are acknowledged otherwise'],
    ['acts', 'the app answers otherwise'],
  ]
  for (const [aspect, what] of killing) {
    const difference = steady[aspect] ? noticed(truth, ran, aspect) : undefined
    // A suite has no acts, and has judged already: above it was not red.
    if (difference !== undefined && ran.acts !== undefined) return of('killed', aspect, `${what}, ${difference}`)
  }
  const other = steady.sent ? noticed(truth, ran, 'sent') : undefined
  if (other !== undefined)
    return of('survived', 'asked', `it is read, and nothing came of it but other requests (${other})`)
  return of('survived', null, mutant.unnoticed)
}

type NewWorld = ControlBody<'POST', '/worlds'>

function worldsOf(scenario: string, { merchant }: Subject): NewWorld[] {
  const { source, parameters } = scenarioLibrary().find(scenario).sendable()
  const world = { scenario: source, parameters }
  if (!merchant) return [world]
  const frozen = { ...world, clock: { mode: 'frozen' as const, start: BEGINNING } }
  return [frozen, failing(frozen)]
}

/** An end that all but a few kinds have, and by which an app must not be told that it is another. */
const FAILURE = 'FAILED'
/** A second try goes well, as it would elsewhere. */
const FAILING = { first: 1, afterS: 4 }

/** A world in which the first payment of each kind fails, so that somebody can be told that it went well. */
function failing(world: NewWorld & { scenario: string }): NewWorld {
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

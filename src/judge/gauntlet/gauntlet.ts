/** Runs an app under every scenario that can affect it, each in its own world, and judges its books. */
import type { Control, ControlAnswer, ControlBody } from '../../client/control.ts'
import { isRecord } from '../../core/model/must.ts'
import type { RiskName } from '../../core/model/risks.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { type Coverage, type Dimension, mergeCoverage } from '../../inspect/coverage.ts'
import { sequenceOfPayments } from '../../inspect/explain-payment.ts'
import type { RequestWithoutPayment } from '../../inspect/finding.ts'
import type { Choice } from '../explore/choice.ts'
import { capsulesAreKept, keepCapsule } from '../keep-capsule.ts'
import { type AppFinding, adviceOf, type SubjectOutcome, type SubjectWorld } from '../subject/outcome.ts'
import {
  inNewWorld,
  inTurns,
  type JudgeServer,
  type OwnWorld,
  unlessAborted,
  withWorldsBelow,
} from '../subject/own-worlds.ts'
import {
  exercised,
  type GauntletFinding,
  type GauntletReport,
  type ScenarioResult,
  scorecardOf,
} from './gauntlet-report.ts'
import { leftSingle, type SingleResult, type SinglesToTry } from './try-singles.ts'

/** Fixed, so that results do not depend on the day of the run. */
const BEGINNING = '2025-01-24T16:28:00'
/** Fixed, because the scenario's name must not change the ids. */
const SEED = 1
const PAYMENTS_TOLD = 3

const SINGLES_EACH = 6
const TOO_LATE = 'its time was over before the ordinary day had been judged. Give it more, with --within 5m'
const ORDINARY = 'mend this first. Nothing was made to go wrong here.'
/** A finding counts once as many runs as this have shown it. */
const RUNS = 3
/** Runs more where the same code came and went elsewhere: of many that come by chance, some come three times. */
const MORE_RUNS = 6
const NOTHING_MET = 'not reached: nothing met its rules'

export interface Trial {
  name: string
  source: string
  risk: RiskName | undefined
  sendable: { source: string; parameters: Record<string, string | number | boolean> }
  written: WrittenScenario
}

export interface KnownTarget {
  id: string
  /** Such as `POST /api/sandbox/v1/send-money`. */
  target: string
  opens: string | undefined
}

export interface GauntletOptions {
  merchant: string
  server: JudgeServer
  base: Trial
  trials: readonly Trial[]
  /** The trials were chosen by name: where none of them does anything, nothing was tested. */
  isNamed: boolean
  operations: readonly KnownTarget[]
  run(world: SubjectWorld): Promise<SubjectOutcome>
  /** Opens every single choice of an app; undefined for a suite, or where scenarios were named. */
  singles?: (signal: AbortSignal) => Promise<SinglesToTry | undefined>
  /** Real milliseconds for all of it; undefined without a limit. */
  withinMs?: number | undefined
  jobs: number
  full: boolean
  command: string
  least: Partial<Record<Dimension, number>>
  signal: AbortSignal
  ended(result: ScenarioResult): void
}

interface Learnt {
  coverage: Coverage[]
  asked?: RequestWithoutPayment[] | undefined
}

export async function gauntlet(given: GauntletOptions): Promise<GauntletReport> {
  const { withinMs } = given
  const late = withinMs === undefined ? [] : [AbortSignal.timeout(withinMs)]
  const options = { ...given, signal: AbortSignal.any([given.signal, ...late]) }
  const run = new GauntletRun(options)
  await run.all()
  return { ...run.report(), interrupted: given.signal.aborted }
}

/** One more run of the same: the codes that it shows, undefined where there was no time. */
type SeeAgain = () => Promise<ReadonlySet<string> | undefined>

class GauntletRun {
  readonly #options: GauntletOptions
  readonly #learnt: Learnt = { coverage: [] }
  readonly #results: ScenarioResult[] = []
  readonly #singles: ScenarioResult[] = []
  readonly #unstable: GauntletFinding[] = []
  readonly #unconfirmed: GauntletFinding[] = []
  #ordinary: ScenarioResult | undefined
  /** How to see a result once more; removed when it was. */
  readonly #again = new Map<ScenarioResult, SeeAgain>()

  constructor(options: GauntletOptions) {
    this.#options = options
  }

  async all(): Promise<void> {
    const { base, trials, jobs, signal } = this.#options
    const isListed = trials.some(({ name }) => name === base.name)
    const ordinary = (await this.#trial(base)) ?? { ...unrun(base, 'unjudged'), why: TOO_LATE }
    this.#ordinary = ordinary
    // An app that does not run on an ordinary day cannot be judged on any other.
    if (isListed || ordinary.verdict !== 'clean') this.#note(ordinary)
    const waiting = this.#waiting()
    const singles = ordinary.verdict === 'clean' ? await this.#options.singles?.(signal) : undefined
    try {
      if (singles?.ordinary) this.#noteSingle(singles.ordinary)
      const choices = singles?.choices ?? []
      const work = mixed(
        waiting.map((trial) => async () => this.#note((await this.#trial(trial)) ?? unrun(trial, 'left'))),
        choices.map((choice) => async () => this.#single(choice, singles)),
      )
      await inTurns(work, { jobs, signal }, async (one) => {
        await one()
        await this.#confirmDoubtful()
      })
      await this.#confirmDoubtful()
      this.#noteLeft(waiting, choices)
    } finally {
      await singles?.close()
    }
  }

  report(): Omit<GauntletReport, 'interrupted'> {
    const { merchant, trials, isNamed, command, least } = this.#options
    const ordinary = this.#ordinary
    if (isNamed && this.#results.every(didNothing)) for (const one of this.#results) one.verdict = 'unjudged'
    this.#results.sort(
      (a, b) => Number(b === ordinary) - Number(a === ordinary) || a.scenario.localeCompare(b.scenario),
    )
    const all = [...this.#results, ...this.#singles]
    if (ordinary) setApart(ordinary, all)
    return {
      merchant,
      findings: all.flatMap(({ findings }) => findings),
      warnings: all.flatMap(({ warnings }) => warnings),
      known: [],
      unstable: this.#unstable,
      unconfirmed: this.#unconfirmed,
      scenarios: this.#results,
      singles: this.#singles,
      scorecard: scorecardOf(all),
      ...exercised({ chosen: trials.map(({ name }) => name), command, least }, this.#learnt.coverage),
    }
  }

  /** Scenarios that can make a difference, those that hold answers back first: they take longest. */
  #waiting(): Trial[] {
    const { base, trials, full, operations } = this.#options
    const [covered] = this.#learnt.coverage
    if (this.#ordinary?.verdict === 'unjudged' || !covered) return []
    const used = usedIn(covered, operations)
    const waiting: Trial[] = []
    for (const trial of trials.filter(({ name }) => name !== base.name)) {
      const why = full ? undefined : whyNot(trial.written, base.written, used)
      if (why === undefined) waiting.push(trial)
      else this.#note({ ...unrun(trial, 'skipped'), why })
    }
    return waiting.sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)))
  }

  /** Runs it, and again for what it found: an app that goes wrong now and then is not blamed for a scenario. */
  async #trial(trial: Trial): Promise<ScenarioResult | undefined> {
    const first = await runTrial(this.#options, trial, this.#learnt)
    if (!first || first.findings.length === 0) return first
    let found = first.findings
    for (let run = 1; run < RUNS && found.length > 0; run++) {
      const again = await runTrial(this.#options, trial, this.#learnt, true)
      if (!again) {
        this.#unconfirmed.push(...found)
        return { ...first, findings: [] }
      }
      const codes = codesOf(again.findings)
      this.#unstable.push(...found.filter(({ code }) => !codes.has(code)))
      found = found.filter(({ code }) => codes.has(code))
    }
    const result = { ...first, findings: found }
    this.#again.set(result, async () => {
      const again = await runTrial(this.#options, trial, this.#learnt, true)
      return again && codesOf(again.findings)
    })
    return result
  }

  /** Asks more often for what came and went elsewhere, before it counts. */
  async #confirmDoubtful(): Promise<void> {
    const isDoubtful = ({ code }: GauntletFinding) => this.#unstable.some((one) => one.code === code)
    for (const [result, again] of this.#again)
      if (result.findings.some(isDoubtful)) {
        this.#again.delete(result)
        await this.#confirm(result, again, isDoubtful)
      }
  }

  async #confirm(
    result: ScenarioResult,
    again: SeeAgain,
    isDoubtful: (one: GauntletFinding) => boolean,
  ): Promise<void> {
    for (let run = 0; run < MORE_RUNS && result.findings.some(isDoubtful); run++) {
      const codes = await again()
      const fails = (one: GauntletFinding) => isDoubtful(one) && !codes?.has(one.code)
      const failing = result.findings.filter(fails)
      ;(codes ? this.#unstable : this.#unconfirmed).push(...failing)
      result.findings = result.findings.filter((one) => !failing.includes(one))
    }
  }

  #note(result: ScenarioResult): void {
    this.#results.push(result)
    if (result.verdict !== 'left') this.#options.ended(result)
  }

  async #single(choice: Choice, singles: SinglesToTry | undefined): Promise<void> {
    const single = await singles?.run(choice)
    if (!single) return void this.#singles.push(leftSingle(choice))
    this.#noteSingle(single)
    if (singles) this.#again.set(single.result, () => singles.again(choice))
  }

  #noteSingle({ result, unstable, unconfirmed }: SingleResult): void {
    this.#singles.push(result)
    this.#unstable.push(...unstable)
    this.#unconfirmed.push(...unconfirmed)
    // There are hundreds of them.
    if (result.verdict !== 'clean') this.#options.ended(result)
  }

  /** Trials not even begun. */
  #noteLeft(trials: readonly Trial[], choices: readonly Choice[]): void {
    const known = new Set([...this.#results, ...this.#singles].map(({ scenario }) => scenario))
    this.#results.push(...trials.filter(({ name }) => !known.has(name)).map((one) => unrun(one, 'left')))
    this.#singles.push(...choices.map(leftSingle).filter(({ scenario }) => !known.has(scenario)))
  }
}

function codesOf(findings: readonly GauntletFinding[]): ReadonlySet<string> {
  return new Set(findings.map(({ code }) => code))
}

/** Scenarios take several times as long as single choices: one, and then some of those. */
function mixed<Item>(scenarios: readonly Item[], singles: readonly Item[]): Item[] {
  const rest = singles.slice(scenarios.length * SINGLES_EACH)
  return [...scenarios.flatMap((one, i) => [...singles.slice(i * SINGLES_EACH, (i + 1) * SINGLES_EACH), one]), ...rest]
}

/** A finding of the ordinary run recurs everywhere, so no scenario is blamed for it. */
function setApart(ordinary: ScenarioResult, results: readonly ScenarioResult[]): void {
  const codes = new Set(ordinary.findings.map(({ code }) => code))
  for (const result of results)
    for (const one of result.findings.filter(({ code }) => codes.has(code))) {
      one.advice = result === ordinary ? ORDINARY : ''
      if (result === ordinary) one.ordinary = true
    }
}

function runTrial(
  options: GauntletOptions,
  trial: Trial,
  learnt: Learnt,
  isRepeat = false,
): Promise<ScenarioResult | undefined> {
  const { server, base, run, signal, command } = options
  const beganMs = wallNowMs()
  const wanted: ControlBody<'POST', '/worlds'> = {
    scenario: trial.sendable.source,
    parameters: trial.sendable.parameters,
    record: (!isRepeat && capsulesAreKept()) || undefined,
    seed: SEED,
    clock: { mode: 'frozen', ...(startOf(trial.written) === undefined && { start: BEGINNING }) },
  }
  const advice = adviceOf(trial.source)
  const told = (found: SubjectOutcome['findings']): GauntletFinding[] =>
    found.map((one) => ({ ...one, scenario: trial.name, advice }))
  const judge = async (world: OwnWorld): Promise<ScenarioResult> => {
    const { control } = world
    const { findings, warnings, unjudged, idle, asked } = await run({ ...world, signal, asked: learnt.asked })
    learnt.asked ??= asked
    const all = await withWorldsBelow(control)
    learnt.coverage.push(mergeCoverage(await Promise.all(all.map((one) => one('GET', '/coverage')))))
    for (const one of firstOfEach(findings)) Object.assign(one, await sequenceOf(control, one))
    const capsule = !isRepeat && findings[0] && (await keep(control, options.merchant, trial.name, findings[0].text))
    const hits = await Promise.all(all.map((one) => one('GET', '/scenario/hits')))
    const unfired = hits.map(({ neverFired }) => neverFired.map(({ rule }) => rule))
    const isOrdinary = trial.name === base.name
    return {
      scenario: trial.name,
      ...(trial.risk && { risk: trial.risk }),
      ...verdictOf(trial === base, findings.length, unjudged, idle),
      findings: told(findings).map((one) => ({
        ...one,
        ...(capsule && { capsule }),
        replay: capsule ? `mfano replay ${capsule}` : `mfano gauntlet --scenario ${trial.name} ${command}`,
      })),
      warnings: told(warnings),
      // The ordinary day has a rule for every number that means something; nobody uses them all.
      unmet: isOrdinary ? [] : unfired.reduce((left, more) => left.filter((rule) => more.includes(rule))),
      ...(!isOrdinary && !hits.some(hasFired) && { isUnmet: true as const, why: NOTHING_MET }),
      tookMs: wallNowMs() - beganMs,
    }
  }
  return unlessAborted(signal, () => inNewWorld(server, wanted, judge))
}

/** Others of a code look alike, and nobody reads them all. */
function firstOfEach(findings: readonly AppFinding[]): AppFinding[] {
  return [...Map.groupBy(findings, ({ code }) => code).values()].flatMap((alike) => alike.slice(0, 1))
}

async function sequenceOf(control: Control, finding: AppFinding): Promise<Pick<AppFinding, 'sequence'>> {
  const { requestId, others = [] } = finding
  const ids = [...others, requestId].filter((id) => id !== undefined).slice(0, PAYMENTS_TOLD)
  const told = await Promise.all(
    ids.map((id) => control('GET', '/payments/:id/explain', { path: { id } }).catch(() => undefined)),
  )
  const known = told.filter((one) => one !== undefined)
  return known.length === 0 ? {} : { sequence: sequenceOfPayments(known) }
}

/** A scenario under which a paying app makes no payment tested nothing. */
function verdictOf(
  ordinary: boolean,
  findings: number,
  unjudged: string | undefined,
  idle = false,
): Pick<ScenarioResult, 'verdict' | 'why' | 'isIdle'> {
  if (findings > 0) return { verdict: 'findings' }
  if (unjudged === undefined) return { verdict: 'clean' }
  return !ordinary && idle
    ? { verdict: 'skipped', why: 'not reached: no payment was made under it', isIdle: true }
    : { verdict: 'unjudged', why: unjudged }
}

/** Whether a rule or fault of the scenario's own did something, or it has none and changes something else. */
function hasFired({ rules, faults, rails, neverFired }: ControlAnswer<'GET', '/scenario/hits'>): boolean {
  const own = [...rules, ...faults, ...rails].filter(({ inherited }) => !inherited)
  return own.length === 0 || neverFired.length < own.length
}

function didNothing({ verdict, isUnmet }: ScenarioResult): boolean {
  return verdict === 'skipped' || (verdict === 'clean' && isUnmet === true)
}

function keep(control: Control, merchant: string, scenario: string, why: string): Promise<string | undefined> {
  return keepCapsule(() => control.open('GET', '/capsule', { query: { why } }), `${merchant}-${scenario}`)
}

/** A scenario about a certain day sets its own time. */
function startOf({ clock }: WrittenScenario): unknown {
  return isRecord(clock) ? clock['start'] : undefined
}

function isSlow({ written }: Trial): boolean {
  return JSON.stringify(written['faults'] ?? []).includes('"latency"')
}

function unrun({ name, risk }: Trial, verdict: ScenarioResult['verdict']): ScenarioResult {
  return { scenario: name, ...(risk && { risk }), verdict, findings: [], warnings: [], unmet: [], tookMs: 0 }
}

function usedIn({ operations, ends }: Coverage, known: readonly KnownTarget[]): UsedParts {
  const called = known.filter(({ id }) => operations.hit.includes(id))
  return {
    operations: new Set(called.flatMap(({ id, target }) => [id, target])),
    kinds: new Set([
      ...ends.hit.flatMap((name) => name.split(' ', 1)),
      ...called.map(({ opens }) => opens).filter((kind) => kind !== undefined),
    ]),
  }
}

// Decides which scenarios can affect an app, from what it used in an ordinary run. Pure.

interface UsedParts {
  operations: ReadonlySet<string>
  kinds: ReadonlySet<string>
}

type WrittenScenario = Record<string, unknown>

const EVERY = ['*', 'any']

type Entry = { on?: string | string[] }

/**
 * Returns undefined if the scenario applies. A scenario that changes only unused kinds and operations gives the app
 * exactly the answers of the base, so skipping it changes no verdict.
 */
function whyNot(scenario: WrittenScenario, base: WrittenScenario, used: UsedParts): string | undefined {
  const unmet = new Set<string>()
  for (const { path, entry } of changes(scenario, base)) {
    const on = entryOn(entry)
    if (on === undefined || !isTargeted(path)) return undefined
    const targets = path === 'faults' ? used.operations : used.kinds
    if (on.some((target) => EVERY.includes(target) || targets.has(target))) return undefined
    for (const target of on) unmet.add(target)
  }
  if (unmet.size === 0) return undefined
  const names = [...unmet]
  return `no ${names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : names[0]} is ever sent`
}

function isTargeted(path: string): boolean {
  return path === 'rules' || path === 'faults' || path === 'callbacks.faults' || path.startsWith('rails.')
}

function entryOn(entry: unknown): string[] | undefined {
  const { on }: Entry = typeof entry === 'object' && entry !== null ? entry : {}
  return on === undefined ? undefined : [on].flat()
}

interface Change {
  path: string
  entry: unknown
}

/** Compares lists entry by entry. Names and descriptions are ignored. */
function changes(own: WrittenScenario, base: WrittenScenario): Change[] {
  const names = ['name', 'description', 'extends', 'include', 'parameters']
  const keys = [...new Set([...Object.keys(own), ...Object.keys(base)])].filter((key) => !names.includes(key))
  return keys.flatMap((key) => differences(key, own[key], base[key]))
}

function differences(path: string, own: unknown, base: unknown): Change[] {
  if (JSON.stringify(own) === JSON.stringify(base)) return []
  // A part that one of them leaves out is an empty list or mapping there.
  const [mine, theirs] = [own ?? emptyLike(base), base ?? emptyLike(own)]
  if (isList(mine) && isList(theirs))
    return [...without(mine, theirs), ...without(theirs, mine)].map((entry) => ({ path, entry }))
  if (isMapping(mine) && isMapping(theirs))
    return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap((key) =>
      differences(`${path}.${key}`, mine[key], theirs[key]),
    )
  return [{ path, entry: own ?? base }]
}

function emptyLike(other: unknown): unknown {
  return isList(other) ? [] : isMapping(other) ? {} : undefined
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const known = new Set(other.map((one) => JSON.stringify(one)))
  return list.filter((one) => !known.has(JSON.stringify(one)))
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

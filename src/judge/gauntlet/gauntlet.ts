/** Runs a subject in every situation that can affect it, a scenario or a single choice, and repeats what it finds. */
import type { ControlBody } from '../../client/control.ts'
import { isRecord } from '../../core/model/must.ts'
import type { Coverage, Dimension } from '../../inspect/coverage.ts'
import { findingRecords } from '../../inspect/finding.ts'
import { appFindings } from '../app/app-findings.ts'
import { type Choice, choiceSort, recordOf } from '../explore/choice.ts'
import { confirm } from '../explore/confirm.ts'
import type { Ran } from '../explore/run-app.ts'
import type { ScheduleRecording } from '../explore/schedule-runner.ts'
import type { SubjectRuns, TimedRun } from '../explore/subject-runs.ts'
import { nameOfChoices, toldUnder } from '../explore/tell.ts'
import { capsuleFolder } from '../keep-capsule.ts'
import { type AppFinding, adviceOf } from '../subject/outcome.ts'
import { BEGINNING, Turns, unlessAborted } from '../subject/own-worlds.ts'
import type { Subject } from '../subject/subject-of.ts'
import type { SubjectOptions } from '../subject.ts'
import { scenarioRun } from './gauntlet-document.ts'
import {
  exercised,
  type GauntletFinding,
  type GauntletReport,
  riskScorecard,
  type ScenarioResult,
} from './gauntlet-report.ts'
import { type KnownTarget, knownTargets, readTrials, type Trial } from './trials.ts'

/** For an app under all scenarios and single choices. */
const WITHIN_MS = 180_000
const SINGLES_EACH = 6
const TOO_LATE = 'its time was over before the ordinary day had been judged. Give it more, with --within 5m'
const ORDINARY = 'mend this first. Nothing was made to go wrong here.'
/** Runs more where the same code came and went elsewhere: of many that come by chance, some come three times. */
const MORE_RUNS = 6
const NOTHING_MET = 'not reached: nothing met its rules'

export interface GauntletOptions extends SubjectOptions {
  scenarios: readonly string[]
  scenarioFolder: string | undefined
  full: boolean
  least: Partial<Record<Dimension, number>>
  /** Real milliseconds for all of it; undefined for the usual limit, which only an app under everything has. */
  withinMs?: number | undefined
}

/** A scenario; or a single choice. */
type Situation = Trial | Choice

/** `open`: opens runs that end with the time. */
export async function gauntlet(
  options: GauntletOptions,
  subject: Subject,
  open: (signal: AbortSignal) => Promise<SubjectRuns>,
): Promise<GauntletReport> {
  const isNamed = options.scenarios.length > 0 || options.scenarioFolder !== undefined
  const isWhole = subject.merchant !== undefined && !isNamed
  const trials = readTrials(options.scenarios, options.scenarioFolder)
  const withinMs = options.withinMs ?? (isWhole ? WITHIN_MS : undefined)
  const late = withinMs === undefined ? [] : [AbortSignal.timeout(withinMs)]
  const signal = AbortSignal.any([options.signal, ...late])
  const runs = await open(signal)
  const run = new GauntletRun({ ...options, ...trials, signal, isNamed, isWhole }, subject, runs)
  try {
    await run.all()
  } finally {
    await runs.close()
  }
  return { ...run.report(), interrupted: options.signal.aborted }
}

interface RunOptions extends GauntletOptions {
  base: Trial
  trials: readonly Trial[]
  /** Scenarios were chosen by name: where none of them does anything, nothing was tested. */
  isNamed: boolean
  /** Also under every single choice. */
  isWhole: boolean
}

class GauntletRun {
  readonly #options: RunOptions
  readonly #subject: Subject
  readonly #runs: SubjectRuns
  readonly #coverage: Coverage[] = []
  readonly #results: ScenarioResult[] = []
  readonly #singles: ScenarioResult[] = []
  readonly #unstable: GauntletFinding[] = []
  readonly #unconfirmed: GauntletFinding[] = []
  #ordinary: ScenarioResult | undefined
  /** Codes with the sort of choice that showed them each time. */
  readonly #known = new Set<string>()
  /** Results that were seen again, and may be once more. */
  readonly #certain = new Map<ScenarioResult, Situation>()

  constructor(options: RunOptions, subject: Subject, runs: SubjectRuns) {
    this.#options = options
    this.#subject = subject
    this.#runs = runs
  }

  async all(): Promise<void> {
    const { base, trials, isWhole, signal } = this.#options
    const isListed = trials.some(({ name }) => name === base.name)
    const first = await this.#run(base, { patience: 'first' })
    const ordinary = (first && (await this.#resultOf(base, first))) ?? { ...unrun(base, 'unjudged'), why: TOO_LATE }
    this.#ordinary = ordinary
    // An app that does not run on an ordinary day cannot be judged on any other.
    if (isListed || ordinary.verdict !== 'clean') this.#note(base, ordinary)
    const waiting = this.#waiting()
    const withSingles = isWhole && ordinary.verdict === 'clean'
    const choices = (first && (await unlessAborted(signal, () => this.#runs.learn(first, withSingles)))) || []
    await new Turns(this.#subject.jobs).each(mixed(waiting, choices), async (situation) => {
      const ran = await this.#run(situation, {})
      const result = ran && (await this.#resultOf(situation, ran))
      this.#note(situation, result ?? unrun(situation, 'left'))
      await this.#confirmDoubtful()
    })
    await this.#confirmDoubtful()
  }

  report(): Omit<GauntletReport, 'interrupted'> {
    const { trials, isNamed, least } = this.#options
    const { name: merchant, command } = this.#subject
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
      scorecard: riskScorecard(all),
      ...exercised({ chosen: trials.map(({ name }) => name), command, least }, this.#coverage),
    }
  }

  /** Scenarios that can make a difference, those that hold answers back first: they take longest. */
  #waiting(): Trial[] {
    const { base, trials, full } = this.#options
    const [covered] = this.#coverage
    if (this.#ordinary?.verdict === 'unjudged' || !covered) return []
    const used = usedIn(covered, knownTargets())
    const waiting: Trial[] = []
    for (const trial of trials.filter(({ name }) => name !== base.name)) {
      const why = full ? undefined : whyNot(trial.written, base.written, used)
      if (why === undefined) waiting.push(trial)
      else this.#note(trial, { ...unrun(trial, 'skipped'), why })
    }
    return waiting.sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)))
  }

  /** Undefined where it was interrupted. */
  #run(situation: Situation, recording: ScheduleRecording): Promise<TimedRun | undefined> {
    return unlessAborted(this.#options.signal, () => this.#runOnce(situation, recording))
  }

  async #runOnce(situation: Situation, recording: ScheduleRecording): Promise<TimedRun> {
    const isTrial = 'written' in situation
    const world = isTrial && { world: worldOf(situation) }
    const ran = await this.#runs.run(isTrial ? [] : [situation], { ...recording, ...world })
    if (ran.left) this.#coverage.push(ran.left.coverage)
    return ran
  }

  /** A finding counts once it was seen again, so that an app which goes wrong now and then is not blamed. */
  async #resultOf(situation: Situation, ran: TimedRun): Promise<ScenarioResult> {
    const { base, signal } = this.#options
    const codes = [...new Set(ran.findings.map(({ code }) => code))]
    const isAlike = (code: string) => this.#known.has(knownAs(situation, code))
    const [alike, fresh] = [codes.filter(isAlike), codes.filter((code) => !isAlike(code))]
    const result: ScenarioResult = {
      ...{ ...unrun(situation, codes.length > 0 ? 'findings' : 'clean'), tookMs: ran.tookMs },
      ...verdictOf(situation, base, ran),
      ...(alike.length > 0 && { why: `${alike.join(', ')}, as another choice of its sort showed` }),
      warnings: this.#told(situation, ran, ran.warnings),
    }
    if (fresh.length === 0) return result
    const told = (shown: Ran, code: string) =>
      this.#told(
        situation,
        shown,
        shown.findings.filter((one) => one.code === code),
      )
    const confirmed = await unlessAborted(signal, () =>
      confirm(fresh, (recording) => this.#runOnce(situation, recording), {
        name: 'written' in situation ? situation.name : (fresh[0] ?? ''),
        capsules: capsuleFolder(),
        // The ordinary day was patient from the beginning.
        isHasty: situation !== base,
      }),
    )
    if (!confirmed) this.#unconfirmed.push(...fresh.flatMap((code) => told(ran, code)))
    const tooSoon: string[] = []
    for (const { code, verdict, shown = ran } of confirmed ?? []) {
      if (verdict === 'unstable') this.#unstable.push(...told(shown, code))
      if (verdict === 'too-soon') tooSoon.push(code)
      if (verdict !== 'certain') continue
      result.findings.push(...told(shown, code))
      if (!('written' in situation)) this.#known.add(knownAs(situation, code))
    }
    if (tooSoon.length === codes.length) result.verdict = 'clean'
    if (tooSoon.length > 0) result.why ??= `${tooSoon.join(', ')} was seen, and was put right by the app a moment later`
    this.#certain.set(result, situation)
    return result
  }

  #told(situation: Situation, ran: Ran, found: readonly AppFinding[]): GauntletFinding[] {
    const { command } = this.#subject
    const isTrial = 'written' in situation
    const scenario = nameOf(situation)
    const seen = new Set<string>()
    return found.map((one) => {
      const isFirst = !seen.has(one.code)
      seen.add(one.code)
      const { sequence, story } = isTrial ? { sequence: ran.left?.sequences[one.code] } : toldUnder([situation], ran)
      const replay =
        one.capsule !== undefined
          ? `mfano replay ${one.capsule}`
          : isTrial
            ? `mfano gauntlet --scenario ${scenario} ${command}`
            : undefined
      return {
        ...{ ...one, scenario, advice: isTrial ? adviceOf(situation.source) : todoOf(one.code) },
        ...(!isTrial && { choices: [situation], story }),
        ...(isFirst && sequence && { sequence }),
        ...(replay !== undefined && { replay }),
      }
    })
  }

  /** Asks more often for what came and went elsewhere, before it counts. */
  async #confirmDoubtful(): Promise<void> {
    const isDoubtful = ({ code }: GauntletFinding) => this.#unstable.some((one) => one.code === code)
    for (const [result, situation] of this.#certain)
      if (result.findings.some(isDoubtful)) {
        this.#certain.delete(result)
        for (let run = 0; run < MORE_RUNS && result.findings.some(isDoubtful); run++) {
          const again = await this.#run(situation, { patience: 'patient' })
          const codes = again?.findings.map(({ code }) => code) ?? []
          const failing = result.findings.filter((one) => isDoubtful(one) && !codes.includes(one.code))
          ;(again ? this.#unstable : this.#unconfirmed).push(...failing)
          result.findings = result.findings.filter((one) => !failing.includes(one))
        }
      }
  }

  #note(situation: Situation, result: ScenarioResult): void {
    const isTrial = 'written' in situation
    ;(isTrial ? this.#results : this.#singles).push(result)
    // There are hundreds of single choices.
    const isSilent = result.verdict === 'left' || result.verdict === 'skipped'
    if (!isSilent && (isTrial || result.verdict !== 'clean')) this.#options.ended(scenarioRun(result))
  }
}

function nameOf(situation: Situation): string {
  return 'written' in situation ? situation.name : nameOfChoices([situation])
}

/** Choices of one sort show the same, so one of them is enough. */
function knownAs(situation: Situation, code: string): string {
  return `${code} ${'written' in situation ? nameOf(situation) : choiceSort(situation)}`
}

function unrun(situation: Situation, verdict: ScenarioResult['verdict']): ScenarioResult {
  const risk = 'written' in situation ? situation.risk : recordOf(situation).risk(situation)
  return {
    ...{ scenario: nameOf(situation), ...(risk && { risk }), verdict },
    ...{ findings: [], warnings: [], unmet: [], tookMs: 0 },
  }
}

/** A scenario about a certain day sets its own time. */
function worldOf({ sendable, written }: Trial): ControlBody<'POST', '/worlds'> {
  const start = isRecord(written['clock']) ? written['clock']['start'] : undefined
  return {
    scenario: sendable.source,
    parameters: sendable.parameters,
    clock: { mode: 'frozen', ...(start === undefined && { start: BEGINNING }) },
  }
}

/** Scenarios take several times as long as single choices: one, and then some of those. */
function mixed(scenarios: readonly Trial[], singles: readonly Choice[]): Situation[] {
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

/** A scenario under which a paying app makes no payment tested nothing. */
function verdictOf(
  situation: Situation,
  base: Trial,
  { findings, unjudged, idle, left }: Ran,
): Partial<Pick<ScenarioResult, 'verdict' | 'why' | 'isIdle' | 'unmet' | 'isUnmet'>> {
  // The ordinary day has a rule for every number that means something; nobody uses them all.
  const isOrdinary = 'written' in situation && situation.name === base.name
  const met = left &&
    !isOrdinary && { unmet: left.unmet, ...(!left.hasFired && { isUnmet: true as const, why: NOTHING_MET }) }
  if (findings.length > 0 || unjudged === undefined) return { ...met }
  return idle && situation !== base
    ? { verdict: 'skipped', why: 'not reached: no payment was made under it', isIdle: true, ...met }
    : { verdict: 'unjudged', why: unjudged, ...met }
}

function todoOf(code: string): string {
  const records: Readonly<Record<string, { todo: string } | undefined>> = { ...findingRecords, ...appFindings }
  return records[code]?.todo ?? ''
}

function didNothing({ verdict, isUnmet }: ScenarioResult): boolean {
  return verdict === 'skipped' || (verdict === 'clean' && isUnmet === true)
}

function isSlow({ written }: Trial): boolean {
  return JSON.stringify(written['faults'] ?? []).includes('"latency"')
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

type WrittenScenario = Trial['written']

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

/** Runs a subject in every situation that can affect it, a scenario or a single choice, and repeats what it finds. */
import { isRecord } from '../../core/model/must.ts'
import { faultTarget } from '../../core/response-faults.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import { paymentsService } from '../../service/service.ts'
import type { Merchant } from '../app/merchant-file.ts'
import { type Choice, recordOf } from '../explore/choice.ts'
import { readTrial, type Trial, trialOf } from '../explore/choices/worlds.ts'
import { Engine, type Found } from '../explore/engine.ts'
import type { Ran } from '../explore/run-app.ts'
import { type SubjectRuns, type TimedRun, withRuns } from '../explore/subject-runs.ts'
import { nameOfChoices, storyOf, toldFindings } from '../explore/tell.ts'
import type { UsedParts } from '../explore/world-left.ts'
import { capsuleFolder } from '../keep-capsule.ts'
import { unlessAborted } from '../subject/own-worlds.ts'
import type { Patience, SubjectOptions } from '../subject.ts'
import { type GauntletReport, riskScorecard, type ScenarioResult, scenarioRun } from './gauntlet-document.ts'

const BASE = 'default'
/** Fixed, so that a run can be compared with the next. */
const SEED = 1
const WITHIN_MS = 180_000
const SINGLES_EACH = 6
const TOO_LATE = 'its time was over before the ordinary day had been judged. Give it more, with --within 5m'
const ORDINARY = 'mend this first. Nothing was made to go wrong here.'
const NOTHING_MET = 'not reached: nothing met its rules'

export interface GauntletOptions extends Patience, Pick<SubjectOptions, 'signal' | 'ended'> {
  /** The merchant file, as it was typed. */
  file: string
  jobs: number
  scenarios: readonly string[]
  full: boolean
  tls?: boolean | undefined
  withinMs?: number | undefined
}

export async function gauntlet(
  options: GauntletOptions,
  merchant: Merchant,
  using = withRuns,
): Promise<GauntletReport> {
  const isNamed = options.scenarios.length > 0
  const scenarios = scenariosOf(options)
  const withinMs = options.withinMs ?? (isNamed ? undefined : WITHIN_MS)
  const late = withinMs === undefined ? [] : [AbortSignal.timeout(withinMs)]
  const signal = AbortSignal.any([options.signal, ...late])
  return using({ ...options, merchant, seed: SEED, signal }, async (runs) => {
    const run = new GauntletRun({ ...options, scenarios, signal, isNamed }, runs)
    await run.all()
    return { merchant: merchant.name, ...run.report(), interrupted: options.signal.aborted }
  })
}

interface RunOptions extends GauntletOptions {
  /** Scenarios were chosen by name, so no single choice is tried. Where none of them does anything, nothing was tested. */
  isNamed: boolean
}

type ScenarioChoice = Extract<Choice, { do: 'scenario' }>

class GauntletRun {
  readonly #options: RunOptions
  readonly #runs: SubjectRuns
  readonly #engine: Engine
  /** With the findings of each, as far as they are not doubted later. */
  readonly #results = new Map<ScenarioResult, readonly Found[]>()
  #ordinary: ScenarioResult | undefined

  constructor(options: RunOptions, runs: SubjectRuns) {
    this.#options = options
    this.#runs = runs
    this.#engine = new Engine({ runs, signal: options.signal, capsules: capsuleFolder() })
  }

  async all(): Promise<void> {
    const { scenarios, isNamed, signal } = this.#options
    const base = scenarioNamed(BASE)
    const first = await this.#engine.run([base], { patience: 'first' })
    const ordinary: ScenarioResult = first
      ? await this.#resultOf(base, first)
      : { ...unrun(base, 'unjudged'), why: TOO_LATE }
    this.#ordinary = ordinary
    // An app that does not run on an ordinary day cannot be judged on any other.
    if (scenarios.includes(BASE) || ordinary.verdict !== 'clean') this.#note(ordinary)
    else this.#results.delete(ordinary)
    const waiting = ordinary.verdict !== 'unjudged' && first ? this.#waiting(first) : []
    const withSingles = !isNamed && ordinary.verdict === 'clean'
    const learnt = first && (await unlessAborted(signal, () => this.#runs.learn(first, withSingles)))
    const each = mixed(waiting, learnt?.singles ?? []).map(async (one) => {
      const ran = await this.#engine.run([one])
      this.#note(ran ? await this.#resultOf(one, ran) : unrun(one, 'left'))
    })
    await Promise.all(each)
  }

  report(): Omit<GauntletReport, 'merchant' | 'interrupted'> {
    const { isNamed, file } = this.#options
    const { findings: certain, unstable, unconfirmed } = this.#engine.lists
    const ordinary = this.#ordinary
    const told = (found: readonly Found[]) => found.flatMap((one) => toldFindings(one, one.alike, file))
    for (const [result, found] of this.#results) result.findings = told(found.filter((one) => certain.includes(one)))
    const all = [...this.#results.keys()]
    const [under = [], singles = []] = [true, false].map((is) =>
      all.filter(({ story }) => (story === undefined) === is),
    )
    if (isNamed && under.every(didNothing)) for (const one of under) one.verdict = 'unjudged'
    under.sort((a, b) => Number(b === ordinary) - Number(a === ordinary) || a.scenario.localeCompare(b.scenario))
    const sorted = [...under, ...singles]
    if (ordinary) setApart(ordinary, sorted)
    return {
      findings: sorted.flatMap(({ findings }) => findings),
      warnings: sorted.flatMap(({ warnings }) => warnings),
      known: [],
      unstable: told(unstable),
      unconfirmed: told(unconfirmed),
      scenarios: under,
      singles,
      scorecard: riskScorecard(sorted),
    }
  }

  /** Scenarios that can make a difference. */
  #waiting(ordinary: Ran): ScenarioChoice[] {
    const { scenarios, full } = this.#options
    const used = touchedBy(ordinary)
    const base = trialOf(BASE).written
    const waiting: ScenarioChoice[] = []
    for (const one of scenarios.filter((name) => name !== BASE).map(scenarioNamed)) {
      const why = full ? undefined : whyNot(trialOf(one.scenario).written, base, used)
      if (why === undefined) waiting.push(one)
      else this.#note({ ...unrun(one, 'skipped'), why })
    }
    return waiting
  }

  /** A finding counts once it was seen again, so that an app which goes wrong now and then is not blamed. */
  async #resultOf(one: Choice, ran: TimedRun): Promise<ScenarioResult> {
    const { file } = this.#options
    const judged = await this.#engine.judge(ran)
    const codesOf = (wanted: string) => judged.filter(({ verdict }) => verdict === wanted).map(({ code }) => code)
    const [alike, tooSoon] = [codesOf('explained'), codesOf('too-soon')]
    const found = judged.flatMap(({ verdict, found }) => (verdict === 'certain' && found ? [found] : []))
    const why =
      alike.length > 0
        ? `${alike.join(', ')}, as another choice of its sort showed`
        : tooSoon.length > 0
          ? `${tooSoon.join(', ')} was seen, and was put right by the app a moment later`
          : undefined
    const isClean = tooSoon.length === judged.length
    const result: ScenarioResult = {
      ...{ ...unrun(one, isClean ? 'clean' : 'findings'), tookMs: ran.tookMs },
      ...verdictOf(one, ran),
      ...(why !== undefined && { why }),
      findings: found.flatMap((each) => toldFindings(each, each.alike, file)),
      warnings: toldFindings({ choices: [one], ran }, ran.warnings, file),
    }
    this.#results.set(result, found)
    return result
  }

  #note(result: ScenarioResult): void {
    if (!this.#results.has(result)) this.#results.set(result, [])
    // There are hundreds of single choices.
    const isSilent = result.verdict === 'left' || result.verdict === 'skipped'
    if (!isSilent && (result.story === undefined || result.verdict !== 'clean'))
      this.#options.ended(scenarioRun(result))
  }
}

function scenarioNamed(scenario: string): ScenarioChoice {
  return { do: 'scenario', scenario }
}

function unrun(one: Choice, verdict: ScenarioResult['verdict']): ScenarioResult {
  const risk = recordOf(one).risk(one)
  return {
    ...{ scenario: nameOfChoices([one]), ...(one.do !== 'scenario' && { story: storyOf([one]).join() }) },
    ...{ ...(risk && { risk }), verdict, findings: [], warnings: [], unmet: [], tookMs: 0 },
  }
}

/** Scenarios take several times as long as single choices: one, and then some of those. */
function mixed(scenarios: readonly Choice[], singles: readonly Choice[]): Choice[] {
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
  one: Choice,
  { findings, unjudged, idle, left }: Ran,
): Partial<Pick<ScenarioResult, 'verdict' | 'why' | 'isIdle' | 'unmet' | 'isUnmet'>> {
  // The ordinary day has a rule for every number that means something; nobody uses them all.
  const isOrdinary = one.do === 'scenario' && one.scenario === BASE
  const met = left &&
    !isOrdinary && { unmet: left.unmet, ...(!left.hasFired && { isUnmet: true as const, why: NOTHING_MET }) }
  if (findings.length > 0 || unjudged === undefined) return { ...met }
  return idle && !isOrdinary
    ? { verdict: 'skipped', why: 'not reached: no payment was made under it', isIdle: true, ...met }
    : { verdict: 'unjudged', why: unjudged, ...met }
}

function didNothing({ verdict, isUnmet }: ScenarioResult): boolean {
  return verdict === 'skipped' || (verdict === 'clean' && isUnmet === true)
}

type Touched = Pick<UsedParts, 'operations' | 'kinds'>

/** An operation by each of its names, and the kinds that were asked for, made or not. */
function touchedBy({ requests, payments }: Ran): Touched {
  const called = paymentsService.operations.filter(({ id }) => requests.some(({ operation }) => operation === id))
  return {
    operations: new Set(called.flatMap((one) => [one.id, faultTarget(one)])),
    kinds: new Set([...payments.map(({ kind }) => kind), ...called.flatMap(({ opens }) => opens ?? [])]),
  }
}

const EVERY = ['*', 'any']

/**
 * Returns undefined if the scenario applies. A scenario that changes only unused kinds and operations gives the app
 * exactly the answers of the base, so skipping it changes no verdict.
 */
function whyNot(scenario: Trial['written'], base: Trial['written'], used: Touched): string | undefined {
  const unmet = new Set<string>()
  for (const { path, entry } of changes(scenario, base)) {
    const { on }: { on?: string | string[] } = isRecord(entry) ? entry : {}
    if (on === undefined || !isTargeted(path)) return undefined
    const targets = path === 'faults' ? used.operations : used.kinds
    for (const target of [on].flat()) {
      if (EVERY.includes(target) || targets.has(target)) return undefined
      unmet.add(target)
    }
  }
  if (unmet.size === 0) return undefined
  const names = [...unmet]
  return `no ${names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : names[0]} is ever sent`
}

function isTargeted(path: string): boolean {
  return path === 'rules' || path === 'faults' || path === 'callbacks.faults' || path.startsWith('rails.')
}

interface Change {
  path: string
  entry: unknown
}

function changes(own: Trial['written'], base: Trial['written']): Change[] {
  const [mine, theirs] = [entriesOf(own), entriesOf(base)]
  return [...mine, ...theirs].flatMap(([key, change]) => (mine.has(key) && theirs.has(key) ? [] : change))
}

const UNREAD = ['name', 'description', 'extends', 'parameters']

function entriesOf(written: Trial['written']): Map<string, Change> {
  const found = new Map<string, Change>()
  const look = (value: unknown, path: string): void => {
    if (isRecord(value) && !Array.isArray(value))
      for (const [name, inner] of Object.entries(value)) look(inner, path === '' ? name : `${path}.${name}`)
    else for (const entry of [value].flat()) found.set(`${path} ${JSON.stringify(entry)}`, { path, entry })
  }
  look(Object.fromEntries(Object.entries(written).filter(([name]) => !UNREAD.includes(name))), '')
  return found
}

/** By their names, or their files. All of them are read, so that a mistake in one is told before anything is run. */
function scenariosOf({ scenarios }: GauntletOptions): readonly string[] {
  const names = scenarios.length > 0 ? scenarios : scenarioLibrary().names
  for (const name of [BASE, ...names]) readTrial(name)
  return names
}

/** Runs a subject in every situation that can affect it, a scenario or a single choice, and repeats what it finds. */
import { faultTarget } from '../../core/response-faults.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import type { ReportDocument } from '../../inspect/report-document.ts'
import { paymentsService } from '../../service/service.ts'
import { type Merchant, readMerchantFile } from '../app/merchant-file.ts'
import { type Choice, recordOf } from '../explore/choice.ts'
import { readTrial, type Trial, trialOf } from '../explore/choices/worlds.ts'
import { Engine, type Found, TOO_LATE } from '../explore/engine.ts'
import type { Ran } from '../explore/run-app.ts'
import { type SubjectRuns, type TimedRun, withRuns } from '../explore/subject-runs.ts'
import { nameOfChoices, storyOf, type ToldUnder, toldFindings } from '../explore/tell.ts'
import { capsuleFolder } from '../keep-capsule.ts'
import type { JudgeOptions } from '../subject.ts'
import {
  type GauntletReport,
  gauntletDocument,
  riskScorecard,
  type ScenarioResult,
  scenarioRun,
} from './gauntlet-document.ts'

const BASE = 'default'
/** Fixed, so that a run can be compared with the next. */
const SEED = 1
const WITHIN_MS = 180_000
const SINGLES_EACH = 6
const ORDINARY = 'mend this first. Nothing was made to go wrong here.'
const NOTHING_MET = 'not reached: nothing met its rules'

export interface GauntletOptions extends JudgeOptions {
  /** The merchant file, as it was typed. */
  file: string
  scenarios: readonly string[]
  full: boolean
  withinMs?: number | undefined
  /** Advice fails the run, as a finding does. */
  adviceCounts: boolean
  /** Report what does not come each time, but do not fail because of it. */
  allowUnstable?: boolean
}

export async function runGauntlet(options: GauntletOptions): Promise<ReportDocument<GauntletReport>> {
  const found = await gauntlet(options, readMerchantFile(options.file))
  const findings = options.adviceCounts ? [...found.findings, ...found.warnings] : found.findings
  return gauntletDocument({ ...found, findings }, options)
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

interface Tried {
  result: ScenarioResult
  /** As far as they are not doubted later. */
  found: readonly Found[]
}

type ScenarioChoice = Extract<Choice, { do: 'scenario' }>

class GauntletRun {
  readonly #options: RunOptions
  readonly #engine: Engine
  readonly #tried: Tried[] = []
  #ordinary: ScenarioResult | undefined

  constructor(options: RunOptions, runs: SubjectRuns) {
    this.#options = options
    this.#engine = new Engine({ runs, signal: options.signal, capsules: capsuleFolder() })
  }

  async all(): Promise<void> {
    const { scenarios, isNamed } = this.#options
    const base = scenarioNamed(BASE)
    const first = await this.#engine.run([base], { patience: 'first' })
    const ordinary: Tried = first
      ? await this.#judged(base, first)
      : { result: { ...unrun(base, 'unjudged'), why: TOO_LATE }, found: [] }
    const { result } = ordinary
    this.#ordinary = result
    // An app that does not run on an ordinary day cannot be judged on any other.
    if (scenarios.includes(BASE) || result.verdict !== 'clean') this.#note(ordinary)
    if (!first || result.verdict === 'unjudged') return
    const waiting = this.#waiting(first)
    const withSingles = !isNamed && result.verdict === 'clean'
    const learnt = await this.#engine.learn(first, withSingles)
    const each = mixed(waiting, learnt?.singles ?? []).map(async (one) => {
      const ran = await this.#engine.run([one])
      this.#note(ran ? await this.#judged(one, ran) : { result: unrun(one, 'left'), found: [] })
    })
    await Promise.all(each)
  }

  report(): Omit<GauntletReport, 'merchant' | 'interrupted'> {
    const { isNamed, file } = this.#options
    const { findings: certain, unstable, unconfirmed } = this.#engine.lists
    const ordinary = this.#ordinary
    for (const { result, found } of this.#tried)
      result.findings = describeFindings(
        found.filter((one) => certain.includes(one)),
        file,
      )
    const all = this.#tried.map(({ result }) => result)
    const under = all.filter(({ story }) => story === undefined)
    const singles = all.filter(({ story }) => story !== undefined)
    if (isNamed && under.every(didNothing)) for (const one of under) one.verdict = 'unjudged'
    under.sort((a, b) => Number(b === ordinary) - Number(a === ordinary) || a.scenario.localeCompare(b.scenario))
    const sorted = [...under, ...singles]
    if (ordinary) setApart(ordinary, sorted)
    return {
      findings: sorted.flatMap(({ findings }) => findings),
      warnings: sorted.flatMap(({ warnings }) => warnings),
      unstable: describeFindings(unstable, file),
      unconfirmed: describeFindings(unconfirmed, file),
      scenarios: under,
      singles,
      scorecard: riskScorecard(sorted),
    }
  }

  /** Scenarios that can make a difference. */
  #waiting(ordinary: Ran): ScenarioChoice[] {
    const { scenarios, full } = this.#options
    const used = usedIn(ordinary)
    return scenarios
      .filter((name) => name !== BASE)
      .map(scenarioNamed)
      .filter((one) => {
        const why = full ? undefined : whyNot(trialOf(one.scenario), used)
        if (why !== undefined) this.#note({ result: { ...unrun(one, 'skipped'), why }, found: [] })
        return why === undefined
      })
  }

  /** A finding counts once it was seen again, so that an app which goes wrong now and then is not blamed. */
  async #judged(one: Choice, ran: TimedRun): Promise<Tried> {
    const { file } = this.#options
    const judged = await this.#engine.judge(ran)
    const codesOf = (wanted: string) =>
      judged.flatMap(({ verdict, code }) => (verdict === wanted ? code : [])).join(', ')
    const [alike, tooSoon] = [codesOf('explained'), codesOf('too-soon')]
    const why = alike
      ? `${alike}, as another choice of its sort showed`
      : tooSoon && `${tooSoon} was seen, and was put right by the app a moment later`
    const found = judged.flatMap(({ verdict, found }) => (verdict === 'certain' && found ? [found] : []))
    const isClean = judged.every(({ verdict }) => verdict === 'too-soon')
    const result: ScenarioResult = {
      ...{ ...unrun(one, isClean ? 'clean' : 'findings'), tookMs: ran.tookMs },
      ...verdictOf(one, ran),
      ...(why !== '' && { why }),
      findings: describeFindings(found, file),
      warnings: toldFindings({ choices: [one], ran }, ran.warnings, commandOf([one], file)),
    }
    return { result, found }
  }

  #note(tried: Tried): void {
    const { result } = tried
    this.#tried.push(tried)
    // There are hundreds of single choices.
    const isSilent = result.verdict === 'left' || result.verdict === 'skipped'
    if (!isSilent && (result.story === undefined || result.verdict !== 'clean'))
      this.#options.ended(scenarioRun(result))
  }
}

function describeFindings(found: readonly Found[], file: string): ToldUnder[] {
  return found.flatMap((one) => toldFindings(one, one.alike, commandOf(one.choices, file)))
}

function commandOf([first, ...more]: readonly Choice[], file: string): string | undefined {
  const isScenario = first?.do === 'scenario' && more.length === 0
  return isScenario ? `mfano gauntlet --scenario ${first.scenario} ${file}` : undefined
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

/** An operation by each of its names, and the kinds that were asked for, made or not. */
function usedIn({ requests, payments }: Ran): Set<string> {
  const called = paymentsService.operations.filter(({ id }) => requests.some(({ operation }) => operation === id))
  const names = called.flatMap((one) => [one.id, faultTarget(one), one.opens ?? []].flat())
  return new Set([...names, ...payments.map(({ kind }) => kind)])
}

const EVERY = ['*', 'any']

/**
 * Undefined where the scenario applies. One that speaks only of kinds and operations that are not used gives the app
 * exactly the answers of the default one, so skipping it changes no verdict.
 */
function whyNot({ written }: Trial, used: ReadonlySet<string>): string | undefined {
  const { name, description, parameters, rules = [], faults = [], callbacks = {}, rails = {}, ...settings } = written
  const { faults: ofCallbacks = [], ...policy } = callbacks
  const entries = [rules, faults, ofCallbacks, ...Object.values(rails)].flat()
  const targets = [...new Set(entries.flatMap(({ on = EVERY }) => on))]
  const isSetting = targets.length === 0 || Object.keys({ ...settings, ...policy }).length > 0
  if (isSetting || targets.some((one) => EVERY.includes(one) || used.has(one))) return undefined
  const last = targets.at(-1)
  return `no ${targets.length > 1 ? `${targets.slice(0, -1).join(', ')} or ${last}` : last} is ever sent`
}

/** By their names, or their files. All of them are read, so that a mistake in one is told before anything is run. */
function scenariosOf({ scenarios }: GauntletOptions): readonly string[] {
  const names = scenarios.length > 0 ? scenarios : scenarioLibrary().names
  for (const name of [BASE, ...names]) readTrial(name)
  return names
}

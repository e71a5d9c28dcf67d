/** Runs an app under every scenario that can affect it, each in its own world, and judges its books. */
import type { Control, ControlBody } from '../../client/control.ts'
import { isRecord } from '../../core/model/must.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import {
  byDimension,
  type Coverage,
  type Covered,
  type Dimension,
  type Gap,
  mergeCoverage,
  tooLittle,
} from '../../inspect/coverage.ts'
import { sequenceOfPayments } from '../../inspect/explain-payment.ts'
import type { RequestWithoutPayment } from '../../inspect/finding.ts'
import { capsulesAreKept, keepCapsule } from '../keep-capsule.ts'
import type { AppFinding, SubjectOutcome, SubjectWorld } from '../subject/outcome.ts'
import { inNewWorld, inTurns, type OwnWorld, unlessAborted } from '../subject/own-worlds.ts'
import { adviceOf } from '../subject/story.ts'
import { type UsedParts, type WrittenScenario, whyNot } from './applies.ts'
import type { GauntletFinding, GauntletReport, ScenarioResult } from './gauntlet-report.ts'

/** Fixed, so that results do not depend on the day of the run. */
const BEGINNING = '2025-01-24T16:28:00'
/** Fixed, because the scenario's name must not change the ids. */
const SEED = 1
const PAYMENTS_TOLD = 3

const ORDINARY = 'mend this first. Nothing was made to go wrong here, and under every other scenario it goes wrong too.'

export interface Trial {
  name: string
  source: string
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
  url: string
  base: Trial
  trials: readonly Trial[]
  operations: readonly KnownTarget[]
  run(world: SubjectWorld): Promise<SubjectOutcome>
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

export async function gauntlet(options: GauntletOptions): Promise<GauntletReport> {
  const { base, trials, full, signal, ended } = options
  const learnt: Learnt = { coverage: [] }
  const results: ScenarioResult[] = []
  const note = (result: ScenarioResult | undefined) => {
    if (!result) return
    results.push(result)
    ended(result)
  }
  const ordinary = await runTrial(options, base, learnt)
  if (ordinary && trials.some(({ name }) => name === base.name)) note(ordinary)
  // What does not run on an ordinary day cannot be judged on any other.
  else if (ordinary && ordinary.verdict !== 'clean') note(ordinary)
  const { coverage } = learnt
  const rest = trials.filter(({ name }) => name !== base.name)
  if (ordinary?.verdict !== 'unjudged' && coverage[0]) {
    const used = usedIn(coverage[0], options.operations)
    const waiting: Trial[] = []
    for (const trial of rest) {
      const why = full ? undefined : whyNot(trial.written, base.written, used)
      if (why === undefined) waiting.push(trial)
      else note(skipped(trial, why))
    }
    // Those that hold answers back take longest.
    waiting.sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)))
    await inTurns(waiting, options, async (trial) => note(await runTrial(options, trial, learnt)))
  }
  results.sort((a, b) => Number(b === ordinary) - Number(a === ordinary) || a.scenario.localeCompare(b.scenario))
  if (ordinary) setApart(ordinary, results)
  return {
    merchant: options.merchant,
    findings: results.flatMap(({ findings }) => findings),
    warnings: results.flatMap(({ warnings }) => warnings),
    known: [],
    scenarios: results,
    ...exercised(options, coverage),
    interrupted: signal.aborted,
  }
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

function runTrial(options: GauntletOptions, trial: Trial, learnt: Learnt): Promise<ScenarioResult | undefined> {
  const { url, base, run, signal, command } = options
  const beganMs = wallNowMs()
  const wanted: ControlBody<'POST', '/worlds'> = {
    scenario: trial.sendable.source,
    parameters: trial.sendable.parameters,
    record: capsulesAreKept() || undefined,
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
    learnt.coverage.push(await control('GET', '/coverage'))
    for (const one of firstOfEach(findings)) Object.assign(one, await sequenceOf(control, one))
    const capsule = findings[0] && (await keep(control, options.merchant, trial.name, findings[0].text))
    const { neverFired } = await control('GET', '/scenario/hits')
    return {
      scenario: trial.name,
      ...verdictOf(trial === base, findings.length, unjudged, idle),
      findings: told(findings).map((one) => ({
        ...one,
        ...(capsule !== undefined && { capsule }),
        replay:
          capsule === undefined ? `mfano gauntlet --scenario ${trial.name} ${command}` : `mfano replay ${capsule}`,
      })),
      warnings: told(warnings),
      // The ordinary day has a rule for every number that means something; nobody uses them all.
      unmet: trial.name === base.name ? [] : neverFired.map(({ rule }) => rule),
      tookMs: wallNowMs() - beganMs,
    }
  }
  return unlessAborted(signal, () => inNewWorld(url, wanted, judge))
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
): Pick<ScenarioResult, 'verdict' | 'why'> {
  if (findings > 0) return { verdict: 'findings' }
  if (unjudged === undefined) return { verdict: 'clean' }
  return !ordinary && idle
    ? { verdict: 'skipped', why: 'not reached: no payment was made under it' }
    : { verdict: 'unjudged', why: unjudged }
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

function skipped({ name }: Trial, why: string): ScenarioResult {
  return { scenario: name, verdict: 'skipped', why, findings: [], warnings: [], unmet: [], tookMs: 0 }
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

function exercised(
  { trials, command, least }: GauntletOptions,
  reports: readonly Coverage[],
): Pick<GauntletReport, 'coverage' | 'gaps' | 'tooLittle'> {
  if (reports.length === 0) return { coverage: {}, gaps: {}, tooLittle: [] }
  const merged = mergeCoverage(reports)
  const leading = (dimension: Dimension, { name, scenario }: Gap): Gap => {
    if (scenario === undefined && dimension === 'assumptions')
      return { name, command: `mfano matrix --assumption ${name.split('=')[0]} ${command}` }
    if (scenario === undefined) return { name }
    // Where it ran already, what it leads to was never asked for: there is only seeing what would happen.
    const ran = trials.some((one) => one.name === scenario)
    const way = ran ? `mfano start --scenario ${scenario}` : `mfano gauntlet --scenario ${scenario} ${command}`
    return { name, scenario, command: way }
  }
  return {
    coverage: byDimension((dimension) => merged[dimension].percent),
    gaps: byDimension((dimension) => nearestFirst(merged[dimension]).map((gap) => leading(dimension, gap))),
    tooLittle: tooLittle(merged, least),
  }
}

/** Gaps in kinds and operations that the app uses come first. */
function nearestFirst({ hit, gaps }: Covered): Gap[] {
  const subjectOf = (name: string) => name.split(/[ .=]/)[0]
  const used = new Set(hit.map(subjectOf))
  return gaps.toSorted((a, b) => Number(used.has(subjectOf(b.name))) - Number(used.has(subjectOf(a.name))))
}

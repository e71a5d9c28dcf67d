/** Runs an app once under every scenario that can make a difference to it, a world each, and judges its books. */
import type { Control, ControlBody } from '../../client/control.ts'
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
import type { RequestWithoutPayment } from '../../inspect/finding.ts'
import { capsulesAreKept, keepCapsule } from '../keep-capsule.ts'
import type { SubjectOutcome, SubjectWorld } from '../subject/outcome.ts'
import { inNewWorld, inTurns, type OwnWorld, unlessAborted } from '../subject/own-worlds.ts'
import { adviceOf } from '../subject/story.ts'
import { type UsedParts, type WrittenScenario, whyNot } from './applies.ts'
import type { GauntletFinding, GauntletReport, ScenarioResult } from './gauntlet-report.ts'

/** Every world begins then, so that a run is the same every day. */
const BEGINNING = '2025-01-24T16:28:00'
/** What their ids are drawn from, whatever they are called. */
const SEED = 1

const ORDINARY = 'mend this first. Nothing was made to go wrong here, and under every other scenario it goes wrong too.'

/** A scenario to run under. */
export interface Trial {
  name: string
  /** As it is written, for its comment. */
  source: string
  /** What a server is sent. */
  sendable: { source: string; parameters: Record<string, string | number | boolean> }
  /** With all that it extends. */
  written: WrittenScenario
}

/** An operation of the service, as scenarios name it. */
export interface KnownTarget {
  id: string
  /** `POST /api/sandbox/v1/send-money`. */
  target: string
  /** The kind of payment that it begins. */
  opens: string | undefined
}

export interface GauntletOptions {
  merchant: string
  /** A running mfano. */
  url: string
  /** The ordinary day comes first. */
  base: Trial
  trials: readonly Trial[]
  /** Those of the service. */
  operations: readonly KnownTarget[]
  /** Runs the app in a world and compares its books. */
  run(world: SubjectWorld): Promise<SubjectOutcome>
  /** Worlds at a time. */
  jobs: number
  /** All scenarios are run, whether they can make a difference or not. */
  full: boolean
  /** What is typed behind `mfano gauntlet` for this app. */
  command: string
  /** Percentages that are to be exercised. */
  least: Partial<Record<Dimension, number>>
  signal: AbortSignal
  /** Told of each scenario as it ends. */
  ended(result: ScenarioResult): void
}

/** What the runs so far showed. */
interface Learnt {
  coverage: Coverage[]
  /** Of the first, on the ordinary day. */
  asked?: RequestWithoutPayment[] | undefined
}

/** Runs everything; ends early with what was found so far when it is told to stop. */
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

/** What goes wrong on the ordinary day goes wrong on every other: no scenario is to be told as its reason. */
function setApart(ordinary: ScenarioResult, results: readonly ScenarioResult[]): void {
  const codes = new Set(ordinary.findings.map(({ code }) => code))
  for (const result of results)
    for (const one of result.findings.filter(({ code }) => codes.has(code))) {
      one.advice = result === ordinary ? ORDINARY : ''
      if (result === ordinary) one.ordinary = true
    }
}

/** One world from its beginning to its verdict; nothing when it was interrupted. */
function runTrial(options: GauntletOptions, trial: Trial, learnt: Learnt): Promise<ScenarioResult | undefined> {
  const { url, base, run, signal } = options
  const beganMs = wallNowMs()
  const wanted = {
    scenario: trial.sendable.source,
    parameters: trial.sendable.parameters,
    record: capsulesAreKept() || undefined,
    seed: SEED,
    clock: { mode: 'frozen', ...(startOf(trial.written) === undefined && { start: BEGINNING }) },
  } as ControlBody<'POST', '/worlds'>
  const advice = adviceOf(trial.source)
  const told = (found: SubjectOutcome['findings']): GauntletFinding[] =>
    found.map((one) => ({ ...one, scenario: trial.name, advice }))
  const judge = async (world: OwnWorld): Promise<ScenarioResult> => {
    const { control } = world
    const { findings, warnings, unjudged, idle, asked } = await run({ ...world, signal, asked: learnt.asked })
    learnt.asked ??= asked
    learnt.coverage.push(await control('GET', '/coverage'))
    const capsule = findings[0] && (await keep(control, options.merchant, trial.name, findings[0].text))
    const { neverFired } = await control('GET', '/scenario/hits')
    return {
      scenario: trial.name,
      ...verdictOf(trial === base, findings.length, unjudged, idle),
      findings: told(findings).map((one) => ({ ...one, ...(capsule !== undefined && { capsule }) })),
      warnings: told(warnings),
      // The ordinary day has a rule for every number that means something; nobody uses them all.
      unmet: trial.name === base.name ? [] : neverFired.map(({ rule }) => rule),
      tookMs: wallNowMs() - beganMs,
    }
  }
  return unlessAborted(signal, () => inNewWorld(url, wanted, judge))
}

/** Under a scenario by which an app that pays on the ordinary day pays nothing, nothing was tried. */
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

/** The capsule of what was found, where capsules are kept. */
function keep(control: Control, merchant: string, scenario: string, why: string): Promise<string | undefined> {
  return keepCapsule(() => control.open('GET', '/capsule', { query: { why } }), `${merchant}-${scenario}`)
}

/** A scenario about a certain day brings its own time. */
function startOf({ clock }: WrittenScenario): unknown {
  return (clock as { start?: unknown } | undefined)?.start
}

function isSlow({ written }: Trial): boolean {
  return JSON.stringify(written['faults'] ?? []).includes('"latency"')
}

function skipped({ name }: Trial, why: string): ScenarioResult {
  return { scenario: name, verdict: 'skipped', why, findings: [], warnings: [], unmet: [], tookMs: 0 }
}

/** Operations by their ids and targets, and kinds of payment, made or refused. */
function usedIn({ operations, ends }: Coverage, known: readonly KnownTarget[]): UsedParts {
  const called = known.filter(({ id }) => operations.hit.includes(id))
  return {
    operations: new Set(called.flatMap(({ id, target }) => [id, target])),
    kinds: new Set([
      ...ends.hit.map((name) => name.split(' ')[0] as string),
      ...called.map(({ opens }) => opens).filter((kind) => kind !== undefined),
    ]),
  }
}

/** What all runs together exercised, and what leads to the rest. */
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

/** What is missing of kinds and operations that the app uses comes before those that it has no use for. */
function nearestFirst({ hit, gaps }: Covered): Gap[] {
  const subjectOf = (name: string) => name.split(/[ .=]/)[0]
  const used = new Set(hit.map(subjectOf))
  return gaps.toSorted((a, b) => Number(used.has(subjectOf(b.name))) - Number(used.has(subjectOf(a.name))))
}

/**
 * Runs a suite under the defaults, then under alternatives that can affect it: singly and in pairs, or as drawn sets.
 */
import { type Assumption, type AssumptionRegistry, drawnAlternatives } from '../../core/model/assumption.ts'
import { must } from '../../core/model/must.ts'
import type { Scenario } from '../../core/scenario.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { isStale } from '../../http/contract.ts'
import { paymentsService } from '../../service/service.ts'
import { confirm } from '../explore/confirm.ts'
import { endOf, type Ran } from '../explore/run-app.ts'
import { fewestOf } from '../explore/shrink.ts'
import type { SubjectRuns, TimedRun } from '../explore/subject-runs.ts'
import { BEGINNING, Turns, unlessAborted, variantsOf } from '../subject/own-worlds.ts'
import type { Subject } from '../subject/subject-of.ts'
import type { SubjectOptions } from '../subject.ts'
import { firstDifference, isTouched, usedParts } from './first-difference.ts'
import {
  type ChosenAlternative,
  differenceText,
  type MatrixFinding,
  type MatrixReport,
  type MatrixRun,
  matrixRun,
  rowName,
} from './matrix-report.ts'

/** An assumption, as the scenario of the defaults has it. */
interface KnownAssumption extends Pick<Assumption, 'question' | 'alternatives' | 'touches'> {
  id: string
  inForce: string
  isChosen: boolean
  /** The day on which the service showed what is in force. Its alternatives are not tried. */
  measuredOn: string | undefined
}

export interface MatrixOptions extends SubjectOptions {
  scenario: string
  /** Only these, even where the real answer was measured; all where there are none. */
  assumptions: readonly string[]
  pairs: boolean
  sample: MatrixReport['sample']
  /** Judge over HTTPS. */
  tls: boolean
}

export async function matrix(options: MatrixOptions, subject: Subject, runs: SubjectRuns): Promise<MatrixReport> {
  return new Matrix(options, subject, runs).report()
}

class Matrix {
  readonly #options: MatrixOptions
  readonly #subject: Subject
  readonly #subjectRuns: SubjectRuns
  readonly #scenario: Scenario
  readonly #variant: ReturnType<typeof variantsOf>
  readonly #known: readonly KnownAssumption[]
  readonly #turns: Turns
  readonly #runs: MatrixRun[] = []
  readonly #findings: MatrixFinding[] = []
  #byDefault: TimedRun | undefined
  #saved = 0

  constructor(options: MatrixOptions, subject: Subject, runs: SubjectRuns) {
    this.#options = options
    this.#subject = subject
    this.#subjectRuns = runs
    this.#scenario = scenarioLibrary().find(options.scenario)
    this.#variant = variantsOf(this.#scenario)
    this.#known = knownIn(this.#scenario, options.assumptions)
    this.#turns = new Turns(subject.jobs)
  }

  async report(): Promise<MatrixReport> {
    const { sample, signal } = this.#options
    this.#byDefault = await this.#run([])
    const defaults = this.#byDefault ? endOf(this.#byDefault) : { verdict: 'unjudged' as const, said: '' }
    if (defaults.verdict === 'green') await this.#alternatives()
    return {
      ...{
        suite: this.#subject.name,
        defaults,
        findings: this.#findings,
        runs: this.#runs,
        saved: this.#saved,
        sample,
      },
      interrupted: signal.aborted,
    }
  }

  async #alternatives(): Promise<void> {
    const { sample, pairs } = this.#options
    const known = this.#known
    const used = usedParts(must(this.#byDefault?.traces))
    const shown = known.filter(({ id, touches }) => isTouched(id, touches, used))
    const touching = shown.filter(({ measuredOn }) => measuredOn === undefined)
    for (const assumption of known.filter((one) => !shown.includes(one)))
      this.#skip(assumption, 'nothing that the suite asks for can show it')
    for (const assumption of shown.filter((one) => !touching.includes(one))) {
      this.#saved += othersOf(assumption).length
      this.#skip(assumption, `measured ${assumption.measuredOn}, sandbox`)
    }
    if (sample) return this.#drawn(touching, sample)
    await this.#turns.each(touching.flatMap(othersOf), (choice) => this.#judge(rowName([choice]), [choice]))
    if (pairs) await this.#inPairs(touching)
  }

  /** Equals `assumptions: drawn` with that seed, but lists the choices, so that a red set can be narrowed. */
  async #drawn(touching: readonly KnownAssumption[], { count, seed: first }: NonNullable<MatrixReport['sample']>) {
    const open = touching.filter(({ isChosen }) => !isChosen)
    const registry = Object.fromEntries(open.map((assumption) => [assumption.id, assumption]))
    const seeds = Array.from({ length: count }, (_, at) => first + at)
    await this.#turns.each(seeds, async (seed) => {
      const drawn = drawnAlternatives(registry, seed)
      const choices = open.flatMap(othersOf).filter(({ assumption, alternative }) => drawn[assumption] === alternative)
      if (choices.length > 0) await this.#judge(`drawn ${seed}`, choices)
      else this.#note({ name: `drawn ${seed}`, choices, verdict: 'green', why: 'the defaults were drawn', tookMs: 0 })
    })
  }

  #skip(assumption: KnownAssumption, why: string): void {
    for (const choice of othersOf(assumption))
      this.#note({ name: rowName([choice]), choices: [choice], verdict: 'skipped', why, tookMs: 0 })
  }

  /** Only alternatives that are green alone, because one that breaks the suite would hide the others. */
  async #inPairs(touching: readonly KnownAssumption[]): Promise<void> {
    const green = this.#runs.filter(({ verdict }) => verdict === 'green').map(({ name }) => name)
    const factors = touching.map((assumption) => {
      const others = othersOf(assumption).filter((choice) => green.includes(rowName([choice])))
      return { id: assumption.id, values: [assumption.inForce, ...others.map(({ alternative }) => alternative)] }
    })
    const varied = factors.filter(({ values }) => values.length > 1)
    const rows = pairwise(varied).map((row) =>
      row.flatMap((alternative, at): ChosenAlternative[] => {
        const { id, values } = must(varied[at])
        return alternative === values[0] ? [] : [{ assumption: id, alternative }]
      }),
    )
    const combined = rows.filter((choices) => choices.length > 1)
    await this.#turns.each([...combined.entries()], ([at, choices]) => this.#judge(`pairwise ${at + 1}`, choices))
  }

  async #judge(name: string, choices: ChosenAlternative[]): Promise<void> {
    const ran = await this.#run(choices)
    if (!ran) return
    const { tookMs } = ran
    const note = (verdict: MatrixRun['verdict'], why?: string) =>
      this.#note({ name, choices, verdict, ...(why !== undefined && { why }), tookMs })
    const { verdict, said } = endOf(ran)
    if (verdict === 'green') return note('green')
    if (verdict === 'unjudged') return note('unjudged', said)
    const again = await this.#confirmed(name, choices, ran)
    if (!again) return
    if (again === 'flaky') return note('flaky', 'it was red, and then it was not')
    const explained = this.#findings.find((one) => isPart(one.choices, choices))
    if (explained) return note('breaks', rowName(explained.choices))
    const isRed = async (part: readonly ChosenAlternative[]) => {
      const shown = await this.#run(part)
      return shown !== undefined && endOf(shown).verdict === 'red'
    }
    const fewest = await fewestOf(choices, isRed)
    const shown = fewest.length === choices.length ? again : await this.#run(fewest)
    if (!shown) return
    const finding = this.#finding(fewest, shown)
    note('breaks', fewest.length < choices.length ? rowName(fewest) : undefined)
    if (!this.#findings.some((one) => rowName(one.choices) === rowName(fewest))) this.#findings.push(finding)
  }

  /** A run that shows it again; undefined where it was interrupted. */
  async #confirmed(
    name: string,
    choices: ChosenAlternative[],
    { findings }: Ran,
  ): Promise<TimedRun | 'flaky' | undefined> {
    const codes = [...new Set(findings.map(({ code }) => code))]
    const confirmed = await unlessAborted(this.#options.signal, () =>
      confirm(codes, () => this.#runOnce(choices), { name, capsules: undefined, isHasty: false }),
    )
    return confirmed && (confirmed.find(({ verdict }) => verdict === 'certain')?.shown ?? 'flaky')
  }

  #finding(choices: ChosenAlternative[], ran: Ran): MatrixFinding {
    const byDefault = this.#byDefault?.traces
    const first = byDefault && ran.traces && firstDifference(byDefault, ran.traces)
    const about = this.#known.find(({ id }) => id === choices[0]?.assumption)
    const name = rowName(choices)
    const text = `The suite is red under ${name}. ${first ? differenceText(first) : 'Everything was answered as by default.'}`
    return {
      code: 'breaks_suite',
      choices,
      question: about?.question ?? '',
      text,
      said: endOf(ran).said,
      firstDifference: first ?? null,
    }
  }

  #note(run: MatrixRun): void {
    this.#runs.push(run)
    if (run.verdict !== 'skipped') this.#options.ended(matrixRun(run))
  }

  /** Undefined where it was interrupted. */
  #run(choices: readonly ChosenAlternative[]): Promise<TimedRun | undefined> {
    return unlessAborted(this.#options.signal, () => this.#runOnce(choices))
  }

  #runOnce(choices: readonly ChosenAlternative[]): Promise<TimedRun> {
    const chosen = Object.fromEntries(choices.map(({ assumption, alternative }) => [assumption, alternative]))
    const start = this.#scenario.clock.startUs === null && { start: BEGINNING }
    const clock = this.#subject.merchant && { clock: { mode: 'frozen' as const, ...start } }
    const world = { ...this.#variant(chosen), ...clock }
    return this.#subjectRuns.run([], { world, patience: 'patient', isTraced: true })
  }
}

function knownIn({ assumptions, chosenBy, measured }: Scenario, named: readonly string[]): KnownAssumption[] {
  const registry: AssumptionRegistry = paymentsService.assumptions
  const isMeasured = (on: string | undefined) => on !== undefined && !isStale(on, wallNowMs() * 1000)
  return Object.entries(registry)
    .filter(([id]) => named.length === 0 || named.includes(id))
    .map(([id, one]) => ({
      ...{ ...one, id, inForce: must(assumptions[id]), isChosen: chosenBy[id] === 'scenario' },
      measuredOn: named.length === 0 && isMeasured(measured[id]) ? measured[id] : undefined,
    }))
}

function othersOf({ id, alternatives, inForce }: KnownAssumption): ChosenAlternative[] {
  return alternatives
    .filter((alternative) => alternative !== inForce)
    .map((alternative) => ({ assumption: id, alternative }))
}

function isPart(part: readonly ChosenAlternative[], whole: readonly ChosenAlternative[]): boolean {
  return part.every((choice) => whole.some((one) => rowName([one]) === rowName([choice])))
}

// A covering array of strength two: few rows that contain every pair of values of two different factors.

export interface Factor {
  id: string
  values: readonly string[]
}

/** One value per factor, in the order of the factors. */
export type Row = readonly string[]

/**
 * Greedy and deterministic. A row starts with an open pair. Each other factor takes the value that closes most open
 * pairs, or else the one with most open pairs left. So every row closes at least one pair.
 */
export function pairwise(factors: readonly Factor[]): Row[] {
  const open = new OpenPairs(factors)
  const rows: Row[] = []
  for (let next = open.first(); next; next = open.first()) {
    const row = filled(next, factors, open)
    open.close(row)
    rows.push(row.map((value, at) => must(factors[at]?.values[value])))
  }
  return rows
}

type Cell = readonly [factor: number, value: number]

function filled(pair: readonly Cell[], factors: readonly Factor[], open: OpenPairs): number[] {
  const row = new Map<number, number>(pair)
  for (const [factor, { values }] of factors.entries()) {
    if (row.has(factor)) continue
    const cells = [...values.keys()].map((value): Cell => [factor, value])
    const worth = cells.map((cell) => open.among(row, cell) + open.share(cell))
    row.set(factor, worth.indexOf(Math.max(...worth)))
  }
  return [...factors.keys()].map((factor) => must(row.get(factor)))
}

class OpenPairs {
  readonly #pairs = new Map<string, readonly [Cell, Cell]>()
  readonly #left = new Map<string, number>()

  constructor(factors: readonly Factor[]) {
    const cells = factors.flatMap(({ values }, factor) => [...values.keys()].map((value): Cell => [factor, value]))
    for (const one of cells)
      for (const other of cells)
        if (one[0] < other[0]) {
          this.#pairs.set(pairOf(one, other), [one, other])
          this.#count(one, 1)
          this.#count(other, 1)
        }
  }

  first(): readonly [Cell, Cell] | undefined {
    return this.#pairs.values().next().value
  }

  among(row: ReadonlyMap<number, number>, cell: Cell): number {
    return [...row].filter((other) => this.#pairs.has(pairOf(other, cell))).length
  }

  /** A tie-breaker below one that grows with the number of open pairs. */
  share(cell: Cell): number {
    const left = this.#left.get(String(cell)) ?? 0
    return left / (left + 1)
  }

  close(row: readonly number[]): void {
    for (const one of row.entries())
      for (const other of row.entries())
        if (one[0] < other[0] && this.#pairs.delete(pairOf(one, other))) {
          this.#count(one, -1)
          this.#count(other, -1)
        }
  }

  #count(cell: Cell, more: number): void {
    this.#left.set(String(cell), (this.#left.get(String(cell)) ?? 0) + more)
  }
}

function pairOf(one: Cell, other: Cell): string {
  return one[0] < other[0] ? `${one} ${other}` : `${other} ${one}`
}

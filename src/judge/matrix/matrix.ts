/**
 * Runs a suite under the defaults, then under alternatives that can affect it: singly and in pairs, or as drawn sets.
 */
import type { Control, ControlAnswer, ControlBody } from '../../client/control.ts'
import { drawnAlternatives } from '../../core/model/assumption.ts'
import { must } from '../../core/model/must.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { fewestOf } from '../explore/shrink.ts'
import type { SubjectWorld } from '../subject/outcome.ts'
import {
  inNewWorld,
  inTurns,
  type JudgeServer,
  type OwnWorld,
  unlessAborted,
  WorldRefused,
} from '../subject/own-worlds.ts'
import type { SubjectEnd } from '../subject/subject-of.ts'
import { type Evidence, evidenceOf, firstDifference, isTouched } from './first-difference.ts'
import {
  type ChosenAlternative,
  differenceText,
  type MatrixFinding,
  type MatrixReport,
  type MatrixRun,
  rowName,
} from './matrix-report.ts'

export interface MatrixOptions {
  suite: string
  server: JudgeServer
  world(choices: readonly ChosenAlternative[]): ControlBody<'POST', '/worlds'>
  run(world: SubjectWorld): Promise<SubjectEnd>
  assumptions: readonly string[]
  pairs: boolean
  sample: MatrixReport['sample']
  jobs: number
  signal: AbortSignal
  ended(run: MatrixRun): void
}

type Assumption = ControlAnswer<'GET', '/fidelity'>['assumptions'][number]
interface Ran extends SubjectEnd {
  evidence: Evidence | undefined
  tookMs: number
}

export async function matrix(options: MatrixOptions): Promise<MatrixReport> {
  return new Matrix(options).report()
}

class Matrix {
  readonly #options: MatrixOptions
  readonly #runs: MatrixRun[] = []
  readonly #findings: MatrixFinding[] = []
  #known: readonly Assumption[] = []
  #byDefault: Evidence | undefined
  #saved = 0

  constructor(options: MatrixOptions) {
    this.#options = options
  }

  async report(): Promise<MatrixReport> {
    const { suite, sample, signal } = this.#options
    const defaults = await this.#run([], (control) => this.#learn(control))
    this.#byDefault = defaults?.evidence
    if (defaults?.verdict === 'green') await this.#alternatives()
    return {
      suite,
      defaults: { verdict: defaults?.verdict ?? 'unjudged', said: defaults?.said ?? '' },
      findings: this.#findings,
      runs: this.#runs,
      saved: this.#saved,
      sample,
      interrupted: signal.aborted,
    }
  }

  async #learn(control: Control): Promise<void> {
    const { assumptions } = await control('GET', '/fidelity')
    const { assumptions: wanted } = this.#options
    this.#known = assumptions.filter(({ id }) => wanted.length === 0 || wanted.includes(id))
  }

  async #alternatives(): Promise<void> {
    const { used } = must(this.#byDefault)
    const shown = this.#known.filter(({ id, touches }) => isTouched(id, touches, used))
    const touching = shown.filter((one) => !this.#isMeasured(one))
    for (const assumption of this.#known.filter((one) => !shown.includes(one)))
      this.#skip(assumption, 'nothing that the suite asks for can show it')
    for (const assumption of shown.filter((one) => this.#isMeasured(one))) {
      this.#saved += othersOf(assumption).length
      this.#skip(assumption, `measured ${assumption.measured?.on}, sandbox`)
    }
    const { sample, pairs } = this.#options
    if (sample) return this.#drawn(touching, sample)
    await inTurns(touching.flatMap(othersOf), this.#options, (choice) => this.#judge(rowName([choice]), [choice]))
    if (pairs) await this.#inPairs(touching)
  }

  /** Equals `assumptions: drawn` with that seed, but lists the choices, so that a red set can be narrowed. */
  async #drawn(touching: readonly Assumption[], { count, seed: first }: NonNullable<MatrixReport['sample']>) {
    const open = touching.filter(({ chosenBy }) => chosenBy !== 'scenario')
    const registry = Object.fromEntries(open.map((assumption) => [assumption.id, assumption]))
    const seeds = Array.from({ length: count }, (_, at) => first + at)
    await inTurns(seeds, this.#options, async (seed) => {
      const drawn = drawnAlternatives(registry, seed)
      const choices = open.flatMap(othersOf).filter(({ assumption, alternative }) => drawn[assumption] === alternative)
      if (choices.length > 0) await this.#judge(`drawn ${seed}`, choices)
      else this.#note({ name: `drawn ${seed}`, choices, verdict: 'green', why: 'the defaults were drawn', tookMs: 0 })
    })
  }

  /** Measured assumptions are skipped unless they are named, because the real answer is known. */
  #isMeasured({ measured }: Assumption): boolean {
    return measured !== null && !measured.isStale && this.#options.assumptions.length === 0
  }

  #skip(assumption: Assumption, why: string): void {
    for (const choice of othersOf(assumption))
      this.#note({ name: rowName([choice]), choices: [choice], verdict: 'skipped', why, tookMs: 0 })
  }

  /** Only alternatives that are green alone, because one that breaks the suite would hide the others. */
  async #inPairs(touching: readonly Assumption[]): Promise<void> {
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
    await inTurns([...combined.entries()], this.#options, ([at, choices]) => this.#judge(`pairwise ${at + 1}`, choices))
  }

  async #judge(name: string, choices: ChosenAlternative[]): Promise<void> {
    const ran = await this.#run(choices)
    if (!ran) return
    const { verdict, said, tookMs } = ran
    const note = (told: MatrixRun['verdict'], why?: string) =>
      this.#note({ name, choices, verdict: told, ...(why !== undefined && { why }), tookMs })
    if (verdict === 'green') return note('green')
    if (verdict === 'unjudged') return note('unjudged', said)
    // As in all judges, what goes wrong counts once it came three times: a flaky suite says nothing about the choices.
    let again: Ran = ran
    for (let times = 1; times < 3; times++) {
      const next = await this.#run(choices)
      if (!next) return
      if (next.verdict !== 'red') return note('flaky', 'it was red, and then it was not')
      again = next
    }
    const explained = this.#findings.find((one) => isPart(one.choices, choices))
    if (explained) return note('breaks', rowName(explained.choices))
    const isRed = async (part: readonly ChosenAlternative[]) => (await this.#run(part))?.verdict === 'red'
    const fewest = await fewestOf(choices, isRed)
    const shown = fewest.length === choices.length ? again : await this.#run(fewest)
    if (!shown) return
    const finding = this.#finding(fewest, shown)
    note('breaks', fewest.length < choices.length ? rowName(fewest) : undefined)
    if (!this.#findings.some((one) => rowName(one.choices) === rowName(fewest))) this.#findings.push(finding)
  }

  #finding(choices: ChosenAlternative[], { said, evidence }: Ran): MatrixFinding {
    const first = this.#byDefault && evidence && firstDifference(this.#byDefault, evidence)
    const about = this.#known.find(({ id }) => id === choices[0]?.assumption)
    const name = rowName(choices)
    const text = `The suite is red under ${name}. ${first ? differenceText(first) : 'Everything was answered as by default.'}`
    return {
      code: 'breaks_suite',
      choices,
      question: about?.question ?? '',
      text,
      said,
      firstDifference: first ?? null,
    }
  }

  #note(run: MatrixRun): void {
    this.#runs.push(run)
    this.#options.ended(run)
  }

  /** Returns undefined if it was aborted. `before` runs in the world first. */
  async #run(
    choices: readonly ChosenAlternative[],
    before?: (control: Control) => Promise<void>,
  ): Promise<Ran | undefined> {
    const { server, world, run, signal } = this.#options
    const beganMs = wallNowMs()
    const took = () => wallNowMs() - beganMs
    const work = async (made: OwnWorld): Promise<Ran> => {
      await before?.(made.control)
      const result = await run({ ...made, signal })
      return { ...result, evidence: await evidenceOf(made.control), tookMs: took() }
    }
    return unlessAborted(signal, () =>
      inNewWorld(server, world(choices), work).catch((error) => {
        // Some choices cannot be had together, or not with the scenario.
        if (!(error instanceof WorldRefused)) throw error
        return { verdict: 'unjudged', said: error.message, evidence: undefined, tookMs: took() }
      }),
    )
  }
}

function othersOf({ id, alternatives, inForce }: Assumption): ChosenAlternative[] {
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

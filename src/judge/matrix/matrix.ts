/**
 * Runs a suite under the defaults, then under alternatives that can affect it: singly and in pairs.
 */
import type { Assumption, AssumptionRegistry } from '../../core/model/assumption.ts'
import { must } from '../../core/model/must.ts'
import type { Scenario } from '../../core/scenario.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { isStale } from '../../http/contract.ts'
import type { ReportDocument } from '../../inspect/report-document.ts'
import { paymentsService } from '../../service/service.ts'
import { Engine, type Found } from '../explore/engine.ts'
import { endOf, type Ran } from '../explore/run-app.ts'
import { type SubjectRuns, type TimedRun, withRuns } from '../explore/subject-runs.ts'
import { nameOfChoices } from '../explore/tell.ts'
import { BEGINNING, unlessAborted, worldOf } from '../subject/own-worlds.ts'
import { judgedSubject, type Subject } from '../subject/subject-of.ts'
import type { SubjectOptions } from '../subject.ts'
import {
  type ChosenAlternative,
  type MatrixFinding,
  type MatrixReport,
  type MatrixRun,
  matrixDocument,
  matrixRun,
} from './matrix-report.ts'
import { isTouched, usedParts } from './touched-assumptions.ts'

interface KnownAssumption extends Pick<Assumption, 'question' | 'alternatives' | 'touches'> {
  id: string
  inForce: string
  /** The day on which the service showed what is in force. Its alternatives are not tried. */
  measuredOn: string | undefined
}

interface MatrixOptions extends SubjectOptions {
  scenario: string
  /** Only these, even where the real answer was measured; all where there are none. */
  assumptions: readonly string[]
  pairs: boolean
  tls: boolean
}

export async function runMatrix(options: MatrixOptions): Promise<ReportDocument<MatrixReport>> {
  const { tls, signal } = options
  const subject = judgedSubject(options)
  const report = await withRuns({ ...subject, tls, signal }, (runs) => new Matrix(options, subject, runs).report())
  return matrixDocument(report, subject.command)
}

class Matrix {
  readonly #options: MatrixOptions
  readonly #subject: Subject
  readonly #subjectRuns: SubjectRuns
  readonly #engine: Engine
  readonly #known: readonly KnownAssumption[]
  readonly #runs: MatrixRun[] = []
  readonly #findings: MatrixFinding[] = []
  #byDefault: TimedRun | undefined
  #saved = 0

  constructor(options: MatrixOptions, subject: Subject, runs: SubjectRuns) {
    const scenario = scenarioLibrary().find(options.scenario)
    this.#options = options
    this.#subject = subject
    this.#subjectRuns = runs
    const start = scenario.clock.startUs === null && { start: BEGINNING }
    const clock = subject.merchant && { clock: { mode: 'frozen' as const, ...start } }
    const recording = { world: { ...worldOf(scenario), ...clock } }
    this.#engine = new Engine({ runs, signal: options.signal, capsules: undefined, recording })
    this.#known = knownIn(scenario, options.assumptions)
  }

  async report(): Promise<MatrixReport> {
    const { signal } = this.#options
    this.#byDefault = await this.#engine.run([], { patience: 'first', isTraced: true })
    const defaults = this.#byDefault ? endOf(this.#byDefault) : { verdict: 'unjudged' as const, said: '' }
    if (this.#byDefault && defaults.verdict === 'green')
      await unlessAborted(signal, () => this.#alternatives(must(this.#byDefault)))
    return {
      suite: this.#subject.name,
      defaults,
      findings: this.#findings,
      runs: this.#runs,
      saved: this.#saved,
      interrupted: signal.aborted,
    }
  }

  async #alternatives(byDefault: Ran): Promise<void> {
    const known = this.#known
    await this.#subjectRuns.learn(byDefault, true)
    const used = usedParts(must(byDefault.traces))
    const shown = known.filter(({ id, touches }) => isTouched(id, touches, used))
    const touching = shown.filter(({ measuredOn }) => measuredOn === undefined)
    for (const assumption of known.filter((one) => !shown.includes(one)))
      this.#skip(assumption, 'nothing that the suite asks for can show it')
    for (const assumption of shown.filter((one) => !touching.includes(one))) {
      this.#saved += othersOf(assumption).length
      this.#skip(assumption, `measured ${assumption.measuredOn}, sandbox`)
    }
    await Promise.all(touching.flatMap(othersOf).map((choice) => this.#judge(nameOfChoices([choice]), [choice])))
    if (this.#options.pairs) await this.#inPairs(touching)
  }

  #skip(assumption: KnownAssumption, why: string): void {
    for (const choice of othersOf(assumption))
      this.#note({ name: nameOfChoices([choice]), choices: [choice], verdict: 'skipped', why, tookMs: 0 })
  }

  /** Only alternatives that are green alone, because one that breaks the suite would hide the others. */
  async #inPairs(touching: readonly KnownAssumption[]): Promise<void> {
    const green = this.#runs.filter(({ verdict }) => verdict === 'green').map(({ name }) => name)
    const factors = touching.map((assumption) => {
      const others = othersOf(assumption).filter((choice) => green.includes(nameOfChoices([choice])))
      return { id: assumption.id, values: [assumption.inForce, ...others.map(({ alternative }) => alternative)] }
    })
    const varied = factors.filter(({ values }) => values.length > 1)
    const rows = pairwise(varied).map((row) =>
      row.flatMap((alternative, at): ChosenAlternative[] => {
        const { id, values } = must(varied[at])
        return alternative === values[0] ? [] : [{ do: 'assume', assumption: id, alternative }]
      }),
    )
    const combined = rows.filter((choices) => choices.length > 1)
    await Promise.all(combined.map((choices, at) => this.#judge(`pairwise ${at + 1}`, choices)))
  }

  async #judge(name: string, choices: ChosenAlternative[]): Promise<void> {
    const ran = await this.#engine.run(choices)
    if (!ran) return
    const note = (verdict: MatrixRun['verdict'], why?: string) =>
      this.#note({ name, choices, verdict, ...(why !== undefined && { why }), tookMs: ran.tookMs })
    const { verdict, said } = endOf(ran)
    if (verdict === 'unjudged') return note('unjudged', said)
    const judged = await this.#engine.judge(ran)
    const found = judged.find((one) => one.verdict === 'certain' || one.verdict === 'explained')?.found
    if (found) {
      note('breaks', found.choices.length < choices.length ? nameOfChoices(found.choices) : undefined)
      this.#found(found)
    } else if (judged.some((one) => one.verdict === 'unstable')) note('flaky', 'it was red, and then it was not')
    else if (judged.every((one) => one.verdict === 'too-soon')) note('green')
  }

  #found({ choices, ran }: Found): void {
    const name = nameOfChoices(choices)
    if (this.#findings.some((one) => nameOfChoices(one.choices) === name)) return
    const alternatives = choices.filter((one) => one.do === 'assume')
    const question = this.#known.find(({ id }) => id === alternatives[0]?.assumption)?.question ?? ''
    this.#findings.push({
      code: 'breaks_suite',
      choices: alternatives,
      question,
      text: `The suite is red under ${name}. ${question}`,
      said: endOf(ran).said,
    })
  }

  #note(run: MatrixRun): void {
    this.#runs.push(run)
    if (run.verdict !== 'skipped') this.#options.ended(matrixRun(run))
  }
}

function knownIn({ assumptions, measured }: Scenario, named: readonly string[]): KnownAssumption[] {
  const registry: AssumptionRegistry = paymentsService.assumptions
  const isMeasured = (on: string | undefined) => on !== undefined && !isStale(on, wallNowMs() * 1000)
  return Object.entries(registry)
    .filter(([id]) => named.length === 0 || named.includes(id))
    .map(([id, one]) => ({
      ...{ ...one, id, inForce: must(assumptions[id]) },
      measuredOn: named.length === 0 && isMeasured(measured[id]) ? measured[id] : undefined,
    }))
}

function othersOf({ id, alternatives, inForce }: KnownAssumption): ChosenAlternative[] {
  return alternatives
    .filter((alternative) => alternative !== inForce)
    .map((alternative) => ({ do: 'assume', assumption: id, alternative }))
}

// A covering array of strength two: few rows that contain every pair of values of two different factors.

export interface Factor {
  id: string
  values: readonly string[]
}

export type Row = readonly string[]

/**
 * Greedy and deterministic. A row starts with an open pair. Each other factor takes the value that closes most open
 * pairs, or else the one with most open pairs left. So every row closes at least one pair.
 */
export function pairwise(factors: readonly Factor[]): Row[] {
  const cells = factors.flatMap(({ values }, factor) => [...values.keys()].map((value): Cell => [factor, value]))
  const open = new Map<string, readonly [Cell, Cell]>()
  const left = new Map<string, number>()
  const count = (cell: Cell, more: number) => left.set(String(cell), (left.get(String(cell)) ?? 0) + more)
  for (const one of cells)
    for (const other of cells.filter(([factor]) => one[0] < factor)) {
      open.set(pairOf(one, other), [one, other])
      for (const cell of [one, other]) count(cell, 1)
    }
  const rows: Row[] = []
  for (const pair of open.values()) {
    const row = new Map<number, number>(pair)
    for (const [factor, { values }] of factors.entries()) {
      if (row.has(factor)) continue
      const worth = [...values.keys()].map((value) => {
        const all = left.get(String([factor, value])) ?? 0
        const closed = [...row].filter((other) => open.has(pairOf(other, [factor, value]))).length
        // The number of open pairs decides where two close as many: a share below one, which grows with it.
        return closed + all / (all + 1)
      })
      row.set(factor, worth.indexOf(Math.max(...worth)))
    }
    for (const one of row)
      for (const other of row)
        if (one[0] < other[0] && open.delete(pairOf(one, other))) for (const cell of [one, other]) count(cell, -1)
    rows.push(factors.map(({ values }, factor) => must(values[must(row.get(factor))])))
  }
  return rows
}

type Cell = readonly [factor: number, value: number]

function pairOf(one: Cell, other: Cell): string {
  return one[0] < other[0] ? `${one} ${other}` : `${other} ${one}`
}

/** Runs a suite under the defaults, then under alternatives that can affect it: each alone, then all pairs in few rows. */
import type { AssumptionRegistry, Touches } from '../../core/model/assumption.ts'
import { must } from '../../core/model/must.ts'
import { counted } from '../../core/model/text.ts'
import type { Scenario } from '../../core/scenario.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { isStale } from '../../http/contract.ts'
import type { ReportDocument, ReportRun } from '../../inspect/report-document.ts'
import { paymentsService } from '../../service/service.ts'
import { agree, type Choice } from '../explore/choice.ts'
import { Engine, type Found } from '../explore/engine.ts'
import { endOf, type SubjectEnd } from '../explore/run-app.ts'
import { type SubjectRuns, type TimedRun, withRuns } from '../explore/subject-runs.ts'
import { nameOfChoices } from '../explore/tell.ts'
import { UNROUTED, usedNames } from '../explore/world-left.ts'
import { BEGINNING, worldOf } from '../subject/own-worlds.ts'
import { judgedDocument, saidSection, texts, verdictMarks } from '../subject/report.ts'
import { inTurn } from '../subject/risks.ts'
import { judgedSubject, type Subject } from '../subject/subject-of.ts'
import type { SubjectOptions } from '../subject.ts'

const CHOICES_SHOWN = 3

const known: AssumptionRegistry = paymentsService.assumptions

export type ChosenAlternative = Extract<Choice, { do: 'assume' }>

interface MatrixRun {
  name: string
  choices: ChosenAlternative[]
  /**
   * `breaks`: red twice. `flaky`: red once and green once, so there is no verdict. `unjudged`: the run was impossible.
   * `skipped`: the suite uses nothing that shows the alternative, or it was measured.
   */
  verdict: 'green' | 'breaks' | 'flaky' | 'unjudged' | 'skipped'
  why?: string
  tookMs: number
}

interface MatrixFinding {
  code: 'breaks_suite'
  /** More than one only if no single choice is enough. */
  choices: ChosenAlternative[]
  question: string
  text: string
  said: string
}

export interface MatrixReport {
  suite: string
  /** If the suite is red under the defaults, nothing else runs. */
  defaults: SubjectEnd
  findings: MatrixFinding[]
  runs: MatrixRun[]
  /** Runs skipped because the alternatives were disproved at the real sandbox. */
  saved: number
  interrupted: boolean
}

interface MatrixOptions extends SubjectOptions {
  /** Only these, even where the real answer was measured; all where there are none. */
  assumptions: readonly string[]
  pairs: boolean
}

export async function runMatrix(options: MatrixOptions): Promise<ReportDocument<MatrixReport>> {
  const subject = judgedSubject(options)
  const report = await withRuns(subject, (runs) => new Matrix(options, subject, runs).report())
  return matrixDocument(report, subject.command)
}

class Matrix {
  readonly #options: MatrixOptions
  readonly #engine: Engine
  readonly #scenario: Scenario
  readonly #report: MatrixReport

  constructor(options: MatrixOptions, { name, merchant }: Subject, runs: SubjectRuns) {
    const scenario = scenarioLibrary().find(options.scenario)
    this.#options = options
    this.#scenario = scenario
    const start = scenario.clock.startUs === null && { start: BEGINNING }
    const clock = merchant && { clock: { mode: 'frozen' as const, ...start } }
    const recording = { world: { ...worldOf(scenario), ...clock } }
    this.#engine = new Engine({ runs, signal: options.signal, capsules: undefined, recording })
    const defaults = { verdict: 'unjudged' as const, said: '' }
    this.#report = { suite: name, defaults, findings: [], runs: [], saved: 0, interrupted: false }
  }

  async report(): Promise<MatrixReport> {
    const { signal } = this.#options
    const byDefault = await this.#engine.run([], { patience: 'first', isTraced: true })
    if (byDefault) this.#report.defaults = endOf(byDefault)
    if (byDefault && this.#report.defaults.verdict === 'green') await this.#alternatives(byDefault)
    return { ...this.#report, interrupted: signal.aborted }
  }

  async #alternatives(byDefault: TimedRun): Promise<void> {
    if (!(await this.#engine.learn(byDefault, true))) return
    const used = usedNames(must(byDefault.traces))
    const named = this.#options.assumptions
    const all = Object.keys(known).filter((id) => named.length === 0 || named.includes(id))
    const alone = inTurn(all.map((id) => this.#tried(id, used)))
    await Promise.all(alone.map((choice) => this.#judge(nameOfChoices([choice]), [choice])))
    if (!this.#options.pairs) return
    // One that breaks the suite alone would hide the others.
    const green = new Set(this.#report.runs.filter(({ verdict }) => verdict === 'green').map(({ name }) => name))
    const rows = pairwise(alone.filter((choice) => green.has(nameOfChoices([choice]))))
    await Promise.all(rows.map((choices, at) => this.#judge(`pairwise ${at + 1}`, choices)))
  }

  /** Alternatives that are not in force; none where they cannot show, or the service showed what is in force. */
  #tried(assumption: string, used: ReadonlySet<string>): ChosenAlternative[] {
    const { assumptions, measured } = this.#scenario
    const { alternatives, touches } = must(known[assumption])
    const others = alternatives
      .filter((one) => one !== assumptions[assumption])
      .map((alternative): ChosenAlternative => ({ do: 'assume', assumption, alternative }))
    const on = this.#options.assumptions.length === 0 ? measured[assumption] : undefined
    const isMeasured = on !== undefined && !isStale(on, wallNowMs() * 1000)
    const isSeen = isTouched(assumption, touches, used)
    if (isSeen && !isMeasured) return others
    if (isSeen) this.#report.saved += others.length
    const why = isSeen ? `measured ${on}, sandbox` : 'nothing that the suite asks for can show it'
    for (const choice of others)
      this.#note({ name: nameOfChoices([choice]), choices: [choice], verdict: 'skipped', why, tookMs: 0 })
    return []
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
      const fewest = nameOfChoices(found.choices)
      note('breaks', fewest === nameOfChoices(choices) ? undefined : fewest)
      this.#recordFound(found)
    } else if (judged.some((one) => one.verdict === 'unstable')) note('flaky', 'it was red, and then it was not')
    else if (judged.every((one) => one.verdict === 'too-soon')) note('green')
  }

  #recordFound({ choices, ran }: Found): void {
    const { findings } = this.#report
    const name = nameOfChoices(choices)
    if (findings.some((one) => nameOfChoices(one.choices) === name)) return
    const alternatives = choices.filter((one) => one.do === 'assume')
    const question = known[alternatives[0]?.assumption ?? '']?.question ?? ''
    const text = `The suite is red under ${name}. ${question}`
    findings.push({ code: 'breaks_suite', choices: alternatives, question, text, said: endOf(ran).said })
  }

  #note(run: MatrixRun): void {
    this.#report.runs.push(run)
    if (run.verdict !== 'skipped') this.#options.ended(matrixRun(run))
  }
}

export function isTouched(
  id: string,
  { operations = [], callbacks = [], unrouted, noted }: Touches,
  used: ReadonlySet<string>,
): boolean {
  if (noted) return used.has(id)
  const [asked, told] = [operations === 'all' ? '*' : operations, callbacks === 'all' ? 'any' : callbacks]
  return [asked, told, unrouted ? UNROUTED : []].flat().some((one) => used.has(one))
}

/** Rows in which every two of these meet that can: a pair goes into the first row that has room for both. */
export function pairwise(all: readonly ChosenAlternative[]): ChosenAlternative[][] {
  const rows: ChosenAlternative[][] = []
  const fits = (row: readonly ChosenAlternative[], one: ChosenAlternative) =>
    row.every((other) => other === one || agree(other, one))
  for (const [i, one] of all.entries())
    for (const other of all.slice(i + 1).filter((later) => agree(one, later))) {
      const row = rows.find((some) => fits(some, one) && fits(some, other))
      if (row) row.push(...[one, other].filter((it) => !row.includes(it)))
      else rows.push([one, other])
    }
  return rows
}

function matrixRun({ name, choices, verdict, why = '', tookMs }: MatrixRun): ReportRun {
  const combined = choices.length > 1 ? nameOfChoices(choices.slice(0, CHOICES_SHOWN)) : ''
  const more = choices.length > CHOICES_SHOWN ? ' + …' : ''
  const said = `${combined}${more}${combined !== '' && why !== '' ? '  ' : ''}${why}`
  return { ...verdictMarks[verdict], name, tookMs, why: said }
}

function matrixDocument(report: MatrixReport, subject: string): ReportDocument<MatrixReport> {
  const { suite, defaults, findings, runs, interrupted } = report
  const isKnown = defaults.verdict === 'green'
  const skipped = runs.filter(({ verdict }) => verdict === 'skipped')
  const found = `${counted(findings.length, 'alternative')} ${findings.length === 1 ? 'breaks' : 'break'} it.`
  const ran = counted(runs.length - skipped.length, 'run')
  const saved = report.saved === 0 ? '' : `; what was measured at the sandbox saved ${counted(report.saved, 'run')}`
  const how = defaults.verdict === 'red' ? 'is red' : 'could not be judged'
  const mark =
    defaults.verdict === 'red' ? { mood: 'bad' as const, word: 'red_by_default' } : verdictMarks[defaults.verdict]
  return judgedDocument({
    ...{ by: 'mfano matrix', title: suite, data: report, interrupted },
    open: isKnown ? undefined : `It ${how} under the defaults, so no alternative was tried.`,
    bad: findings.length > 0 ? found : undefined,
    good: 'No alternative breaks it.',
    lead: isKnown ? [`Green under the defaults; ${ran} under alternatives${saved}.`] : [],
    sections: [
      saidSection(defaults.said),
      {
        title: 'Alternatives that break it',
        points: findings.map(({ choices, question, said }) => ({
          text: nameOfChoices(choices),
          more: [{ text: question, exact: said.split('\n') }],
          command: commandOf(choices, subject),
        })),
        isOpen: true,
      },
      ...[...Map.groupBy(skipped, ({ why }) => why)].map(([why, some]) =>
        texts(`Skipped: ${why}`, [some.map(({ name }) => name).join(', ')]),
      ),
    ],
    runs: [
      { ...mark, name: 'defaults', why: defaults.said },
      ...runs.map((run) => ({ ...matrixRun(run), ...failureOf(findings, run) })),
    ],
  })
}

function commandOf(choices: readonly ChosenAlternative[], subject: string): string {
  const chosen = choices.map(({ assumption }) => `--assumption ${assumption}`).join(' ')
  return `mfano matrix ${choices.length === 1 ? '--alone ' : ''}${chosen} ${subject}`
}

function failureOf(
  findings: readonly MatrixFinding[],
  { choices, verdict, why }: MatrixRun,
): Pick<ReportRun, 'failures'> {
  if (verdict !== 'breaks') return {}
  const { text, said } = must(findings.find((one) => nameOfChoices(one.choices) === (why ?? nameOfChoices(choices))))
  return { failures: [{ type: 'breaks_suite', message: text, text: said }] }
}

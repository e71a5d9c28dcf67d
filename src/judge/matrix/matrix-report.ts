import { counted } from '../../core/model/text.ts'
import type { ReportDocument, ReportPoint, ReportRun } from '../../inspect/report-document.ts'
import type { Choice } from '../explore/choice.ts'
import { nameOfChoices } from '../explore/tell.ts'
import { judgedDocument, saidSection, texts } from '../subject/report.ts'

export type ChosenAlternative = Extract<Choice, { do: 'assume' }>

/**
 * `breaks`: red twice. `flaky`: red once and green once, so there is no verdict. `unjudged`: the run was impossible.
 * `skipped`: the suite uses nothing that shows the alternative, or it was measured.
 */
export type MatrixVerdict = 'green' | 'breaks' | 'flaky' | 'unjudged' | 'skipped'

export interface MatrixRun {
  name: string
  choices: ChosenAlternative[]
  verdict: MatrixVerdict
  why?: string
  tookMs: number
}

export interface MatrixFinding {
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
  defaults: { verdict: 'green' | 'red' | 'unjudged'; said: string }
  findings: MatrixFinding[]
  runs: MatrixRun[]
  /** Runs skipped because the alternatives were disproved at the real sandbox. */
  saved: number
  interrupted: boolean
}

const marks = {
  green: ['good', 'ok'],
  breaks: ['bad', 'BREAKS'],
  flaky: ['open', 'flaky'],
  unjudged: ['open', 'unjudged'],
  skipped: ['none', 'skipped'],
} as const
const CHOICES = 3

export function matrixRun({ name, choices, verdict, why = '', tookMs }: MatrixRun): ReportRun {
  const [mood, word] = marks[verdict]
  const combined = choices.length > 1 ? nameOfChoices(choices.slice(0, CHOICES)) : ''
  const more = choices.length > CHOICES ? ' + …' : ''
  return { mood, word, name, tookMs, why: `${combined}${more}${combined !== '' && why !== '' ? '  ' : ''}${why}` }
}

export function matrixDocument(report: MatrixReport, subject = report.suite): ReportDocument<MatrixReport> {
  const { suite, defaults, findings, runs, interrupted } = report
  const isKnown = defaults.verdict === 'green'
  const skipped = runs.filter(({ verdict }) => verdict === 'skipped')
  const [measured = [], untouched = []] = [true, false].map((is) =>
    skipped.filter(({ why = '' }) => why.startsWith('measured') === is).map(({ name }) => name),
  )
  const found = `${counted(findings.length, 'alternative')} ${findings.length === 1 ? 'breaks' : 'break'} it.`
  const ran = counted(runs.length - skipped.length, 'run')
  const how = defaults.verdict === 'red' ? 'is red' : 'could not be judged'
  return judgedDocument({
    ...{ by: 'mfano matrix', title: suite, data: report, interrupted },
    open: isKnown ? undefined : `It ${how} under the defaults, so no alternative was tried.`,
    bad: findings.length > 0 ? found : undefined,
    good: 'No alternative breaks it.',
    lead: isKnown ? [`Green under the defaults; ${ran} under alternatives.`] : [],
    sections: [
      saidSection(defaults.said),
      { title: 'Alternatives that break it', points: findings.map((one) => findingPoint(one, subject)), isOpen: true },
      texts('Skipped: nothing that the suite asks for can show them', joined(untouched)),
      texts(`Skipped: measured at the sandbox, which saved ${counted(report.saved, 'run')}`, joined(measured)),
    ],
    runs: [defaultsRun(defaults), ...runs.map((run) => ({ ...matrixRun(run), ...failureOf(report, run) }))],
  })
}

function findingPoint({ choices, question, said }: MatrixFinding, subject: string): ReportPoint {
  const chosen = choices.map(({ assumption }) => `--assumption ${assumption}`).join(' ')
  const command = `mfano matrix ${choices.length === 1 ? '--alone ' : ''}${chosen} ${subject}`
  return {
    text: nameOfChoices(choices),
    more: [{ text: question, exact: said.split('\n') }],
    command,
  }
}

function joined(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [names.join(', ')]
}

function defaultsRun({ verdict, said: why }: MatrixReport['defaults']): ReportRun {
  const [mood, word] = { green: marks.green, red: ['bad', 'red_by_default'] as const, unjudged: marks.unjudged }[
    verdict
  ]
  return { mood, word, name: 'defaults', why }
}

function failureOf({ findings }: MatrixReport, { name, choices, verdict, why = '' }: MatrixRun): Partial<ReportRun> {
  if (verdict !== 'breaks') return {}
  const finding = findings.find((one) => [nameOfChoices(choices), why, name].includes(nameOfChoices(one.choices)))
  return { failures: [{ type: 'breaks_suite', message: finding?.text ?? why, text: finding?.said ?? '' }] }
}

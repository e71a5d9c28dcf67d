/** What is printed of a matrix: the alternatives that break a suite, and a test case for each run. */
import { counted } from '../../core/model/counted.ts'
import { type ReportCase, type ReportDocument, type ReportStep, stepSection } from '../../core/model/report-document.ts'
import { INTERRUPTED } from '../subject/subject-of.ts'
import { differenceText, type MatrixReport, type MatrixRun, nameOf } from './matrix-report.ts'

const marks = {
  green: ['good', 'ok'],
  breaks: ['bad', 'BREAKS'],
  flaky: ['open', 'flaky'],
  unjudged: ['open', 'unjudged'],
  skipped: ['none', 'skipped'],
} as const
/** So many choices of a pairwise run stand on its line. */
const CHOICES = 3

/** A run that has ended. */
export function matrixStep({ name, choices, verdict, why, tookMs }: MatrixRun): ReportStep {
  const [mood, word] = marks[verdict]
  const combined = choices.length > 1 ? nameOf(choices.slice(0, CHOICES)) : ''
  const more = [`${combined}${choices.length > CHOICES ? ' + …' : ''}`, why?.split('\n')[0] ?? '']
  return { mood, word, name, tookMs, more: more.filter((text) => text !== '').join('  ') }
}

export function matrixDocument(report: MatrixReport): ReportDocument<MatrixReport> {
  const { suite, defaults, findings, runs, interrupted } = report
  const of = (...verdicts: MatrixRun['verdict'][]) => runs.filter(({ verdict }) => verdicts.includes(verdict))
  const skipped = of('skipped').map(({ name }) => name)
  return {
    by: 'mfano matrix',
    title: suite,
    verdict: verdictOf(report),
    lead: [
      ...(defaults.verdict === 'green'
        ? [`Green under the defaults; ${counted(runs.length - skipped.length, 'run')} under alternatives.`]
        : []),
      ...(interrupted ? [INTERRUPTED] : []),
    ],
    sections: [
      { name: 'said', title: 'The last that was said', points: said(defaults.said).map((text) => ({ text })) },
      {
        name: 'findings',
        title: 'What breaks it',
        points: findings.map(({ choices, question, firstDifference, said: last }) => ({
          text: nameOf(choices),
          more: [
            { text: question },
            {
              text: firstDifference ? differenceText(firstDifference) : 'Everything was answered as by default.',
              exact: said(last),
            },
          ],
        })),
        isOpen: true,
      },
      {
        name: 'unjudged',
        title: 'Not judged',
        points: of('unjudged', 'flaky').map(({ name, why = '' }) => ({ text: `${name}: ${why}` })),
      },
      {
        name: 'skipped',
        title: 'Skipped: nothing that the suite asks for can show them',
        points: skipped.length === 0 ? [] : [{ text: skipped.join(', ') }],
      },
      stepSection('runs', 'Runs', runs.map(matrixStep)),
    ],
    suites: [
      {
        name: `mfano matrix: ${suite}`,
        classname: suite,
        cases: [defaultsCase(defaults), ...runs.map((run) => caseOf(report, run))],
      },
    ],
    data: report,
  }
}

/** A broken suite says more than a run that could not be judged. */
function verdictOf({ defaults, findings, runs, interrupted }: MatrixReport): ReportDocument['verdict'] {
  const unknown = 'nothing is known of the alternatives.'
  if (defaults.verdict === 'red') return { mood: 'open', text: `It is red under the defaults, so ${unknown}` }
  if (defaults.verdict === 'unjudged')
    return { mood: 'open', text: `It could not be judged under the defaults, so ${unknown}` }
  if (findings.length > 0) {
    const break_ = findings.length === 1 ? 'breaks' : 'break'
    return { mood: 'bad', text: `${counted(findings.length, 'alternative')} ${break_} it.` }
  }
  if (interrupted || runs.some(({ verdict }) => verdict === 'unjudged' || verdict === 'flaky'))
    return { mood: 'open', text: 'Not judged to the end.' }
  return { mood: 'good', text: 'No alternative breaks it.' }
}

function said(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

function defaultsCase({ verdict, said: text }: MatrixReport['defaults']): ReportCase {
  return {
    name: 'defaults',
    ...(verdict === 'red' && { failures: [{ type: 'red_by_default', message: 'red under the defaults', text }] }),
    ...(verdict === 'unjudged' && { error: { message: 'could not be judged', text } }),
  }
}

function caseOf({ findings }: MatrixReport, { name, choices, verdict, why = '', tookMs }: MatrixRun): ReportCase {
  const finding = findings.find((one) => [nameOf(choices), why, name].includes(nameOf(one.choices)))
  const failure = { type: 'breaks_suite', message: finding?.text ?? why, text: finding?.said ?? '' }
  return {
    name,
    tookMs,
    ...(verdict === 'breaks' && { failures: [failure] }),
    ...(verdict === 'skipped' && { skipped: why }),
    ...((verdict === 'unjudged' || verdict === 'flaky') && { error: { message: verdict, text: why } }),
  }
}

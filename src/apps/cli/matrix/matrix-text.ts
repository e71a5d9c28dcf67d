/** What a person reads of a matrix: a line for each run as it ends, then what breaks the suite. */
import { oneLine } from '../../../core/model/one-line.ts'
import {
  differenceText,
  type MatrixFinding,
  type MatrixReport,
  type MatrixRun,
  nameOf,
} from '../../../judge/matrix/matrix-report.ts'
import type { Output } from '../output.ts'
import { count, section } from '../words.ts'

const marks = {
  green: ['green', 'ok'],
  breaks: ['red', 'BREAKS'],
  flaky: ['yellow', 'flaky'],
  unjudged: ['yellow', 'unjudged'],
  skipped: ['dim', 'skipped'],
} as const
/** So many choices of a pairwise run stand on its line. */
const CHOICES = 3

/** `ok        error-body: flat  0.4 s`. */
export function runLine({ name, choices, verdict, why, tookMs }: MatrixRun, { paint }: Output): string {
  const [style, word] = marks[verdict]
  const combined =
    choices.length > 1 ? `  ${nameOf(choices.slice(0, CHOICES))}${choices.length > CHOICES ? ' + …' : ''}` : ''
  const more = why === undefined ? '' : `  ${oneLine(why.split('\n')[0] as string)}`
  return `${paint(style, word.padEnd(8))}  ${name}  ${paint('dim', `${(tookMs / 1000).toFixed(1)} s`)}${combined}${more}\n`
}

/** `repeated`: what to type for one drawn set again. */
export function matrixText(report: MatrixReport, { paint }: Output, repeated: (seed: number) => string): string {
  const { suite, defaults, findings, runs, sample, interrupted } = report
  if (defaults.verdict !== 'green') {
    const what = defaults.verdict === 'red' ? 'is red under the defaults' : 'could not be judged under the defaults'
    const told = section('The last that was said', defaults.said === '' ? '' : `${defaults.said}\n`, paint)
    return `${paint('red', `${suite} ${what}`)}, so nothing is known of the alternatives.\n${told}`
  }
  const of = (wanted: MatrixRun['verdict']) => runs.filter(({ verdict }) => verdict === wanted)
  const skipped = of('skipped')
  const open = [...of('unjudged'), ...of('flaky')]
  const verdict =
    findings.length > 0
      ? paint('red', `${count(findings.length, 'alternative')} ${findings.length === 1 ? 'breaks' : 'break'} it.`)
      : open.length > 0 || interrupted
        ? paint('yellow', 'Not judged to the end.')
        : paint('green', 'No alternative breaks it.')
  return [
    `\n${suite}: ${verdict} Green under the defaults; ${count(runs.length - skipped.length, 'run')} under alternatives.\n`,
    sample
      ? `Drawn sets have the seeds ${sample.seed} to ${sample.seed + sample.count - 1}. Repeat one: ${repeated(sample.seed)}\n`
      : '',
    interrupted ? 'It was interrupted: this is what was found so far.\n' : '',
    section('What breaks it', findings.map((one) => story(one, paint)).join('\n'), paint),
    section('Not judged', open.map(({ name, why = '' }) => `${name}: ${oneLine(why)}\n`).join(''), paint),
    section(
      'Skipped: nothing that the suite asks for can show them',
      skipped.length === 0 ? '' : `${skipped.map(({ name }) => name).join(', ')}\n`,
      paint,
    ),
  ].join('')
}

function story({ choices, question, firstDifference, said }: MatrixFinding, paint: Output['paint']): string {
  const told =
    said === ''
      ? ''
      : `${said
          .split('\n')
          .map((line) => `    ${oneLine(line)}`)
          .join('\n')}\n`
  const difference = firstDifference ? differenceText(firstDifference) : 'Everything was answered as by default.'
  return `${paint('red', nameOf(choices))}\n  ${question}\n  ${oneLine(difference)}\n${told}`
}

/** What a person reads of a run of mutants: a line for each as it ends, then the score and the survivors. */
import { oneLine } from '../../../core/model/one-line.ts'
import type { MutantResult, MutantsReport } from '../../../judge/mutants/mutants-report.ts'
import type { Output } from '../output.ts'
import { count, section } from '../words.ts'

const marks = {
  killed: ['green', 'killed'],
  survived: ['red', 'SURVIVED'],
  equivalent: ['dim', 'the same'],
  unjudged: ['yellow', 'unjudged'],
} as const

/** `killed    amount in the send-money callback ×100  2.1 s`. */
export function mutantLine({ field, change, verdict, tookMs }: MutantResult, { paint }: Output): string {
  const [style, word] = marks[verdict]
  return `${paint(style, word.padEnd(8))}  ${field} ${change}  ${paint('dim', `${(tookMs / 1000).toFixed(1)} s`)}\n`
}

export function mutantsText(report: Omit<MutantsReport, 'coverage'>, { paint }: Output): string {
  const { subject, truthful, mutants, score, read, misjudged, interrupted } = report
  if (truthful.verdict !== 'green') {
    const told = truthful.said === '' ? '' : `${truthful.said}\n`
    return `${paint('red', `${subject} is not green when it is told the truth`)}, so nothing is known of anything else.\n${told}`
  }
  const of = (wanted: MutantResult['verdict']) => mutants.filter(({ verdict }) => verdict === wanted)
  const lines = (list: MutantResult[]) => list.map(({ text }) => `${oneLine(text)}\n`).join('')
  const [killed, survived] = [of('killed'), of('survived')]
  const verdict =
    score === null
      ? mutants.length === 0
        ? 'There was nothing to change.'
        : 'No mutant was judged that counts.'
      : `${score}% of ${count(killed.length + survived.length, 'mutant')} killed.`
  return [
    `\n${subject}: ${paint(survived.length > 0 ? 'red' : 'green', verdict)}\n`,
    interrupted ? 'It was interrupted: this is what was found so far.\n' : '',
    section('Survived', lines(survived), paint),
    section('Equivalent', lines(of('equivalent')), paint),
    section('Listed as equivalent, and noticed all the same', misjudged.map((one) => `${one}\n`).join(''), paint),
    section('Not judged', lines(of('unjudged')), paint),
    section('Proven to be read', read.proven.map((field) => `${field}\n`).join(''), paint),
    section('Not proven to be read', read.unproven.map((field) => `${field}\n`).join(''), paint),
  ].join('')
}

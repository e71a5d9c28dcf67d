/** What a report says in sentences: the verdict, and what to look at first. */

import { counted } from '../model/counted.ts'
import type { RunReport } from './run-report.ts'
import type { Problem, ProblemCode, RunVerdict } from './run-verdict.ts'

/** One word for a badge. */
export const verdictWords: Readonly<Record<RunVerdict, string>> = {
  failed: 'Failed',
  attention: 'Passed, with something to look at',
  passed: 'Passed',
  empty: 'Nothing was tested',
}

const problemWords: Readonly<Record<ProblemCode, (count: number) => string>> = {
  finding: (count) => `${counted(count, 'finding')}: books and ledger differ`,
  given_up: (count) => `${counted(count, 'callback')} given up: the receiver took none of the attempts`,
  idle: (count) =>
    `${counted(count, 'rule or fault', 'rules and faults')} never fired: what they are about was not tested`,
  open: (count) =>
    `${counted(count, 'payment')} under way: how ${count === 1 ? 'it ends' : 'they end'} is not known yet`,
}

/** `Failed: 2 findings: books and ledger differ; 1 callback given up: …`. */
export function verdictLine({ verdict, problems, counts }: Pick<RunReport, 'verdict' | 'problems' | 'counts'>): string {
  const { bad } = counts.payments
  if (verdict === 'empty') return `${verdictWords.empty}: no request came, and no payment was made.`
  const found = problems.length === 0 ? 'nothing is wrong with what was tested' : problems.map(problemText).join('; ')
  const failed = `${counted(bad, 'payment')} ended badly. The service may answer so: a failed payment alone fails no run.`
  return `${verdictWords[verdict]}: ${found}.${verdict === 'failed' || bad === 0 ? '' : ` ${failed}`}`
}

/** `2 findings: books and ledger differ`. */
export function problemText({ code, count }: Pick<Problem, 'code' | 'count'>): string {
  return problemWords[code](count)
}

/** `31 payments (28 ended well, 2 badly, 1 under way), …`. */
export function countsLine({ counts: { payments, requests, callbacks } }: Pick<RunReport, 'counts'>): string {
  return `${[
    counted(payments.all, 'payment') +
      parts([payments.well, 'ended well'], [payments.bad, 'ended badly'], [payments.open, 'under way']),
    counted(requests.all, 'request') + parts([requests.refused, 'refused']),
    counted(callbacks.all, 'callback') +
      parts(
        [callbacks.delivered, 'delivered'],
        [callbacks.retried, 'retried'],
        [callbacks.failed, 'given up'],
        [callbacks.dropped, 'kept back on purpose'],
        [callbacks.pending + callbacks.held, 'on their way'],
      ),
  ].join(', ')}.`
}

/** From when to when, and in which world. */
export function whenLine({ run, from, until, world, asOf }: RunReport): string {
  const of = run ? `Run "${run.name}" in the world ${world}` : `The world ${world} since its beginning`
  const end = until === null ? (run ? ', and goes on' : '') : ` to ${until}`
  return `${of}: from ${from}${end}. As of ${asOf}.`
}

function parts(...of: [number: number, what: string][]): string {
  const told = of.filter(([number]) => number > 0).map(([number, what]) => `${number.toLocaleString('en')} ${what}`)
  return told.length === 0 ? '' : ` (${told.join(', ')})`
}

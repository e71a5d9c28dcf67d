/** Which choices of a schedule came to something in its run: without the others, the run is the same. */
import { type Choice, recordOf } from './choice.ts'
import type { Ran } from './schedule-runner.ts'

/** The choices that had an occasion. */
export function choicesMade({
  choices,
  payments,
  requests,
  happened,
}: Pick<Ran, 'choices' | 'payments' | 'requests' | 'happened'>): Choice[] {
  const occasions = {
    payments: new Set(payments.map(({ kind, nth }) => `${kind} ${nth}`)),
    requests: new Set(requests.map(({ operation, nth }) => `${operation} ${nth}`)),
    crashes: new Set(happened.flatMap((one) => (one.what === 'crash' ? one.at : []))),
  }
  return choices.filter((one) => recordOf(one).met(one, occasions))
}

/** Which choices of a schedule came to something in its run: without the others, the run is the same. */
import type { Choice } from './choice.ts'
import type { Ran } from './schedule-runner.ts'

/** The choices that had an occasion. */
export function choicesMade({
  choices,
  payments,
  requests,
  happened,
}: Pick<Ran, 'choices' | 'payments' | 'requests' | 'happened'>): Choice[] {
  const met = new Set(payments.map(({ kind, nth }) => `${kind} ${nth}`))
  const asked = new Set(requests.map(({ operation, nth }) => `${operation} ${nth}`))
  const crashed = new Set(happened.flatMap((one) => (one.what === 'crash' ? one.at : [])))
  return choices.filter((one) => {
    switch (one.do) {
      case 'end':
      case 'answer':
      case 'tell':
        return met.has(`${one.kind} ${one.nth}`)
      case 'refuse':
        return asked.has(`${one.operation} ${one.nth}`)
      case 'crash':
        return crashed.has(`${one.at} ${one.on} ${one.nth}`)
      default:
        return true
    }
  })
}

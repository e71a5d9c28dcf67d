/** What is wrong with a line of the books, held against its payment. */
import type { PaymentFacts } from './facts.ts'
import type { Level } from './finding.ts'
import type { Pair } from './match.ts'
import { outcomeOf } from './status.ts'

/** What a line has wrong. A payment that its merchant could not look into, and one that is still to be told, is left alone. */
export interface PairProblem {
  code: 'wrong_amount' | 'wrong_currency' | 'stale' | 'given_up' | 'believed_paid' | 'taken_back'
  level: Level
}

export function pairProblems({ line, payment }: Pair): PairProblem[] {
  const problems: PairProblem[] = []
  if (line.amountMinor !== undefined && line.amountMinor !== payment.amountMinor)
    problems.push({ code: 'wrong_amount', level: 'error' })
  if (line.currency !== undefined && line.currency !== payment.currency)
    problems.push({ code: 'wrong_currency', level: 'error' })
  const status = line.status === undefined ? undefined : statusProblem(line.status, payment)
  return status ? [...problems, status] : problems
}

function statusProblem(believed: string, payment: PaymentFacts): PairProblem | undefined {
  const belief = outcomeOf(believed)
  const { outcome, takenBack } = payment
  if (belief === outcome || payment.amountMinor === 0) return undefined
  if (belief === 'paid') {
    if (isStillTold(payment)) return undefined
    return { code: takenBack ? 'taken_back' : 'believed_paid', level: 'error' }
  }
  if (payment.hidden || isStillTold(payment)) return undefined
  // Money that did not come in was not there before either: nobody loses it.
  const level = outcome === 'paid' || payment.direction === 'out' ? 'error' : 'warning'
  return { code: outcome === 'open' ? 'given_up' : 'stale', level }
}

/** Its end is known, and the callback about it is on its way. */
export function isStillTold({ outcome, callbacks }: PaymentFacts): boolean {
  return outcome !== 'open' && callbacks.toCome > 0
}

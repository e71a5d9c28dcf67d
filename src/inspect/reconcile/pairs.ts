/** Compares a line of the books with its payment. */
import { DOUBTFUL } from './findings/finding-facts.ts'
import type { PaymentFacts } from './ledger-facts.ts'
import type { Pair } from './match.ts'
import { outcomeOf } from './status.ts'

/** Skips payments that the merchant could not look up, or whose callback is still to come. */
export interface PairProblem {
  code:
    | 'wrong_kind'
    | 'wrong_amount'
    | 'wrong_currency'
    | 'wrong_fee'
    | 'stale'
    | 'given_up'
    | 'believed_paid'
    | 'taken_back'
  doubtful?: true
}

/** `feesAreKept`: the books have a column for fees. Otherwise a fee is only mentioned. */
export function pairProblems({ line, payment }: Pair, feesAreKept: boolean): PairProblem[] {
  const problems: PairProblem[] = []
  if (line.kind !== undefined && line.kind !== payment.kind) problems.push({ code: 'wrong_kind' })
  if (line.amountMinor !== undefined && line.amountMinor !== payment.amountMinor)
    problems.push({ code: 'wrong_amount' })
  if (line.currency !== undefined && line.currency !== payment.currency) problems.push({ code: 'wrong_currency' })
  if (payment.feeMinor !== (line.feeMinor ?? 0)) problems.push({ code: 'wrong_fee', ...(!feesAreKept && DOUBTFUL) })
  const status = line.status === undefined ? undefined : statusProblem(line.status, payment)
  return status ? [...problems, status] : problems
}

function statusProblem(believed: string, payment: PaymentFacts): PairProblem | undefined {
  const belief = outcomeOf(believed)
  const { outcome, outcomes } = payment
  if (belief === outcome || payment.amountMinor === 0) return undefined
  // It was true, and the merchant has not been told of the change yet.
  if (isStillTold(payment) && outcomes.includes(belief)) return undefined
  if (belief === 'paid') return { code: outcomes.includes('paid') ? 'taken_back' : 'believed_paid' }
  if (payment.hidden) return undefined
  // Money that did not arrive was not there before either, so nobody loses it.
  const counts = outcome === 'paid' || payment.direction === 'out'
  return { code: outcome === 'open' ? 'given_up' : 'stale', ...(!counts && DOUBTFUL) }
}

export function isStillTold({ outcome, callbacks }: PaymentFacts): boolean {
  return outcome !== 'open' && callbacks.untried > 0
}

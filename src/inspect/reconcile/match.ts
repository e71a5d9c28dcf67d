import { outcomeOf, type PaymentFacts } from './payment-facts.ts'
import type { BookedPayment } from './read-books.ts'

export interface Pair {
  line: BookedPayment
  payment: PaymentFacts
}

/** First by the service's id, then by the merchant's reference, among payments of the line's kind first. At most one line for each payment. */
export function match(lines: readonly BookedPayment[], payments: readonly PaymentFacts[]) {
  const byUuid = new Map(payments.map((payment) => [payment.uuid, payment]))
  const pairs = new Map<PaymentFacts, Pair>()
  const repeated: Pair[] = []
  const open: BookedPayment[] = []
  for (const line of lines) {
    const payment = line.requestId === undefined ? undefined : byUuid.get(line.requestId)
    if (!payment) open.push(line)
    else if (pairs.has(payment)) repeated.push({ line, payment })
    else pairs.set(payment, { line, payment })
  }
  const byReference = Map.groupBy(payments, ({ reference }) => reference)
  const linesNamed = (line: BookedPayment) =>
    line.reference === undefined ? [] : (byReference.get(line.reference) ?? [])
  const free = (payment: PaymentFacts) => !pairs.has(payment)
  const otherKinds: BookedPayment[] = []
  for (const line of open) {
    const candidates = linesNamed(line).filter(({ kind }) => line.kind === undefined || kind === line.kind)
    const payment = best(line, candidates.filter(free))
    const [again] = candidates
    if (payment) pairs.set(payment, { line, payment })
    else if (again) repeated.push({ line, payment: again })
    else otherKinds.push(line)
  }
  // Only a payment that no other line names may have another kind in the books.
  const left = otherKinds.filter((line) => {
    const payment = best(line, linesNamed(line).filter(free))
    if (payment) pairs.set(payment, { line, payment })
    return payment === undefined
  })
  return {
    pairs: [...pairs.values()].sort((a, b) => a.line.number - b.line.number),
    repeated,
    lines: left,
    payments: payments.filter((payment) => !pairs.has(payment)),
  }
}

export type Matched = ReturnType<typeof match>

function best(line: BookedPayment, candidates: readonly PaymentFacts[]): PaymentFacts | undefined {
  const likeness = (payment: PaymentFacts) =>
    (line.status !== undefined && outcomeOf(line.status) === payment.outcome ? 4 : 0) +
    (payment.origin === 'scenario' ? 0 : 2) +
    (line.amountMinor === payment.amountMinor ? 1 : 0)
  return candidates.toSorted((a, b) => likeness(b) - likeness(a) || b.seq - a.seq)[0]
}

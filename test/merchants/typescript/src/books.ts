/** The book for those who check it: a line for each payment that was asked for, in the service's words. */
import type { Book, Payment, State } from './book.ts'
import type { Payments } from './payments.ts'
import { railOf, type Way } from './rails.ts'

const kinds: Record<Way, string> = {
  phone: 'send-money',
  till: 'till',
  paybill: 'paybill',
  bank: 'bank-payout',
  stk: 'stk',
  checkout: 'checkout',
}
const statuses: Record<State, string> = {
  due: 'PENDING',
  asked: 'PENDING',
  pending: 'PENDING',
  paid: 'SUCCESS',
  failed: 'FAILED',
  refused: 'REFUSED',
  returned: 'FAILED',
}

/** What is still to be asked for is no payment yet. */
export function booksOf(book: Book, strays: Payments['strays']) {
  const second = [...strays.values()].map(({ asked, record }) => ({
    reference: asked.reference,
    requestId: record.id,
    kind: kinds[asked.way],
    amount: record.amount / 100,
    currency: 'KES',
    status: record.status,
  }))
  const first = book
    .everything()
    .filter(({ state, requestId }) => state !== 'due' || requestId !== null)
    .map((payment) => ({
      reference: payment.reference,
      requestId: payment.requestId,
      kind: kinds[payment.way],
      amount: payment.amount / 100,
      currency: 'KES',
      status: statuses[payment.state],
      refundDue: refundDue(book, payment) / 100,
    }))
  return [...first, ...second]
}

/** Cents that a customer paid beyond the price: due with the last of the payments. */
function refundDue(book: Book, { purpose, reference, way }: Payment): number {
  const price = railOf(way).incoming ? book.delivery(purpose)?.price : undefined
  const paid = book.tries(purpose).filter(({ state }) => state === 'paid')
  if (price === undefined || paid.at(-1)?.reference !== reference) return 0
  return Math.max(0, paid.reduce((sum, { amount }) => sum + amount, 0) - price)
}

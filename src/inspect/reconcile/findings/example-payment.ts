/** A payment and its line in the books, for examples in the documentation. */
import { must } from '../../../core/model/must.ts'
import { parseInstant } from '../../../core/model/time.ts'
import type { PaymentFacts } from '../ledger-facts.ts'
import type { BookedPayment } from '../read-books.ts'

export function at(time: string): number {
  return must(parseInstant(`2025-01-24T${time}`))
}

export function paymentWith(more: Partial<PaymentFacts> = {}): PaymentFacts {
  return {
    uuid: '3f0c2b1e-6a4d-4c58-9a57-0d6f6f1c9b7a',
    seq: 1,
    kind: 'payout',
    direction: 'out',
    organisationId: 1,
    reference: 'salary-1',
    party: '254712345678',
    order: null,
    amountMinor: 100_000,
    currency: 'KES',
    feeMinor: 0,
    status: 'SUCCESS',
    outcome: 'paid',
    outcomes: ['open', 'paid'],
    createdAtUs: at('16:28:00'),
    endedAtUs: at('16:28:02'),
    sinceUs: at('16:28:02'),
    origin: 'request',
    twinOf: null,
    answered: true,
    learntAtUs: at('16:28:00'),
    endLearntAtUs: at('16:28:02'),
    hidden: false,
    longKnowable: true,
    callbacks: { written: 1, untried: 0 },
    subscribed: false,
    ...more,
  }
}

export function lineWith(more: Partial<BookedPayment> = {}): BookedPayment {
  return { number: 3, reference: 'salary-1', status: 'SUCCESS', amountMinor: 100_000, ...more }
}

export const again: PaymentFacts = paymentWith({
  uuid: '8d1f4c9a-2b7e-4f06-8c3d-5e9a7b2c4d10',
  seq: 2,
  reference: 'salary-1b',
  createdAtUs: at('16:28:30'),
  endedAtUs: at('16:28:32'),
  sinceUs: at('16:28:32'),
})

import type { Payment } from '../../model/payment.ts'
import type { Command, Result } from '../commands.ts'
import type { Core } from '../core.ts'
import { endingEvent, endNow } from '../mishaps.ts'

/** A read counts, and the planned one ends the payment. */
export function pollPayment(core: Core, { seq }: Command<'poll-payment'>): Result<'poll-payment'> {
  const payment = core.store.payments.bySeq(seq) as Payment
  if (endingEvent(payment) === undefined) return payment
  const reads = core.store.counters.next(`reads:${seq}`)
  return reads === payment.plan.untilPoll ? endNow(core, payment) : payment
}

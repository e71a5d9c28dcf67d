/** The command for a read that may end its payment. */
import type { Command, CommandResult } from '../../commands.ts'
import { type Core, kindOf } from '../../core.ts'
import { must } from '../../model/must.ts'
import { endingEvent } from '../../rail-outcomes.ts'
import { endNow } from '../planned-execution.ts'

export function pollPayment(core: Core, { seq }: Command<'poll-payment'>): CommandResult<'poll-payment'> {
  const payment = must(core.store.payments.bySeq(seq))
  // What waits for its rail is not on the way to its end yet.
  if (endingEvent(kindOf(core, payment), payment) === undefined || core.store.floatQueue.has(seq)) return payment
  const reads = core.store.counters.next(`reads:${seq}`)
  return reads === payment.plan.untilPoll ? endNow(core, payment) : payment
}

/** Effects of a plan besides waiting: ending a payment at once, executing its request twice. */
import { type Core, kindOf, stamp } from '../core.ts'
import { LANE } from '../model/due.ts'
import { must } from '../model/must.ts'
import type { Payment } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import { endingEvent } from '../rail-outcomes.ts'
import { stepPayment } from './handlers/step-payment.ts'

export function endNow(core: Core, payment: Payment): Payment {
  const event = endingEvent(kindOf(core, payment), payment)
  if (event === undefined) return payment
  core.store.agenda.cancel(LANE.steps, payment.seq, payment, event)
  const ended = stepPayment(core, { command: 'step-payment', seq: payment.seq, event })
  if (ended) return ended
  core.store.payments.save(payment)
  return payment
}

/**
 * Executes the request a second time. If that fails the first payment stands, and its history says why there is no
 * second.
 */
export function makeAgain(core: Core, first: Payment, make: () => Payment): void {
  const { sql, undo, payments } = core.store
  const mark = undo.mark()
  try {
    sql.transaction(make)
  } catch (error) {
    undo.rollbackTo(mark)
    if (!(error instanceof Refusal)) throw error
    const stored = must(payments.bySeq(first.seq))
    stored.history.push({
      atUs: stamp(core),
      event: 'twice',
      status: stored.status,
      by: 'plan',
      detail: error.code,
    })
    payments.save(stored)
  }
}

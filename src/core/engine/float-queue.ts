/** Payments that wait for the float of their rail: accepted and reserved, and continued when the float covers them. */
import { type Core, kindOf, stamp } from '../core.ts'
import { LANE } from '../model/due.ts'
import type { Currency } from '../model/money.ts'
import type { Payment } from '../model/payment.ts'
import { endingEvent, remaining } from '../rail-outcomes.ts'
import { deferByHours } from './apply-rails.ts'

export function awaitFloat(core: Core, { seq, plan, currency, amountMinor }: Payment): void {
  if (!plan.untilFunded || plan.float === undefined) return
  const reserved = core.ledger.transfersOf(seq).some(({ state, kind }) => state === 'pending' && kind !== 'fee')
  const reservedMinor = reserved ? amountMinor : 0
  core.store.floatQueue.add({ paymentSeq: seq, float: plan.float, currency, amountMinor, reservedMinor })
}

export function releaseFunded(core: Core, name: string, currency: Currency): void {
  const waiting = core.store.floatQueue.of(name, currency)
  if (waiting.length === 0) return
  const float = core.scenario.rails.float.find((one) => one.name === name && one.currency === currency)
  // A scenario without the float has rails that never run out.
  let leftMinor = float ? remaining(core, float) : Number.POSITIVE_INFINITY
  for (const { paymentSeq, amountMinor } of waiting) {
    if (amountMinor > leftMinor) continue
    leftMinor -= amountMinor
    takeUp(core, paymentSeq)
  }
}

/** For any float, because another scenario may have filled it, or may not have it. */
export function releaseAllFunded(core: Core): void {
  for (const { float, currency } of core.store.floatQueue.floats()) releaseFunded(core, float, currency)
}

function takeUp(core: Core, seq: number): void {
  const { store, clock } = core
  store.floatQueue.remove(seq)
  const payment = store.payments.bySeq(seq)
  // A row of a damaged or hand-made database.
  if (!payment) return
  const { afterUs } = deferByHours(core, payment, payment.plan)
  const event = endingEvent(kindOf(core, payment), payment)
  payment.history.push({ atUs: stamp(core), event: 'funded', status: payment.status, by: 'float' })
  if (afterUs !== null && event !== undefined) store.agenda.add(LANE.steps, clock.now() + afterUs, seq, event, payment)
  store.payments.save(payment)
}

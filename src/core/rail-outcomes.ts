import { type Core, kindOf } from './core.ts'
import { type DelayName, isPaid, legalEvents, start } from './lifecycle.ts'
import type { CommonAssumptions } from './model/assumption.ts'
import type { Kind } from './model/kind.ts'
import { floatCode } from './model/money.ts'
import { must } from './model/must.ts'
import type { JsonObject, Payment } from './model/payment.ts'
import { type DurationUs, parseDuration, SECOND_US } from './model/time.ts'
import type { Float } from './scenarios/keys/rails.ts'

type Lives = Pick<CommonAssumptions, 'session-life' | 'prompt-life'>

const lifeUs = (lives: Lives, of: keyof Lives) => must(parseDuration(lives[of]))

/** A session that was planned to expire is settled this long after its payment. Assumed. */
export const PAID_BEFORE_EXPIRY_US: DurationUs = 3 * SECOND_US

/** A session that is planned to expire counts, because whoever pays before it expires has paid. */
export function endsWell(end: string): boolean {
  return isPaid(end) || end === 'EXPIRED'
}

type Waiting = Pick<Payment, 'plan' | 'status'> & Partial<Pick<Payment, 'details' | 'createdAtUs' | 'updatedAtUs'>>

export function waitOfPayment(payment: Waiting, wait: DelayName, lives: Lives): DurationUs | null {
  const { plan, status } = payment
  const challenged = payment.details?.['challenge'] !== undefined
  switch (wait) {
    case 'settle':
      if (plan.untilFunded) return null
      return plan.end === 'EXPIRED' ? PAID_BEFORE_EXPIRY_US : plan.afterUs
    case 'revise':
      // Once: the state that it is revised to is the last.
      return plan.revise && plan.revise.end !== status ? plan.revise.afterUs : null
    case 'autopay':
      return plan.confirmAfterUs === undefined ? (plan.payAfterUs ?? null) : null
    case 'autoprompt':
      return plan.confirmAfterUs === undefined ? null : (plan.payAfterUs ?? null)
    case 'prompt':
      if (challenged || plan.promptUs !== undefined) return null
      return plan.confirmAfterUs === undefined ? lifeUs(lives, 'prompt-life') : plan.confirmAfterUs
    case 'unanswered':
      return challenged ? null : (plan.promptUs ?? null)
    case 'expire':
      if (status === 'REQUIRES_CUSTOMER_ACTION') return challenged ? restOfSession(payment, lives) : null
      if (plan.untilPoll !== undefined) return null
      return plan.end === 'EXPIRED' ? plan.afterUs : lifeUs(lives, 'session-life')
  }
}

function restOfSession({ plan, createdAtUs = 0, updatedAtUs = 0 }: Waiting, lives: Lives): DurationUs {
  const lifetimeUs = plan.end === 'EXPIRED' && plan.afterUs !== null ? plan.afterUs : lifeUs(lives, 'session-life')
  return Math.max(0, lifetimeUs - (updatedAtUs - createdAtUs))
}

/** A session ends by an event from outside, because it settles only once somebody has paid. */
const ofSession: Readonly<Record<string, string>> = { SUCCEEDED: 'SUCCEED', FAILED: 'FAIL', EXPIRED: 'EXPIRE' }

export function endingEvent(kind: Kind, { status, plan }: Payment): string | undefined {
  if (kind.page) return legalEvents(kind, status).find(({ event }) => event === ofSession[plan.end])?.event
  if (status !== 'PENDING') return undefined
  const { effects } = start(kind, { endsWell: endsWell(plan.end) })
  return effects.some((effect) => 'wait' in effect && effect.wait === 'settle') ? 'settle' : undefined
}

/** Whether the wallet can pay what was not reserved at creation. Always true when it was reserved. */
export function fundsAreThere(core: Core, payment: Payment): boolean {
  if (
    core.scenario.assumptions['funds-check'] === 'at-creation' ||
    payment.status !== 'PENDING' ||
    payment.amountMinor === 0
  )
    return true
  if (kindOf(core, payment).direction === 'in') return true
  const reserved = core.ledger.transfersOf(payment.seq).some((transfer) => transfer.state === 'pending')
  return (
    reserved ||
    core.ledger.available(payment.organisationId, payment.currency) >=
      payment.amountMinor + (payment.plan.feeMinor ?? 0)
  )
}

/** Assumed (`success-record`). The plan's own fields override these. */
export function outcomeDetails(core: Core, payment: Payment): JsonObject {
  if (!endsWell(payment.status) || core.scenario.assumptions['success-record'] === 'bare') return {}
  return kindOf(core, payment).outcome?.(core, payment) ?? {}
}

/**
 * Minor units that a rail can still pay out: its float less what went out or is on its way. Payments that wait for the
 * float do not count, although their wallets have reserved the money.
 */
export function remaining(core: Core, float: Float): number {
  const account = core.ledger.find(floatCode(float.currency, float.name))
  const { debitsPosted = 0, creditsPosted = 0, creditsPending = 0 } = account ?? {}
  const { reservedMinor } = core.store.floatQueue.totals(float.name, float.currency)
  return float.amountMinor + debitsPosted - creditsPosted - (creditsPending - reservedMinor)
}

/** Commands that take a payment from one state to the next. */
import type { Command, CommandResult } from '../../commands.ts'
import { type Core, kindOf, stamp } from '../../core.ts'
import { emitPaymentEvent } from '../../emit-events.ts'
import { spendable } from '../../handset.ts'
import { type LifecycleStep, legalEvents, step } from '../../lifecycle.ts'
import { didYouMean } from '../../model/did-you-mean.ts'
import type { Kind, PromptFailure } from '../../model/kind.ts'
import type { MomentBy } from '../../model/moments.ts'
import { must } from '../../model/must.ts'
import { partyOf } from '../../model/party.ts'
import type { JsonObject, Payment } from '../../model/payment.ts'
import { describeValue } from '../../model/problems.ts'
import { fieldMismatch, unknownField } from '../../model/record-fields.ts'
import { Refusal } from '../../model/refusal.ts'
import { commonReasons, refused } from '../../model/refusal-reasons.ts'
import { endsWell, fundsAreThere, isWait, outcomeDetails } from '../../rail-outcomes.ts'
import { carryOut } from '../effects.ts'
import { releaseFunded } from '../float-queue.ts'

export function stepPayment(core: Core, { seq, event }: Command<'step-payment'>): CommandResult<'step-payment'> {
  const payment = core.store.payments.bySeq(seq)
  if (!payment) throw new Error(`The agenda names payment ${seq}, which is not stored`)
  // Saved with what comes of it; where nothing does, whoever performs it takes it off the agenda.
  if (payment.due?.event === event) payment.due = null
  const wait = isWait(event)
  const revising = wait === 'revise'
  if (wait === 'unanswered') return failPrompt(core, payment, event, 'unanswered', 'plan')
  if (wait === 'prompt' && isShortOfMoney(core, payment))
    return failPrompt(core, payment, 'FAIL', 'insufficient-funds', 'payer')
  const planned = revising ? payment.plan.revise?.with : payment.plan.with
  const { declined } = payment.details
  const context = {
    endsWell: endsWell(payment.plan.end) && declined === undefined && fundsAreThere(core, payment),
  }
  const next = step(kindOf(core, payment), payment.status, event, context)
  // Leaving a state cancels its waits, so a wait that the state does not know was cancelled by a neighbour in the same batch.
  if (!next) return null
  if (revising && !canBeRevised(core, payment, next.status))
    return keep(core, payment, 'revise', 'plan', 'wallet_exhausted')
  if (revising && endsWell(next.status)) payment.details = without(payment.details, payment.plan.with)
  const asPlanned = context.endsWell === endsWell(payment.plan.end) ? (planned ?? {}) : {}
  const isDeclined = declined !== undefined && next.status === 'FAILED'
  return takeStep(core, payment, event, next, 'plan', isDeclined ? { ...asPlanned, failure: declined } : asPlanned)
}

function failPrompt(core: Core, payment: Payment, event: string, failure: PromptFailure, by: MomentBy): Payment | null {
  const kind = kindOf(core, payment)
  const next = step(kind, payment.status, event, { endsWell: false })
  return next ? takeStep(core, payment, event, next, by, kind.prompt?.failed(failure) ?? {}) : null
}

function isShortOfMoney(core: Core, payment: Payment): boolean {
  const { phoneNumber } = payment.details
  const phone = typeof phoneNumber === 'string' ? phoneNumber : partyOf(kindOf(core, payment), payment.request)
  const balanceMinor = phone === null ? null : spendable(core, phone)
  return balanceMinor !== null && balanceMinor < payment.amountMinor
}

export function signalPayment(
  core: Core,
  { uuid, event, by, with: extra }: Command<'signal-payment'>,
): CommandResult<'signal-payment'> {
  const payment = find(core, uuid)
  // Nobody but time may say that a wait is over.
  const next = isWait(event)
    ? undefined
    : step(kindOf(core, payment), payment.status, event, { endsWell: endsWell(payment.plan.end) })
  if (!next) throw illegal(core, payment, `does not accept ${event}`)
  return takeStep(core, payment, event, next, by, extra ?? {})
}

export function resolvePayment(
  core: Core,
  { uuid, status, with: extra }: Command<'resolve-payment'>,
): CommandResult<'resolve-payment'> {
  const payment = find(core, uuid)
  const kind = kindOf(core, payment)
  const ways = legalEvents(kind, payment.status)
  const way = ways.find((candidate) => candidate.leadsTo === status)
  if (!way)
    throw illegal(
      core,
      payment,
      `cannot become ${status}`,
      didYouMean(
        status,
        ways.map(({ leadsTo }) => leadsTo),
      ),
    )
  requireRecordFields(kind, extra ?? {})
  const next = must(step(kind, payment.status, way.event, { endsWell: true }))
  return takeStep(core, payment, way.event, next, 'operator', extra ?? {})
}

/** As `with` of a scenario's rule. */
function requireRecordFields(kind: Kind, fields: JsonObject): void {
  for (const [name, value] of Object.entries(fields)) {
    const unknown = unknownField(kind, name)
    const expected = unknown === undefined && fieldMismatch(kind.fields[name] ?? 'any', value)
    if (unknown !== undefined) throw new Refusal('INVALID_FIELD', `with: ${unknown}`)
    if (expected) throw new Refusal('INVALID_FIELD', `with.${name}: must be ${expected}, got ${describeValue(value)}`)
  }
}

export function takeStep(
  core: Core,
  payment: Payment,
  event: string,
  next: LifecycleStep,
  by: MomentBy,
  extra: JsonObject,
): Payment {
  const from = payment.status
  const atUs = stamp(core)
  payment.status = next.status
  payment.updatedAtUs = atUs
  payment.history.push({ atUs, event: isWait(event) ?? event, status: next.status, by })
  payment.details = { ...payment.details, ...outcomeDetails(core, payment), ...extra }
  emitPaymentEvent(core, payment, from, by)
  if (payment.plan.untilFunded) core.store.floatQueue.remove(payment.seq)
  carryOut(core, payment, next.effects)
  core.store.payments.save(payment)
  core.usage.follow(payment, from, core.scenario, core.clock.now())
  // What it gives back may be what others wait for.
  if (payment.plan.float !== undefined && !endsWell(payment.status))
    releaseFunded(core, payment.plan.float, payment.currency)
  return payment
}

/** Adds to the history without a change of state. `detail`: the code of what prevented one. */
export function keep(core: Core, payment: Payment, event: string, by: MomentBy, detail?: string): Payment {
  payment.history.push({
    atUs: stamp(core),
    event,
    status: payment.status,
    by,
    ...(detail !== undefined && { detail }),
  })
  core.store.payments.save(payment)
  return payment
}

/**
 * A wallet never goes below zero, so a collection that was spent stays collected, and a failed payout whose money was
 * spent stays failed.
 */
function canBeRevised(core: Core, payment: Payment, status: string): boolean {
  const paysOut = kindOf(core, payment).direction !== 'in'
  if (endsWell(status) !== paysOut) return true
  const neededMinor = payment.amountMinor + (paysOut ? (payment.plan.feeMinor ?? 0) : 0)
  return core.ledger.available(payment.organisationId, payment.currency) >= neededMinor
}

/** Removes failure fields, because the payment no longer failed. */
function without(details: JsonObject, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(details).filter(([name]) => !Object.hasOwn(fields, name)))
}

export function find(core: Core, uuid: string): Payment {
  const payment = core.store.payments.byUuid(uuid)
  if (!payment) throw refused(commonReasons.nothingThere, `no payment has the uuid "${uuid}"`)
  return payment
}

export function illegal(core: Core, payment: Payment, what: string, meant = ''): Refusal {
  const legal = legalEvents(kindOf(core, payment), payment.status)
  const ways = legal.map(({ event, leadsTo }) => `${event} → ${leadsTo}`).join(', ')
  return new Refusal(
    'ILLEGAL_TRANSITION',
    `A ${payment.kind} payment in state ${payment.status} ${what}. Possible now: ${ways || 'nothing, it is final'}.${meant}`,
  )
}

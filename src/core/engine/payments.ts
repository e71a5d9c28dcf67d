import {
  type Core,
  conditionFacts,
  emitPaymentEvent,
  kindOf,
  type PaymentOrder,
  type RailsDecision,
  stamp,
} from '../core.ts'
import { spendable } from '../handset.ts'
import { type Effect, isOpen, isWait, type LifecycleStep, legalEvents, start, step } from '../lifecycle.ts'
import { LANE } from '../model/due.ts'
import { type Direction, fieldMismatch, type Kind, type PromptFailure, partyOf, unknownField } from '../model/kind.ts'
import { type Currency, decimalText, feesCode, floatCode, fundingCode, railCode, walletCode } from '../model/money.ts'
import { must } from '../model/must.ts'
import type { JsonObject, MomentBy, Payment, Plan } from '../model/payment.ts'
import { describeValue, didYouMean } from '../model/problems.ts'
import { commonReasons, inForce, Refusal, refusalAnswer, refused } from '../model/refusal.ts'
import { endingEvent, endsWell, fundsAreThere, outcomeDetails, remaining, waitOfPayment } from '../rail-outcomes.ts'
import { writeCallback } from './callbacks.ts'
import { applyRails, deferByHours } from './rails.ts'

export function openPayment(core: Core, input: PaymentOrder): { payment: Payment; replayed: boolean } {
  const repeated = repetition(core, input)
  if (repeated) return { payment: repeated, replayed: true }

  const id = core.store.counters.next(`payment:${input.kind}`)
  const plan = decide(core, input, id)
  const by = input.by ?? 'request'
  const payment = makePayment(core, input, plan, id, by)
  // A payment by hand of a customer is no request that could be executed again.
  if (plan.twice && by === 'request')
    executeTwice(core, payment, () =>
      makePayment(core, input, plan, core.store.counters.next(`payment:${input.kind}`), 'plan'),
    )
  return { payment, replayed: false }
}

function makePayment(core: Core, input: PaymentOrder, plan: Plan, id: number, by: MomentBy): Payment {
  const { counters, payments } = core.store
  const seq = counters.next('payment')
  const atUs = stamp(core)
  const kind = kindOf(core, input)
  const first = start(kind, { endsWell: endsWell(plan.end) })
  const payment: Payment = {
    seq,
    kind: kind.name,
    id,
    uuid: core.ids.numberedUuid('payment', seq),
    organisationId: input.organisationId,
    counterpartyId: input.counterpartyId ?? null,
    referenceId: input.referenceId ?? null,
    currency: input.currency,
    amountMinor: input.amountMinor,
    status: first.status,
    request: input.request,
    details: {},
    plan,
    history: [{ atUs, event: 'open', status: first.status, by }],
    callbackUrl: input.callbackUrl ?? null,
    trace: input.trace,
    createdAtUs: atUs,
    updatedAtUs: atUs,
  }
  // A payment that is over at once ends here, so the end's fields are set here.
  const ended = isOpen(first.status) ? {} : plan.with
  payment.details = { ...kind.opening?.(core, payment.request), ...ended }
  emitPaymentEvent(core, payment, null, by)
  applyEffects(core, payment, first.effects)
  const tellsOfPending = core.scenario.assumptions['final-callback'] === 'pending-too' && !kind.callback?.finalOnly
  if (payment.status === 'PENDING' && tellsOfPending) writeCallback(core, payment)
  payments.insert(payment, partyOf(kind, payment.request))
  if (plan.untilFunded) awaitFloat(core, payment)
  if (plan.callback?.early && plan.afterUs === 0) finishNow(core, payment)
  return payment
}

function decide(core: Core, input: PaymentOrder, nth: number): Plan {
  const about = conditionFacts(core, input, nth)
  const decision = core.scenario.decide(about)
  const railed: RailsDecision = decision.refuse
    ? decision
    : rejectImmediately(core, input, applyRails(core, input, decision.plan))
  if (core.trace) core.trace.payment = { input, decision, railed, hasCallback: about.hasCallback !== false }
  if (railed.refuse) {
    const { code, status, message, field, rule } = railed.refuse
    const details = railed.refuse.details ?? `refused by the scenario's rule "${rule}"`
    throw refused(commonReasons.ruled, field === undefined ? details : `${field}: ${details}`, {
      code,
      status,
      rule,
      counted: decision.counted,
      fields: field === undefined ? [] : [{ field, message: `${field} ${details}` }],
      ...(message === undefined ? {} : { message }),
    })
  }
  countRules(core, railed.plan.rule, decision.counted)
  for (const name of railed.plan.rails ?? []) core.store.counters.next(`rule:${name}`)
  const tells = railed.plan.callback?.by
  if (tells !== undefined && tells !== railed.plan.rule) core.store.counters.next(`rule:${tells}`)
  const edition = core.store.counters.current('edition')
  return edition > 0 ? { ...railed.plan, edition } : railed.plan
}

function rejectImmediately(core: Core, input: PaymentOrder, railed: RailsDecision): RailsDecision {
  const { refusedAtOnce, failure } = kindOf(core, input)
  if (railed.refuse || !refusedAtOnce || !failure?.code) return railed
  const { plan } = railed
  const reason = inForce(refusedAtOnce.reason, core.scenario.assumptions)
  if (!reason || plan.end !== 'FAILED' || plan.with[failure.code] !== refusedAtOnce.failure) return railed
  const told = failure.text && plan.with[failure.text]
  const details = typeof told === 'string' ? told : refusedAtOnce.failure
  const { rule, trace } = plan
  return { refuse: { rule, trace, ...refusalAnswer(reason), message: undefined, details } }
}

/** A refusal rolls back the count of its rule, so the count is repeated afterwards. */
export function countRefused(core: Core, refusal: Refusal): void {
  if (refusal.rule !== undefined) countRules(core, refusal.rule, refusal.counted)
}

function countRules(core: Core, decidedBy: string, counted: readonly string[]): void {
  core.store.counters.next('decision')
  core.store.counters.next(`rule:${decidedBy}`)
  for (const rule of counted) core.store.counters.next(`turn:${rule}`)
}

function repetition(core: Core, input: PaymentOrder): Payment | undefined {
  const { reference } = kindOf(core, input)
  if (input.referenceId === undefined || !reference) return undefined
  const { field, used } = reference
  const choice = core.scenario.assumptions[used.ground]
  if (choice !== 'replay' && choice !== 'refuse') return undefined
  const earlier = core.store.payments
    .byReference(input.referenceId)
    .findLast((p) => p.organisationId === input.organisationId && p.kind === input.kind)
  if (!earlier || choice === 'replay') return earlier
  throw refused(used, `${field}: "${input.referenceId}" was used before, by ${earlier.uuid}`, `${field} must be unique`)
}

function finishNow(core: Core, payment: Payment): Payment {
  const event = endingEvent(kindOf(core, payment), payment)
  if (event === undefined) return payment
  core.store.agenda.cancel(LANE.steps, payment.seq, event)
  return stepPayment(core, { seq: payment.seq, event }) ?? payment
}

/**
 * Executes the request a second time. If that fails the first payment stands, and its history says why there is no
 * second.
 */
function executeTwice(core: Core, first: Payment, makeSecond: () => Payment): void {
  const second = core.commit.attempt(makeSecond)
  if (second.ok) return
  if (!(second.error instanceof Refusal)) throw second.error
  keep(core, must(core.store.payments.bySeq(first.seq)), 'twice', 'plan', second.error.code)
}

export function stepPayment(core: Core, { seq, event }: { seq: number; event: string }): Payment | null {
  const payment = core.store.payments.bySeq(seq)
  if (!payment) throw new Error(`The agenda names payment ${seq}, which is not stored`)
  const revising = event === 'revise'
  if (event === 'unanswered') return failPrompt(core, payment, event, 'unanswered', 'plan')
  if (event === 'prompt' && isPayerShort(core, payment))
    return failPrompt(core, payment, 'FAIL', 'insufficient-funds', 'payer')
  const planned = revising ? payment.plan.revise?.with : payment.plan.with
  const { declined } = payment.details
  const context = { endsWell: endsWell(payment.plan.end) && declined === undefined && fundsAreThere(core, payment) }
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

function isPayerShort(core: Core, payment: Payment): boolean {
  const { phoneNumber } = payment.details
  const phone = typeof phoneNumber === 'string' ? phoneNumber : partyOf(kindOf(core, payment), payment.request)
  return phone !== null && isPhoneShort(core, phone, payment)
}

export function isPhoneShort(core: Core, phone: string, { amountMinor }: Payment): boolean {
  const balanceMinor = spendable(core, phone)
  return balanceMinor !== null && balanceMinor < amountMinor
}

/** Refused when the state does not accept the event. */
export function signalPayment(
  core: Core,
  { uuid, event, by, with: extra }: { uuid: string; event: string; by: MomentBy; with?: JsonObject },
): Payment {
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
  { uuid, status, with: extra }: { uuid: string; status: string; with?: JsonObject },
): Payment {
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

/** The same fields that `with` of a rule may set. */
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
  payment.history.push({ atUs, event, status: next.status, by })
  payment.details = { ...payment.details, ...outcomeDetails(core, payment), ...extra }
  emitPaymentEvent(core, payment, from, by)
  if (payment.plan.untilFunded) core.store.floatQueue.remove(payment.seq)
  applyEffects(core, payment, next.effects)
  core.store.payments.save(payment)
  // Others may wait for the float that it gives back.
  if (payment.plan.float !== undefined && !endsWell(payment.status))
    releaseFunded(core, payment.plan.float, payment.currency)
  return payment
}

/** Adds to the history without a change of state. `detail`: the code of what prevented one. */
export function keep(core: Core, payment: Payment, event: string, by: MomentBy, detail?: string): Payment {
  const { status } = payment
  payment.history.push({ atUs: stamp(core), event, status, by, ...(detail !== undefined && { detail }) })
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
  if (!payment) throw new Refusal('RESOURCE_NOT_FOUND', `no payment has the uuid "${uuid}"`)
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

export function pollPayment(core: Core, { seq }: { seq: number }): Payment {
  const payment = must(core.store.payments.bySeq(seq))
  // A payment that waits for its rail is not on the way to its end yet.
  if (endingEvent(kindOf(core, payment), payment) === undefined || core.store.floatQueue.has(seq)) return payment
  const reads = core.store.counters.next(`reads:${seq}`)
  return reads === payment.plan.untilPoll ? finishNow(core, payment) : payment
}

/** In the machine's order. The caller saves the payment. The only place where effects become writes. */
function applyEffects(core: Core, payment: Payment, effects: readonly Effect[]): void {
  for (const effect of effects) {
    if ('wait' in effect) {
      const afterUs = waitOfPayment(payment, effect.wait, core.scenario.assumptions)
      if (afterUs !== null) core.store.agenda.add(LANE.steps, core.clock.now() + afterUs, payment.seq, effect.wait)
    } else if ('cancel' in effect) {
      core.store.agenda.cancel(LANE.steps, payment.seq, effect.cancel)
    } else {
      effectHandlers[effect.do](core, payment)
    }
  }
}

type EffectHandlers = Record<Extract<Effect, { do: unknown }>['do'], (core: Core, payment: Payment) => void>

const effectHandlers: EffectHandlers = {
  reserve: (core, payment) => {
    if (payment.amountMinor === 0) return
    if (kindOf(core, payment).direction === 'out' && core.scenario.assumptions['funds-check'] === 'at-settlement')
      return
    if (payment.plan.feeMinor) refuseUnlessFeeIsThere(core, payment, payment.plan.feeMinor)
    for (const one of orders(core, payment)) core.ledger.transfer(one, 'reserve')
  },
  post: (core, payment) => {
    if (payment.amountMinor === 0) return
    if (core.ledger.complete(payment.seq, 'post', payment.updatedAtUs) > 0) return
    for (const one of orders(core, payment)) core.ledger.transfer(one, 'post-at-once')
  },
  void: (core, payment) => {
    core.ledger.complete(payment.seq, 'void', payment.updatedAtUs)
  },
  reverse: (core, payment) => core.ledger.reverse(payment.seq, payment.updatedAtUs),
  move: (core, payment) => {
    core.ledger.transfer(order(core, payment), 'post-at-once')
  },
  notify: writeCallback,
}

function order(core: Core, payment: Payment) {
  const [debit, credit] = sidesOf(payment, kindOf(core, payment).direction)
  return {
    kind: payment.kind,
    debit,
    credit,
    amountMinor: payment.amountMinor,
    paymentSeq: payment.seq,
    atUs: payment.updatedAtUs,
  }
}

function sidesOf({ organisationId, currency, plan, details }: Payment, direction: Direction): [string, string] {
  if (direction === 'between') {
    const walletOf = (side: string) => walletCode(Number(details[side]), currency)
    return [walletOf('fromOrganisation'), walletOf('toOrganisation')]
  }
  const wallet = walletCode(organisationId, currency)
  const rail = plan.float === undefined ? railCode(currency) : floatCode(currency, plan.float)
  return direction === 'in' ? [rail, wallet] : [wallet, rail]
}

function orders(core: Core, payment: Payment) {
  const { feeMinor } = payment.plan
  const own = order(core, payment)
  return feeMinor ? [own, { ...own, kind: 'fee', credit: feesCode(payment.currency), amountMinor: feeMinor }] : [own]
}

function refuseUnlessFeeIsThere(
  core: Core,
  { organisationId, currency, amountMinor }: Payment,
  feeMinor: number,
): void {
  const available = core.ledger.available(organisationId, currency)
  if (available < amountMinor || available >= amountMinor + feeMinor) return
  throw refused(
    commonReasons.fundsShort,
    `amount: ${decimalText(amountMinor)} ${currency} and the fee of ${decimalText(feeMinor)} ${currency} are more than the wallet's ${decimalText(available)} ${currency}`,
    'amount and its fee are more than the wallet holds',
  )
}

export function fund(core: Core, organisationId: number, currency: Currency, amountMinor: number): number {
  const [debit, credit] = [fundingCode(currency), walletCode(organisationId, currency)]
  const order = { kind: 'funding', debit, credit, amountMinor, paymentSeq: null, atUs: stamp(core) }
  return core.ledger.transfer(order, 'post-at-once')
}

function awaitFloat(core: Core, { seq, plan, currency, amountMinor }: Payment): void {
  if (plan.float === undefined) return
  const reserved = core.ledger.transfersOf(seq).some(({ state, kind }) => state === 'pending' && kind !== 'fee')
  const reservedMinor = reserved ? amountMinor : 0
  core.store.floatQueue.add({ paymentSeq: seq, float: plan.float, currency, amountMinor, reservedMinor })
}

function releaseFunded(core: Core, name: string, currency: Currency): void {
  const waiting = core.store.floatQueue.of(name, currency)
  if (waiting.length === 0) return
  const float = core.scenario.rails.float.find((one) => one.name === name && one.currency === currency)
  // A scenario without the float has rails that never run out.
  let leftMinor = float ? remaining(core, float) : Number.POSITIVE_INFINITY
  for (const { paymentSeq, amountMinor } of waiting) {
    if (amountMinor > leftMinor) continue
    leftMinor -= amountMinor
    resumeFromFloat(core, paymentSeq)
  }
}

/** For any float, because another scenario may have filled it, or may not have it. */
export function releaseAllFunded(core: Core): void {
  for (const { float, currency } of core.store.floatQueue.floats()) releaseFunded(core, float, currency)
}

function resumeFromFloat(core: Core, seq: number): void {
  const { store, clock } = core
  store.floatQueue.remove(seq)
  const payment = store.payments.bySeq(seq)
  // A row of a damaged or hand-made database.
  if (!payment) return
  const { afterUs } = deferByHours(core, payment, payment.plan)
  const event = endingEvent(kindOf(core, payment), payment)
  if (afterUs !== null && event !== undefined) store.agenda.add(LANE.steps, clock.now() + afterUs, seq, event)
  keep(core, payment, 'funded', 'float')
}

export function fundFloat(
  core: Core,
  { name, currency, amountMinor }: { name: string; currency: Currency; amountMinor: number },
): { transferId: number } {
  const [debit, credit] = [floatCode(currency, name), fundingCode(currency)]
  const order = { kind: 'float-funding', debit, credit, amountMinor, paymentSeq: null, atUs: stamp(core) }
  const transferId = core.ledger.transfer(order, 'post-at-once')
  releaseFunded(core, name, currency)
  return { transferId }
}

export function fundWallet(
  core: Core,
  { organisationId, currency, amountMinor }: { organisationId: number; currency: Currency; amountMinor: number },
): { transferId: number } {
  const transferId = fund(core, organisationId, currency, amountMinor)
  core.emit({ type: 'wallet', atUs: core.clock.now(), organisationId, currency, amountMinor })
  return { transferId }
}

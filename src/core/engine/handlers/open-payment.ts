/** The command that makes a payment. */
import type { Command, CommandResult } from '../../commands.ts'
import { conditionFacts } from '../../condition-facts.ts'
import { type Core, kindOf, type RailsDecision, stamp } from '../../core.ts'
import { emitPaymentEvent } from '../../emit-events.ts'
import { isInstant, start } from '../../lifecycle.ts'
import type { Kind } from '../../model/kind.ts'
import type { MomentBy } from '../../model/moments.ts'
import { partyOf } from '../../model/party.ts'
import type { JsonObject, Payment, Plan } from '../../model/payment.ts'
import type { FieldProblem, LastingLimit, Refusal } from '../../model/refusal.ts'
import { commonReasons, refusalAnswer, refused } from '../../model/refusal-reasons.ts'
import { endsWell } from '../../rail-outcomes.ts'
import { applyRails } from '../apply-rails.ts'
import { carryOut } from '../effects.ts'
import { awaitFloat } from '../float-queue.ts'
import { writeCallback } from '../outbox.ts'
import { endNow, makeAgain } from '../planned-execution.ts'

/** Scenario decides → ledger reserves → lifecycle starts → store writes. */
export function openPayment(core: Core, input: Command<'open-payment'>): CommandResult<'open-payment'> {
  const repeated = repetition(core, input)
  if (repeated) return { payment: repeated, replayed: true }

  const id = core.store.counters.next(`payment:${input.kind}`)
  const plan = decide(core, input, id)
  const by = input.by ?? 'request'
  const payment = make(core, input, plan, id, by)
  // What a customer pays in by hand is no request that could be executed again.
  if (plan.twice && by === 'request')
    makeAgain(core, payment, () => make(core, input, plan, core.store.counters.next(`payment:${input.kind}`), 'plan'))
  return { payment, replayed: false }
}

function make(core: Core, input: Command<'open-payment'>, plan: Plan, id: number, by: MomentBy): Payment {
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
    lastCallbackId: null,
    due: null,
  }
  // What is over at once ends here, so the end's fields are set here.
  const ended = isInstant(kind) ? plan.with : {}
  payment.details = { ...kind.opening?.(core, payment.request), ...ended }
  emitPaymentEvent(core, payment, null, by)
  carryOut(core, payment, first.effects)
  // Its row names its newest callback, so what is told of it comes first.
  if (payment.status === 'PENDING' && tellsOfPending(core, kind)) writeCallback(core, payment)
  payments.insert(payment, partyOf(kind, payment.request))
  awaitFloat(core, payment)
  core.usage.follow(payment, null, core.scenario, core.clock.now())
  if (plan.callback?.early && plan.afterUs === 0) endNow(core, payment)
  return payment
}

function tellsOfPending({ scenario }: Core, { callback }: Kind): boolean {
  return scenario.assumptions['final-callback'] === 'pending-too' && !callback?.finalOnly
}

function decide(core: Core, input: Command<'open-payment'>, nth: number): Plan {
  const about = conditionFacts(core, input, nth)
  const decision = core.scenario.decide(about)
  const railed: RailsDecision = decision.refuse
    ? decision
    : toldAtOnce(core, input, applyRails(core, input, decision.plan))
  if (core.trace) core.trace.payment = { input, decision, railed, told: about.told !== false }
  if (railed.refuse) {
    const { code, status, message, details, rule } = railed.refuse
    throw refused(commonReasons.ruled, details ?? `refused by the scenario's rule "${rule}"`, {
      code,
      status,
      rule,
      counted: decision.counted,
      lasting: railed.lasting,
      fields: fieldsNamedIn(details, input.request),
      ...(message === undefined ? {} : { message }),
    })
  }
  countRules(core, railed.plan.rule, decision.counted)
  for (const name of railed.plan.rails ?? []) core.store.counters.next(`rule:${name}`)
  noteLasting(core, railed)
  const tells = railed.plan.callback?.by
  if (tells !== undefined && tells !== railed.plan.rule) core.store.counters.next(`rule:${tells}`)
  const edition = core.store.counters.current('edition')
  return edition > 0 ? { ...railed.plan, edition } : railed.plan
}

/** A rule that words its details as validation does, `amount: must be at least 1000`, is told by field as validation is. */
function fieldsNamedIn(details: string | undefined, request: JsonObject): FieldProblem[] {
  const [, field, problem] = /^(\w+): (.+)$/s.exec(details ?? '') ?? []
  if (field === undefined || request[field] === undefined) return []
  return [{ field, message: `${field} ${problem}` }]
}

function toldAtOnce(core: Core, input: Command<'open-payment'>, railed: RailsDecision): RailsDecision {
  const { refusedAtOnce, failure } = kindOf(core, input)
  if (railed.refuse || !refusedAtOnce || !failure?.code) return railed
  const { plan } = railed
  const isSo = core.scenario.assumptions[refusedAtOnce.reason.ground] === refusedAtOnce.when
  if (!isSo || plan.end !== 'FAILED' || plan.with[failure.code] !== refusedAtOnce.failure) return railed
  const told = failure.text && plan.with[failure.text]
  const details = typeof told === 'string' ? told : refusedAtOnce.failure
  const { lasting } = railed
  const { rule, trace } = plan
  return { refuse: { rule, trace, ...refusalAnswer(refusedAtOnce.reason), message: undefined, details }, lasting }
}

/** A refusal rolls back the count of its rule, so the count is repeated afterwards. */
export function countRefused(core: Core, refusal: Refusal): void {
  if (refusal.rule !== undefined) countRules(core, refusal.rule, refusal.counted)
  noteLasting(core, refusal)
}

function noteLasting(core: Core, { lasting }: { lasting?: LastingLimit | undefined }): void {
  if (lasting) core.store.counters.set(lasting.counter, lasting.untilUs)
}

function countRules(core: Core, decidedBy: string, counted: readonly string[]): void {
  core.store.counters.next('decision')
  core.store.counters.next(`rule:${decidedBy}`)
  for (const rule of counted) core.store.counters.next(`turn:${rule}`)
}

function repetition(core: Core, input: Command<'open-payment'>): Payment | undefined {
  const { reference } = kindOf(core, input)
  if (input.referenceId === undefined || !reference) return undefined
  const choice = core.scenario.assumptions[reference.repeated]
  if (choice !== 'replay' && choice !== 'refuse') return undefined
  const { field } = reference
  const earlier = core.store.payments
    .byReference(input.referenceId)
    .findLast((p) => p.organisationId === input.organisationId && p.kind === input.kind)
  if (!earlier || choice === 'replay') return earlier
  throw refused(commonReasons.referenceUsed, `${field}: "${input.referenceId}" was used before, by ${earlier.uuid}`, {
    fields: [{ field, message: `${field} must be unique` }],
  })
}

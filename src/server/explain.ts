/** Explains what would happen to a request, from a dry run. */
import { presentZone } from '../core/model/calendar.ts'
import { toMajor } from '../core/model/money.ts'
import type { PaymentKind } from '../core/model/payment.ts'
import type { ServiceOperation } from '../core/model/simulated-service.ts'
import { faultTarget, requestOf, turnOn, watches } from '../core/response-faults.ts'
import { vocabularyOf } from '../core/vocabulary.ts'
import type { World } from '../core/world.ts'
import { describe } from '../http/response-fault.ts'
import { planOf } from '../inspect/present.ts'
import { explainFaults, explainTrace } from '../inspect/trace-text.ts'
import { paymentsService } from '../service/service.ts'
import { type DryRun, dryRun, type ExplainRequest } from './control/scenario/explain-request.ts'

export function explain(world: World, asked: ExplainRequest) {
  const found = dryRun(world, asked)
  const { kind, operation, refusal, trace, off } = found
  const { scenario } = world.core
  const short = shortOf(found)
  const plan = found.payment?.plan ?? (short ? trace.payment?.railed.plan : undefined)
  const decision = trace.payment?.decision
  return {
    timezone: presentZone(scenario.zone),
    off: off && operation ? `${turnOn(operation)} Until then, such a request is answered 404.` : null,
    rule: refusal?.rule ?? (plan ?? trace.payment?.railed.plan)?.rule ?? null,
    refuse: refusal && !short ? refuseOf(found) : undefined,
    plan: plan && planOf({ plan }),
    short,
    trace: kind && decision ? explainTrace(scenario, kind.name, (decision.refuse ?? decision.plan).trace) : [],
    faults: { answer: answerFault(world, found), callback: callbackFault(world, found) },
    unread: Object.keys(asked.request).filter(
      (field) => !explainedFields(kind?.name ?? null, operation).includes(field),
    ),
  }
}

function refuseOf({ refusal, trace }: DryRun) {
  const { status, code, message, details } =
    refusal?.rule === undefined
      ? { ...refusal, message: refusal?.message, details: refusal?.details }
      : { ...trace.payment?.railed.refuse }
  return { status: status as number, code: code as string, message: message ?? null, details: details ?? null }
}

/** The balance and the amount needed; null where money is not the problem. */
function shortOf({ refusal, trace, availableMinor }: DryRun) {
  if (refusal?.code !== 'INSUFFICIENT_FUNDS' || refusal.rule !== undefined || !trace.payment?.railed.plan) return null
  const { input, railed } = trace.payment
  const neededMinor = input.amountMinor + (railed.plan.feeMinor ?? 0)
  // It may be another's wallet, which the refusal itself speaks of.
  if (neededMinor <= availableMinor) return null
  return { available: toMajor(availableMinor), needed: toMajor(neededMinor) }
}

function answerFault({ core: { scenario } }: World, { operation, off, trace, fault }: DryRun) {
  if (!operation || off) return null
  const watching = scenario.faults.filter(({ on }) => watches({ on: on }, operation))
  return {
    operation: faultTarget(operation),
    met: fault?.by ?? null,
    does: fault ? describe(fault, true) : null,
    executed: fault?.executed ?? true,
    trace: explainFaults(watching, trace.fault?.trace ?? '', 'a fault before it was met'),
  }
}

function callbackFault({ core: { scenario } }: World, { kind, trace: { payment } }: DryRun) {
  if (!kind || !payment?.told || !payment.railed.plan) return null
  const { callback, rule } = payment.railed.plan
  const { callbackTrace } = payment.decision
  const asked = callbackTrace !== undefined
  const faults = scenario.callbackFaults.filter(({ on }) => on.includes(kind.name))
  return {
    met: asked ? (callback?.by ?? null) : null,
    trace: explainFaults(
      faults,
      callbackTrace ?? '',
      asked ? 'a fault before it was met' : `the rule "${rule}" says itself what becomes of the callback`,
    ),
  }
}

export function explainedFields(kind: PaymentKind | null, operation: ServiceOperation | null): string[] {
  const ofKind = kind ? Object.keys(vocabularyOf(paymentsService.kinds.of(kind)).get('request')?.fields ?? {}) : []
  return [...new Set([...ofKind, ...(operation ? Object.keys(requestOf(operation).fields) : [])])]
}

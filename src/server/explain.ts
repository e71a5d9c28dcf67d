/** Explains what would happen to a request, which is made in a copy of the world. */
import * as z from 'zod'
import type { DecisionTrace } from '../core/core.ts'
import { presentZone } from '../core/model/calendar.ts'
import type { ServiceOperation } from '../core/model/kind.ts'
import { toMajor } from '../core/model/money.ts'
import type { PaymentKind } from '../core/model/payment.ts'
import type { Refusal } from '../core/model/refusal.ts'
import { faultTarget, requestOf, turnOn, watches } from '../core/response-faults.ts'
import { vocabularyOf } from '../core/vocabulary.ts'
import type { World } from '../core/world.ts'
import { describe } from '../http/response-fault.ts'
import { paymentPlan, shownZoneShape } from '../inspect/present.ts'
import { explainFaults, explainTrace, faultTraceShape, ruleTraceShape } from '../inspect/trace-text.ts'
import { type AnswerOf, shape } from '../inspect/view.ts'
import { paymentsService } from '../service/service.ts'
import { type ExplainRequest, inCopy, type MadeRequest } from './control/scenario/explain-request.ts'

export { explainRequestOf } from './control/scenario/explain-request.ts'

/** `copy`: opens the copy, which is closed here. */
export function explain(copy: () => World, asked: ExplainRequest) {
  return inCopy(copy(), asked, (made) => explanationOf(made, asked))
}

export const explanationShape = shape('Explanation', () =>
  z.object({
    timezone: shownZoneShape().describe('That of the scenario; `at` was read in it.'),
    off: z.string().nullable().describe('Why no such request comes to anything here, when none does.'),
    rule: z.string().nullable().describe('Null when something turns the request away before any rule is asked.'),
    refuse: z
      .object({ status: z.number(), code: z.string(), message: z.string().nullable(), details: z.string().nullable() })
      .optional(),
    plan: paymentPlan.schema().optional(),
    short: z
      .object({ available: z.number(), needed: z.number() })
      .nullable()
      .describe('Why it comes to nothing although a rule accepts it: the wallet does not hold enough.'),
    trace: z.array(ruleTraceShape()),
    faults: z
      .object({
        answer: z
          .object({
            operation: z.string(),
            met: z.string().nullable(),
            does: z.string().nullable(),
            executed: z.boolean(),
            trace: z.array(faultTraceShape()),
          })
          .nullable(),
        callback: z.object({ met: z.string().nullable(), trace: z.array(faultTraceShape()) }).nullable(),
      })
      .describe('Faults of the answer to the request, and of the callbacks of its payment.'),
    unread: z.array(z.string()).describe('Fields of the request that no condition can read.'),
  }),
)

function explanationOf(made: MadeRequest, asked: ExplainRequest): AnswerOf<typeof explanationShape> {
  const { kind, operation, trace, off } = made
  const refusal = refusalOf(made)
  const { scenario } = made.copy.core
  const short = shortOf(made)
  const plan = made.payment?.plan ?? (short ? trace.payment?.railed.plan : undefined)
  const decision = trace.payment?.decision
  return {
    timezone: presentZone(scenario.zone),
    off: off && operation ? `${turnOn(operation)} Until then, such a request is answered 404.` : null,
    rule: refusal?.rule ?? (plan ?? trace.payment?.railed.plan)?.rule ?? null,
    refuse: refusal && !short ? refuseOf(refusal, trace) : undefined,
    plan: plan && paymentPlan(plan),
    short,
    trace: kind && decision ? explainTrace(scenario, kind.name, (decision.refuse ?? decision.plan).trace) : [],
    faults: { answer: answerFault(made), callback: callbackFault(made) },
    unread: Object.keys(asked.request).filter(
      (field) => !explainedFields(kind?.name ?? null, operation).includes(field),
    ),
  }
}

/** The refusal of a payment only. A fault that turns the request away is no refusal of the service. */
function refusalOf({ kind, payment, trace }: MadeRequest): Refusal | undefined {
  return !kind || payment || trace.fault?.fault?.executed === false ? undefined : trace.refusal
}

function refuseOf(refusal: Refusal, trace: DecisionTrace) {
  const ruled = trace.payment?.railed.refuse
  const details = refusal.rule === undefined || ruled?.details ? refusal.details : undefined
  const { status, code, message } = refusal.rule === undefined ? refusal : { message: undefined, ...ruled }
  return { status: status as number, code: code as string, message: message ?? null, details: details ?? null }
}

/** The balance and the amount needed; null where money is not the problem. */
function shortOf(made: MadeRequest) {
  const { copy, caller, trace } = made
  const refusal = refusalOf(made)
  if (refusal?.code !== 'INSUFFICIENT_FUNDS' || refusal.rule !== undefined || !trace.payment?.railed.plan) return null
  const { input, railed } = trace.payment
  const neededMinor = input.amountMinor + (railed.plan.feeMinor ?? 0)
  const availableMinor = copy.core.ledger.available(caller.id, input.currency)
  // It may be another's wallet, which the refusal itself speaks of.
  if (neededMinor <= availableMinor) return null
  return { available: toMajor(availableMinor), needed: toMajor(neededMinor) }
}

function answerFault({ copy, operation, off, trace }: MadeRequest) {
  if (!operation || off) return null
  const { scenario } = copy.core
  const fault = trace.fault?.fault
  const watching = scenario.faults.filter(({ on }) => watches({ on: on }, operation))
  return {
    operation: faultTarget(operation),
    met: fault?.by ?? null,
    does: fault ? describe(fault, true) : null,
    executed: fault?.executed ?? true,
    trace: explainFaults(watching, trace.fault?.trace ?? '', 'a fault before it was met'),
  }
}

function callbackFault({ copy, kind, trace: { payment } }: MadeRequest) {
  if (!kind || !payment?.told || !payment.railed.plan) return null
  const { callback, rule } = payment.railed.plan
  const { callbackTrace } = payment.decision
  const asked = callbackTrace !== undefined
  const faults = copy.core.scenario.callbackFaults.filter(({ on }) => on.includes(kind.name))
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

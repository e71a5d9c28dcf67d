import { z } from 'zod'
import { facts } from '../engine/handlers/open-payment.ts'
import { type Met, meetRails } from '../engine/meet-rails.ts'
import { currencyOf, toMinor } from '../model/money.ts'
import { type JsonObject, paymentKinds } from '../model/payment.ts'
import type { Facts } from '../scenarios/scenario.ts'
import { explainTrace } from '../scenarios/trace.ts'
import type { World } from '../world/world.ts'
import { organisationOf } from './kit.ts'
import { planOf } from './present.ts'

/** A request that nobody has sent. */
export const question = z.strictObject({
  kind: z.enum(paymentKinds, `must be one of ${paymentKinds.join(', ')}`),
  request: z.record(z.string(), z.json()),
  organisationId: z.string().optional(),
})
export type Question = z.infer<typeof question>

/** What the scenario in force, its rules and then its rails, decide for it now; nothing is made and nothing counted. */
export function ask(world: World, { kind, request, organisationId }: Question): { facts: Facts; decision: Met } {
  const { core } = world
  const asked = {
    kind,
    organisationId: organisationOf(world, organisationId).id,
    currency: currencyOf(String(request['currencyCode'] ?? request['currency'] ?? 'KES')) ?? 'KES',
    amountMinor: toMinor(Number(request['amount'] ?? 0)) ?? 0,
    request: request as JsonObject,
  }
  const about = facts(core, asked, core.store.counters.current(`payment:${kind}`) + 1)
  const decision = core.scenario.decide(about)
  return { facts: about, decision: decision.refuse ? decision : meetRails(core, asked, decision.plan) }
}

/** What would happen to this request now, and why. */
export function explain(world: World, asked: Question) {
  const { decision } = ask(world, asked)
  const trace = decision.refuse?.trace ?? decision.plan?.trace ?? ''
  return {
    rule: decision.refuse?.rule ?? decision.plan?.rule,
    refuse: decision.refuse && {
      status: decision.refuse.status,
      code: decision.refuse.code,
      message: decision.refuse.message ?? null,
      details: decision.refuse.details ?? null,
    },
    plan: decision.plan && planOf({ plan: decision.plan }),
    trace: explainTrace(world.core.scenario, asked.kind, trace),
  }
}

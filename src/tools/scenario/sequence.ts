import { describe, joined } from '../../api/fate.ts'
import { openingOperation } from '../../api/opening.ts'
import { operations } from '../../api/operations.ts'
import { ask } from '../../control/explain.ts'
import { type PreviewStep, preview } from '../../engine/preview.ts'
import { endsWell } from '../../engine/rails.ts'
import type { Fate } from '../../model/mishaps.ts'
import type { JsonObject, PaymentKind } from '../../model/payment.ts'
import type { Facts } from '../../scenarios/scenario.ts'
import type { World } from '../../world/world.ts'
import type { Sequence } from './preview-formats.ts'

const incoming: readonly PaymentKind[] = ['stk', 'checkout', 'bank-collection']
const silent: readonly PaymentKind[] = ['allocation', 'de-allocation']

/** What a request would lead to in a world. */
export function sequenceOf(world: World, kind: PaymentKind, request: JsonObject): Sequence {
  const { facts, decision } = ask(world, { kind, request })
  const { scenario } = world.core
  const operation = operations.find(({ id }) => id === openingOperation[kind])
  const { nowUs } = facts
  const amount = Number(request['amount'] ?? 0)
  const enough = incoming.includes(kind) || amount <= facts.walletAvailable
  const asked: PreviewStep = {
    atUs: nowUs,
    from: operation ? 'merchant' : 'rail',
    to: 'mfano',
    what: operation ? `${operation.method.toUpperCase()} ${operation.path}` : 'a customer pays into the account',
  }
  const rule = decision.refuse ? decision.refuse.rule : decision.plan.rule
  const about = { scenario: scenario.name, kind, rule, startUs: nowUs }
  const met = operation ? fateOf(world, operation, facts) : null
  const answered = (text: string, fate = met): PreviewStep => ({
    atUs: nowUs,
    from: 'mfano',
    to: asked.from,
    // An answer in the place of the true one needs only its own words.
    what: fate === null ? text : fate.answer === undefined ? `${text}; ${describe(fate, true)}` : describe(fate, true),
  })
  const nothing = (text: string): Sequence => ({ ...about, steps: [asked, answered(text)] })

  if (met && !met.executed) return { ...about, rule: met.by, steps: [asked, answered('')] }
  if (decision.refuse) return nothing(`${decision.refuse.status} ${decision.refuse.code}, nothing is made`)
  if (!enough && scenario.assumptions['funds-check'] === 'at-creation')
    return nothing(`402 INSUFFICIENT_FUNDS, the wallet holds ${facts.walletAvailable}; nothing is made`)

  const { plan } = decision
  const planned = plan.answer === undefined ? undefined : { by: rule, executed: true, answer: plan.answer }
  const answer = operation && answered(`${operation.answer.status}, Mfano-Rule: ${rule}`, joined(met, planned) ?? null)
  const steps = preview({
    kind,
    plan,
    nowUs,
    answer: answer ? [answer] : [],
    scenario,
    callback: !silent.includes(kind) && calledBack(world, kind),
    moves: kind !== 'account-verification',
    funded: enough || !endsWell(plan.end),
  })
  return { ...about, steps: [asked, ...steps] }
}

/** What the first request of a world meets at an operation that a fault watches. */
function fateOf(world: World, { id, method, path }: (typeof operations)[number], facts: Facts): Fate | null {
  const { scenario } = world.core
  const operation = { id, method, path }
  if (!scenario.watches(operation)) return null
  const { request, organisation, nowUs, chance } = facts
  const meeting = scenario.meet({
    operation,
    request,
    organisation,
    tokenIssuedAtUs: nowUs,
    nowUs,
    nth: 1,
    matched: () => 0,
    letThrough: () => 0,
    chance,
  })
  return meeting.fate ?? null
}

/** Requests carry an address for callbacks; bank collections need one that the organisation has set. */
function calledBack(world: World, kind: PaymentKind): boolean {
  return kind !== 'bank-collection' || world.core.scenario.assumptions['bank-collection-callback'] !== 'none'
}

import { type PreviewStep, preview } from '../../engine/preview.ts'
import { endsWell } from '../../engine/rails.ts'
import type { Operation } from '../../http/operation.ts'
import { describe, joined } from '../../http/response-fault.ts'
import { isUnsent, moneyIn } from '../../model/kind.ts'
import { toMajor } from '../../model/money.ts'
import { formatDuration, formatInstant, type InstantUs } from '../../model/time.ts'
import { isOff, targetOf } from '../../scenarios/language/response-faults.ts'
import { turnOn } from '../../scenarios/lint/warnings.ts'
import type { World } from '../../world/world.ts'
import { ask, type Question } from './explain.ts'

/** What a request leads to, in order of world time. */
export interface Sequence {
  scenario: string
  /** The kind of payment, or the operation. */
  what: string
  /** The rule that decides; null when none does. */
  rule: string | null
  /** The fault of answers that it meets. */
  fault: string | null
  startUs: InstantUs
  steps: PreviewStep[]
}

/** What a request would lead to in a world. */
export function sequenceOf(world: World, question: Question): Sequence {
  const { facts, decision, kind, operation, match, short, nowUs } = ask(world, question)
  const { scenario, service } = world.core
  const asked: PreviewStep = {
    atUs: nowUs,
    from: operation ? 'merchant' : 'rail',
    to: 'mfano',
    what: operation ? targetOf(operation) : 'a customer pays into the account',
  }
  const met = match?.fault ?? null
  const about = {
    scenario: scenario.name,
    what: kind ?? (operation ? targetOf(operation) : ''),
    rule: decision?.refuse?.rule ?? decision?.plan?.rule ?? null,
    fault: met?.by ?? null,
    startUs: nowUs,
  }
  const answered = (text: string, fault = met): PreviewStep => ({
    atUs: nowUs,
    from: 'mfano',
    to: asked.from,
    // An answer in the place of the true one needs only its own words.
    what:
      fault === null ? text : fault.answer === undefined ? `${text}; ${describe(fault, true)}` : describe(fault, true),
  })
  const nothing = (text: string): Sequence => ({ ...about, steps: [asked, answered(text)] })
  const status = (operation as Operation | null)?.answer.status ?? 200

  if (operation && isOff(operation, scenario.assumptions))
    return nothing(`404 RESOURCE_NOT_FOUND: ${turnOn(operation)}`)
  if (met && !met.executed) return nothing('')
  if (!kind || !decision || !facts) return nothing(`${status}`)
  if (decision.refuse) return nothing(`${decision.refuse.status} ${decision.refuse.code}, nothing is made`)
  if (short)
    return nothing(`402 INSUFFICIENT_FUNDS, the wallet holds ${toMajor(short.availableMinor)}; nothing is made`)
  const { plan } = decision
  const ofKind = service.kinds.of(kind)
  const neededMinor = moneyIn(ofKind, question.request).amountMinor + (plan.feeMinor ?? 0)
  const enough = ofKind.direction === 'in' || toMajor(neededMinor) <= facts.walletAvailable

  const planned = plan.answer === undefined ? undefined : { by: plan.rule, executed: true, answer: plan.answer }
  const answer = operation && answered(`${status}, Mfano-Rule: ${plan.rule}`, joined(met, planned) ?? null)
  const steps = preview({
    kind: ofKind,
    plan,
    nowUs,
    answer: answer ? [answer] : [],
    scenario,
    callback: ofKind.callback !== undefined && !isUnsent(ofKind.callback, scenario.assumptions),
    moves: ofKind.direction !== 'none',
    funded: enough || !endsWell(plan.end),
  })
  return { ...about, steps: [asked, ...steps] }
}

/** A sequence for programs: times as text, and how long after the request. */
export function presentSequence({ what: kind, startUs, steps, scenario, rule, fault }: Sequence) {
  const shown = steps.map(({ atUs, from, to, what, only }) => ({
    at: formatInstant(atUs),
    after: formatDuration(atUs - startUs),
    from,
    to,
    what,
    only: only ?? null,
  }))
  return { scenario, kind, rule, fault, steps: shown }
}

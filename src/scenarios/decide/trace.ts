/**
 * A trace says why a rule decided and the ones before it did not: one letter for each rule of the payment's kind, in
 * the order in which they are asked, up to the deciding one. It is short because it is stored with every payment.
 */

import type { PaymentKind } from '../../model/payment.ts'
import type { FaultSummary, RuleSummary } from '../language/summaries.ts'

/** `w`: the condition (`when`) was false. */
export const CONDITION_FALSE = 'w'
/** `c`: the condition held, the odds (`chance`) did not. */
export const CHANCE_MISSED = 'c'
/** `n`: it matched, and it was not its turn (`nth`). */
export const NOT_ITS_TURN = 'n'
/** `e`: the condition failed on the payment's values, such as `double("abc")`; it counts as false. */
export const CONDITION_FAILED = 'e'
/** `l`, of faults of answers: it matched, and let the request through: a rate that is kept, a token that is still good. */
export const LET_THROUGH = 'l'
/** `x`, of faults of callbacks: it cannot happen to the payment as planned. */
export const CANNOT = 'x'
/** `M`: it matched and decided. Always the last letter; missing when no rule decided. */
export const MATCHED = 'M'

/** Why something did not have a payment or a request, although it was asked. */
type Passed = 'condition false' | 'condition failed' | 'chance missed' | 'not its turn'

/** What became of one rule. */
export interface TraceLine {
  rule: string
  outcome: 'decided' | Passed | 'not asked'
  why: string
}

/** What became of one fault. */
export interface FaultLine {
  fault: string
  outcome: 'met' | Passed | 'let through' | 'cannot happen' | 'not asked'
  why: string
}

/** A trace in words, one line for each rule of the kind. Rules behind the deciding one were not asked. */
export function explainTrace(
  scenario: { rules: readonly RuleSummary[] },
  kind: PaymentKind,
  trace: string,
): TraceLine[] {
  return scenario.rules
    .filter((rule) => rule.on.includes(kind))
    .map((rule, i) => ({ rule: rule.name, ...explainLetter(rule, trace[i]) }))
}

/** The same for faults, those that were asked about: of an operation, or of a kind of payment. */
export function explainFaults(faults: readonly FaultSummary[], trace: string, behind: string): FaultLine[] {
  return faults.map((fault, i) => ({ fault: fault.name, ...explainFault(fault, trace[i], behind) }))
}

function explainLetter(rule: RuleSummary, letter: string | undefined): Omit<TraceLine, 'rule'> {
  if (letter === MATCHED) return { outcome: 'decided', why: `${because(rule)}: ${rule.then}` }
  return explainPassed(rule, letter, 'decides') ?? { outcome: 'not asked', why: 'a rule before it decided' }
}

function explainFault(fault: FaultSummary, letter: string | undefined, behind: string): Omit<FaultLine, 'fault'> {
  if (letter === MATCHED) return { outcome: 'met', why: `${because(fault)}: ${fault.then}` }
  if (letter === LET_THROUGH)
    return { outcome: 'let through', why: `${because(fault)}, and it lets this one through: ${fault.then}` }
  if (letter === CANNOT)
    return { outcome: 'cannot happen', why: 'the payment does not end by itself, so nothing ends it early' }
  return explainPassed(fault, letter, 'meets') ?? { outcome: 'not asked', why: behind }
}

function because({ when }: Pick<RuleSummary, 'when'>): string {
  return when === undefined ? 'it has no condition' : `${when} is true`
}

function explainPassed(
  { when, chance, nth }: Pick<RuleSummary, 'when' | 'chance' | 'nth'>,
  letter: string | undefined,
  does: 'decides' | 'meets',
): { outcome: Passed; why: string } | undefined {
  switch (letter) {
    case CONDITION_FALSE:
      return { outcome: 'condition false', why: `${when} is false` }
    case CHANCE_MISSED:
      return { outcome: 'chance missed', why: `its chance is ${chance} and the draw was not among it` }
    case NOT_ITS_TURN:
      return { outcome: 'not its turn', why: `it matched, and it ${does} only ${nth ?? 'some'} of its matches` }
    case CONDITION_FAILED:
      return { outcome: 'condition failed', why: `${when} could not be worked out for these values` }
    default:
      return undefined
  }
}

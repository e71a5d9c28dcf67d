/**
 * A trace says why a rule decided and the ones before it did not: one letter for each rule of the payment's kind, in
 * the order in which they are asked, up to the deciding one. It is short because it is stored with every payment.
 */
import type { PaymentKind } from '../model/payment.ts'
import type { RuleSummary, Scenario } from './scenario.ts'

/** `w`: the condition (`when`) was false. */
export const CONDITION_FALSE = 'w'
/** `c`: the condition held, the odds (`chance`) did not. */
export const CHANCE_MISSED = 'c'
/** `n`: it matched, and it was not its turn (`nth`). */
export const NOT_ITS_TURN = 'n'
/** `e`: the condition failed on the payment's values, such as `double("abc")`; it counts as false. */
export const CONDITION_FAILED = 'e'
/** `M`: it matched and decided. Always the last letter; missing when no rule decided. */
export const MATCHED = 'M'

/** What became of one rule. */
export interface TraceLine {
  rule: string
  outcome: 'decided' | 'condition false' | 'condition failed' | 'chance missed' | 'not its turn' | 'not asked'
  why: string
}

/** A trace in words, one line for each rule of the kind. Rules behind the deciding one were not asked. */
export function explainTrace(scenario: Pick<Scenario, 'rules'>, kind: PaymentKind, trace: string): TraceLine[] {
  return scenario.rules
    .filter((rule) => rule.on.includes(kind))
    .map((rule, i) => ({ rule: rule.name, ...explainLetter(rule, trace[i]) }))
}

function explainLetter(rule: RuleSummary, letter: string | undefined): Omit<TraceLine, 'rule'> {
  switch (letter) {
    case MATCHED:
      return {
        outcome: 'decided',
        why: `${rule.when === undefined ? 'it has no condition' : `${rule.when} is true`}: ${rule.then}`,
      }
    case CONDITION_FALSE:
      return { outcome: 'condition false', why: `${rule.when} is false` }
    case CHANCE_MISSED:
      return { outcome: 'chance missed', why: `its chance is ${rule.chance} and the draw was not among it` }
    case NOT_ITS_TURN:
      return { outcome: 'not its turn', why: `it matched, and it decides only ${rule.nth ?? 'some'} of its matches` }
    case CONDITION_FAILED:
      return { outcome: 'condition failed', why: `${rule.when} could not be worked out for these values` }
    default:
      return { outcome: 'not asked', why: 'a rule before it decided' }
  }
}

/**
 * A trace says why a rule decided and the ones before it did not: one letter for each rule of the payment's kind, in
 * the order in which they are asked, up to the deciding one. It is short because it is stored with every payment.
 */

/** `w`: the condition (`when`) was false. */
export const CONDITION_FALSE = 'w'
/** `c`: the condition held, the odds (`chance`) did not. */
export const CHANCE_MISSED = 'c'
/** `n`: it matched, and it was not its turn (`nth`). */
export const NOT_ITS_TURN = 'n'
/** `e`: the condition failed on the payment's values, such as `double("abc")`; it counts as false. */
export const CONDITION_FAILED = 'e'
/** `l`, of response faults: it matched, and let the request through: a rate that is kept, a token that is still good. */
export const LET_THROUGH = 'l'
/** `x`, of callback faults: it cannot happen to the payment as planned. */
export const CANNOT = 'x'
/** `M`: it matched and decided. Always the last letter; missing when no rule decided. */
export const MATCHED = 'M'

/** What became of one rule or fault. */
export type TraceOutcome =
  | 'condition-false'
  | 'condition-failed'
  | 'chance-missed'
  | 'not-its-turn'
  | 'let-through'
  | 'cannot-happen'
  | 'matched'
  | 'not-asked'

const outcomes: Readonly<Record<string, TraceOutcome>> = {
  [CONDITION_FALSE]: 'condition-false',
  [CONDITION_FAILED]: 'condition-failed',
  [CHANCE_MISSED]: 'chance-missed',
  [NOT_ITS_TURN]: 'not-its-turn',
  [LET_THROUGH]: 'let-through',
  [CANNOT]: 'cannot-happen',
  [MATCHED]: 'matched',
}

/** What became of the rule or fault at a place of the order in which they are asked, from 0. */
export function outcomeAt(trace: string, index: number): TraceOutcome {
  return outcomes[trace[index] ?? ''] ?? 'not-asked'
}

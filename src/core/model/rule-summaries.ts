/** Rules and faults, as lists and explanations show them. */

interface Summary {
  name: string
  /** Kinds of payment or, for a fault of answers, operations. */
  on: string[]
  file: string
  line: number
  inherited: boolean
}

export interface RuleSummary extends Summary {
  when: string | undefined
  chance: number | undefined
  nth: string | undefined
  then: string
}

export interface FaultSummary extends RuleSummary {
  passes: boolean
}

export const railSorts = ['limit', 'fee', 'float', 'cut-off', 'maintenance'] as const
export type RailSort = (typeof railSorts)[number]

export interface RailSummary extends Summary {
  sort: RailSort
}

/** Numbers and amounts that a condition waits for: of `request.phoneNumber.endsWith("000404")`, `000404`. */
export function triggersIn(when = ''): string[] {
  const triggers = when.matchAll(/\brequest\.\w+(?:\.endsWith\("(\d+)"\)| == ([\d.]+))/g)
  return [...triggers].map(([, ending, amount]) => ending ?? amount ?? '')
}

// Letters that say why each rule did or did not decide, in the order asked. Short, because one is stored with every
// payment.

/** `w`: `when` was false. */
export const CONDITION_FALSE = 'w'
/** `c`: the odds of `chance` missed. */
export const CHANCE_MISSED = 'c'
/** `n`: matched, but not the match that `nth` names. */
export const NOT_ITS_TURN = 'n'
/** `e`: the condition threw on these values, as `double("abc")` does. Counts as false. */
export const CONDITION_FAILED = 'e'
/**
 * `l`, response faults only: matched and let the request pass, for a rate that is kept or a token that is still valid.
 */
export const LET_THROUGH = 'l'
/** `x`, callback faults only: cannot happen to the payment as planned. */
export const CANNOT = 'x'
/** `o`, rules only: not asked, because the request's `mfano-outcome` chose another. */
export const PASSED_OVER = 'o'
/** `H`, rules only: chosen by the request's `mfano-outcome`. Always last. */
export const CHOSEN = 'H'
/** `M`: matched and decided. Always last; absent when no rule decided. */
export const MATCHED = 'M'

export type TraceOutcome =
  | 'condition-false'
  | 'condition-failed'
  | 'chance-missed'
  | 'not-its-turn'
  | 'let-through'
  | 'cannot-happen'
  | 'passed-over'
  | 'chosen'
  | 'matched'
  | 'not-asked'

const outcomes: Readonly<Record<string, TraceOutcome>> = {
  [CONDITION_FALSE]: 'condition-false',
  [CONDITION_FAILED]: 'condition-failed',
  [CHANCE_MISSED]: 'chance-missed',
  [NOT_ITS_TURN]: 'not-its-turn',
  [LET_THROUGH]: 'let-through',
  [CANNOT]: 'cannot-happen',
  [PASSED_OVER]: 'passed-over',
  [CHOSEN]: 'chosen',
  [MATCHED]: 'matched',
}

export function outcomeAt(trace: string, index: number): TraceOutcome {
  return outcomes[trace[index] ?? ''] ?? 'not-asked'
}

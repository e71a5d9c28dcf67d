import { keysIn } from './must.ts'

interface Summary {
  name: string
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

export function triggersIn(when = ''): string[] {
  const triggers = when.matchAll(/\brequest\.\w+(?:\.endsWith\("(\d+)"\)| == ([\d.]+))/g)
  return [...triggers].map(([, ending, amount]) => ending ?? amount ?? '')
}

/**
 * Letters that say why each rule did or did not decide, in the order asked. Short, because one is stored with every
 * payment.
 */
export const traceLetters = {
  'condition false': 'w',
  /** The condition threw on these values, as `double("abc")` does. Counts as false. */
  'condition failed': 'e',
  'chance missed': 'c',
  'not its turn': 'n',
  /** Response faults only: matched and let the request pass, for a rate that is kept or a token that is still valid. */
  'let through': 'l',
  /** Callback faults only: cannot happen to the payment as planned. */
  'cannot happen': 'x',
  /** Rules only: not asked, because the request's `mfano-outcome` chose another. */
  'passed over': 'o',
  /** Rules only: chosen by the request's `mfano-outcome`. Always last. */
  chosen: 'H',
  matched: 'M',
} as const

const outcomes = keysIn(traceLetters)
export type TraceOutcome = keyof typeof traceLetters | 'not asked'

export function outcomeAt(trace: string, index: number): TraceOutcome {
  return outcomes.find((outcome) => traceLetters[outcome] === trace[index]) ?? 'not asked'
}

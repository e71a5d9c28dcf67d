/** Rules and faults as lists and explanations show them. */
import type { PaymentKind } from './payment.ts'

/** A fault of callbacks or of answers, as lists show it. */
export interface FaultSummary {
  name: string
  /** Kinds of payment, or operations. */
  on: string[]
  when: string | undefined
  chance: number | undefined
  nth: string | undefined
  /** In words. */
  then: string
  /** It lets some of what it matches pass: a rate that is kept, a good token, a payment that never ends. */
  passes: boolean
  file: string
  line: number
  /** It comes from a scenario that this one extends. */
  inherited: boolean
}

/** A rule as lists and explanations show it. */
export interface RuleSummary {
  name: string
  on: PaymentKind[]
  when: string | undefined
  chance: number | undefined
  /** `the 3rd`, `the first 2`: the only matches that it decides. */
  nth: string | undefined
  /** In words: `after 4s FAILED (errorCode NAME_MISMATCH)`. */
  then: string
  file: string
  line: number
  /** It comes from a scenario that this one extends. */
  inherited: boolean
}

/** What the rails of a scenario can do to a payment. */
export type RailSort = 'limit' | 'fee' | 'float' | 'cut-off' | 'maintenance'

/** An entry of the rails, as lists show it. */
export interface RailSummary {
  /** Its own, or its place such as `rails.limits[0]`. */
  name: string
  sort: RailSort
  on: PaymentKind[]
  file: string
  line: number
  /** It comes from a scenario that this one extends. */
  inherited: boolean
}

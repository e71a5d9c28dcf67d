/** Rules and faults, as lists and explanations show them. */
import type { PaymentKind } from './payment.ts'

export interface FaultSummary {
  name: string
  on: string[]
  when: string | undefined
  chance: number | undefined
  nth: string | undefined
  then: string
  /** It lets some of what it matches pass: a rate limit, a valid token, a payment that never ends. */
  passes: boolean
  file: string
  line: number
  /** From a scenario that this one extends. */
  inherited: boolean
}

export interface RuleSummary {
  name: string
  on: PaymentKind[]
  when: string | undefined
  chance: number | undefined
  /** `the 3rd`, `the first 2`: the only matches that it decides. */
  nth: string | undefined
  then: string
  file: string
  line: number
  inherited: boolean
}

export type RailSort = 'limit' | 'fee' | 'float' | 'cut-off' | 'maintenance'

export interface RailSummary {
  name: string
  sort: RailSort
  on: PaymentKind[]
  file: string
  line: number
  inherited: boolean
}

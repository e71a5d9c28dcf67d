/** Rules and faults, as lists and explanations show them. */
import type { PaymentKind } from './payment.ts'

export interface FaultSummary {
  name: string
  on: string[]
  when: string | undefined
  chance: number | undefined
  nth: string | undefined
  then: string
  passes: boolean
  file: string
  line: number
  inherited: boolean
}

export interface RuleSummary {
  name: string
  on: PaymentKind[]
  when: string | undefined
  chance: number | undefined
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

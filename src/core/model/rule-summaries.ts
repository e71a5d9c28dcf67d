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

/** Numbers and amounts that a condition waits for: of `request.phoneNumber.endsWith("000404")`, `000404`. */
export function triggersIn(when = ''): string[] {
  const triggers = when.matchAll(/\brequest\.\w+(?:\.endsWith\("(\d+)"\)| == ([\d.]+))/g)
  return [...triggers].map(([, ending, amount]) => ending ?? amount ?? '')
}

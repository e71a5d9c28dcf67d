/** Input and output of a scenario's decision about a payment. */
import type { Chance } from '../../model/chance.ts'
import type { JsonObject, PaymentKind, Plan } from '../../model/payment.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'
import type { History } from './payment-history.ts'

/** Values only, so that a decision is pure: the engine looks everything up before. */
export interface Facts {
  kind: PaymentKind
  request: JsonObject
  /** Those that conditions read; undefined where none does. */
  headers?: Readonly<Record<string, string>> | undefined
  /** The name of a rule or a trigger, which decides whatever the conditions say. */
  outcome?: string | undefined
  organisation: { uuid: string; name: string; parent: boolean }
  walletAvailable: number
  nowUs: InstantUs
  /** Offset from UTC of the service's timestamps. Default 0. */
  zoneUs?: DurationUs
  history?: History
  told?: boolean
  nth: number
  /** Counts decisions from 1, refusals included. Odds are drawn with it. */
  draw: number
  /** The count of a rule, by `turnKey`: the sum over `Decision.counted`. */
  matched(rule: string): number
  chance: Chance
}

export interface RuleRefusal {
  rule: string
  trace: string
  status: number
  code: string
  message: string | undefined
  details: string | undefined
  field?: string | undefined
}
export type Decision = ({ plan: Plan; refuse?: undefined } | { refuse: RuleRefusal; plan?: undefined }) & {
  /**
   * Rules with an `nth` that matched. Their count goes up even on a refusal, because a rule for the third payment would
   * otherwise never see three. Mostly empty.
   */
  counted: readonly string[]
  callbackTrace?: string
}

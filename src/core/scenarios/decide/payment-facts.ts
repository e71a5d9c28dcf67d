/** What a scenario is asked about a payment, and what it answers. */
import type { Chance } from '../../model/chance.ts'
import type { JsonObject, PaymentKind, Plan } from '../../model/payment.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'
import type { History } from '../../payment-history.ts'

/** What a rule may look at. Everything is a value: the engine looks it up before it asks. */
export interface Facts {
  kind: PaymentKind
  /** The validated request, amounts in major units. */
  request: JsonObject
  organisation: { uuid: string; name: string; parent: boolean }
  /** What the payer's organisation can spend in the request's currency, in major units. */
  walletAvailable: number
  nowUs: InstantUs
  /** How far the service's clock on the wall is ahead of UTC; 0 when left out. */
  zoneUs?: DurationUs
  /** What happened before with the same kind of payment; nothing when left out. */
  history?: History
  /** Somebody is told how the payment ends; true when left out. */
  told?: boolean
  /** The count of this payment among its kind in the world, from 1. */
  nth: number
  /** The count of this decision in the world, refusals included, from 1: what odds are drawn by. */
  draw: number
  /** How often a rule was counted before, by its `turnKey`: the sum of what `Decision.counted` asked for. */
  matched(rule: string): number
  chance: Chance
}

/** A rule's answer that refuses the request at once. */
export interface RuleRefusal {
  rule: string
  trace: string
  status: number
  code: string
  message: string | undefined
  details: string | undefined
}
export type Decision = ({ plan: Plan; refuse?: undefined } | { refuse: RuleRefusal; plan?: undefined }) & {
  /**
   * Rules whose `matched` goes up by one, refusal or not: those with an `nth` that matched, whether or not it was their
   * turn. Without it a rule for the third payment would never see a first and second one. Mostly empty.
   */
  counted: readonly string[]
  /** One letter for each fault of this kind's callbacks, up to the one that it meets; none where none was asked. */
  callbackTrace?: string
}

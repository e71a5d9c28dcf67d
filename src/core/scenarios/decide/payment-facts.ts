import type { Chance } from '../../model/chance.ts'
import type { JsonObject, PaymentKind, Plan } from '../../model/payment.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'
import type { RefusalAnswer } from '../language/refuse-schema.ts'
import type { History } from './payment-history.ts'

export interface RequestFacts {
  operation: { id: string; method: string; path: string }
  request: JsonObject
  organisation: { uuid: string; name: string; parent: boolean } | undefined
  tokenIssuedAtUs: InstantUs | undefined
  headers?: Readonly<Record<string, string>> | undefined
  nowUs: InstantUs
  zoneUs?: DurationUs
  /** Counts the requests of this operation that faults watched, from 1. */
  nth: number
  matched(name: string): number
  letThrough(fault: string, window: number): number
  chance: Chance
}

/** Values only, so that a decision is pure: the engine looks everything up before. */
export interface Facts
  extends Pick<RequestFacts, 'request' | 'headers' | 'nowUs' | 'zoneUs' | 'nth' | 'matched' | 'chance'> {
  kind: PaymentKind
  outcome?: string | undefined
  organisation: { uuid: string; name: string; parent: boolean }
  walletAvailable: number
  history?: History
  hasCallback?: boolean
  /** Counts decisions from 1, refusals included. Odds are drawn with it. */
  draw: number
}

export interface RuleRefusal extends Omit<RefusalAnswer, 'field'> {
  rule: string
  trace: string
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

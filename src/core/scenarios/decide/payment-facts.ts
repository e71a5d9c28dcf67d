/** Input and output of a scenario's decision about a payment. */
import type { RequestFacts } from '../../contexts.ts'
import type { PaymentKind, Plan } from '../../model/payment.ts'
import type { RefusalAnswer } from '../language/refuse-schema.ts'
import type { History } from './payment-history.ts'

/** Values only, so that a decision is pure: the engine looks everything up before. */
export interface Facts
  extends Pick<RequestFacts, 'request' | 'headers' | 'nowUs' | 'zoneUs' | 'nth' | 'matched' | 'chance'> {
  kind: PaymentKind
  /** The name of a rule or a trigger, which decides whatever the conditions say. */
  outcome?: string | undefined
  organisation: { uuid: string; name: string; parent: boolean }
  walletAvailable: number
  history?: History
  told?: boolean
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

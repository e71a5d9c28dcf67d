/** Facts about payments that a comparison needs: the ledger's, and what the merchant could know. */
import type { Currency } from '../../core/model/money.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { Outcome } from './spelling.ts'

/** As the organisation sees it; `within`: between its own wallets. */
export type MovementDirection = 'in' | 'out' | 'within'

export interface PaymentFacts {
  uuid: string
  seq: number
  kind: string
  direction: MovementDirection
  organisationId: number
  reference: string | null
  party: string | null
  /** The thing paid for, in the merchant's words; null when it names nothing. */
  order: string | null
  amountMinor: number
  currency: Currency
  feeMinor: number
  status: string
  outcome: Outcome
  outcomes: readonly Outcome[]
  createdAtUs: InstantUs
  endedAtUs: InstantUs | null
  sinceUs: InstantUs
  /** `scenario`: the second payment of one request. `other`: an operator or a customer. */
  origin: 'request' | 'scenario' | 'other'
  twinOf: string | null
  answered: boolean
  /** When the merchant first had its id: by an answer, a callback or a look-up. Null: never. */
  learntAtUs: InstantUs | null
  endLearntAtUs: InstantUs | null
  /** The merchant could not know: no answer, no callback, no look-up that would have shown it. */
  hidden: boolean
  /** For a day the merchant could have known of it: by a list that it can read, or a callback that it took. */
  longKnowable: boolean
  callbacks: { written: number; untried: number }
  subscribed: boolean
}

export interface RefusedRequest {
  reference: string
  requestId: string
  atUs: InstantUs
  status: number
}

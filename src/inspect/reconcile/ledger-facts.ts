/** What the comparison has to know of what happened: payments as the ledger has them, and what their merchant could know. */
import type { Currency } from '../../core/model/money.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { Outcome } from './status.ts'

/** Which way a payment's money goes, seen from its organisation; `within`: between wallets of its own. */
export type Direction = 'in' | 'out' | 'within'

/** A payment, as far as books are compared with it. */
export interface PaymentFacts {
  uuid: string
  /** In order of creation. */
  seq: number
  kind: string
  direction: Direction
  organisationId: number
  reference: string | null
  /** Who is paid or pays; null when it names nobody. */
  party: string | null
  /** What a payer pays for, in the merchant's own words; null where it names nothing. */
  order: string | null
  amountMinor: number
  currency: Currency
  /** What the rails charged the organisation for it, on top. */
  feeMinor: number
  status: string
  outcome: Outcome
  /** What it has been, one after the other; the last is what it is. */
  outcomes: readonly Outcome[]
  createdAtUs: InstantUs
  /** When it first was neither open nor to come; null while it is open. */
  endedAtUs: InstantUs | null
  /** Since when it is as it is. */
  sinceUs: InstantUs
  /** Who wanted it: a request of the merchant, the scenario (the second of two), or the operator or a customer. */
  origin: 'request' | 'scenario' | 'other'
  /** The payment that the same request made before this one. */
  twinOf: string | null
  /** The request that made it got its answer as it was meant. */
  answered: boolean
  /** The first moment when its merchant had its id: by an answer, a callback that it took, or a look-up; null: never. */
  learntAtUs: InstantUs | null
  /** The first moment when its merchant was told, or saw, how it had ended; null: never. */
  endLearntAtUs: InstantUs | null
  /** Its merchant could not have found out: no answer, no callback, and no look-up that would have shown it. */
  hidden: boolean
  /** Callbacks about it that were addressed to somebody, and those of them that nobody has tried to deliver yet. */
  callbacks: { written: number; untried: number }
  /** Its organisation has an address at which it wants to be told of money that comes in unasked. */
  subscribed: boolean
}

/** A request for a payment that was answered, and made none. */
export interface RefusedRequest {
  reference: string
  requestId: string
  atUs: InstantUs
  status: number
}

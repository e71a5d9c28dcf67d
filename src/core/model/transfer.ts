/** Accounts and transfers of the ledger. */
import type { Currency } from './money.ts'
import type { InstantUs } from './time.ts'

/**
 * A ledger account. Wallets are what mfano owes an organisation, so credits make them larger; the other kinds are
 * the world outside: `rail` (money that left or came in over a payment rail), `funding` (top-ups by an operator),
 * `fees` (what the rails charged), `float` (what went out of a rail's own money).
 */
export interface Account {
  id: number
  /** `wallet:3:KES`, `rail:KES`, `funding:KES`. */
  code: string
  kind: 'wallet' | 'rail' | 'funding' | 'fees' | 'float'
  organisationId: number | null
  currency: Currency
  debitsPosted: number
  creditsPosted: number
  debitsPending: number
  creditsPending: number
}

/** A two-phase movement between two accounts. */
export interface Transfer {
  id: number
  paymentSeq: number | null
  kind: string
  debitAccount: number
  creditAccount: number
  amountMinor: number
  state: 'pending' | 'posted' | 'voided'
  createdAtUs: InstantUs
  settledAtUs: InstantUs | null
}

/** Accounts and transfers of the ledger. */
import type { Currency } from './money.ts'
import type { InstantUs } from './time.ts'

/**
 * Wallets are what mfano owes an organisation, so credits increase them. `rail`, `funding` (operator top-ups), `fees`
 * and `float` are outside.
 */
export interface Account {
  id: number
  code: string
  kind: 'wallet' | 'rail' | 'funding' | 'fees' | 'float'
  organisationId: number | null
  currency: Currency
  debitsPosted: number
  creditsPosted: number
  debitsPending: number
  creditsPending: number
}

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

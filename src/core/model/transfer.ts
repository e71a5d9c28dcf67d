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

export const transferStates = ['pending', 'posted', 'voided'] as const

export interface Transfer {
  id: number
  paymentSeq: number | null
  kind: string
  debitAccount: number
  creditAccount: number
  amountMinor: number
  state: (typeof transferStates)[number]
  createdAtUs: InstantUs
  settledAtUs: InstantUs | null
}

// The sums of one account, and how a movement changes them.

/** Pending debits are already promised and pending credits have not arrived, so neither can be paid out. */
export function availableMinor(account: Account): number {
  return account.creditsPosted - account.debitsPosted - account.debitsPending
}

export function balanceMinor(account: Account): number {
  return account.creditsPosted - account.debitsPosted
}

/** Every movement changes debits and credits by the same amount, so the books always balance. */
export type Movement = 'reserve' | 'post' | 'void' | 'post-at-once'

export function move(movement: Movement, debit: Account, credit: Account, amountMinor: number): void {
  if (movement === 'reserve') {
    debit.debitsPending += amountMinor
    credit.creditsPending += amountMinor
    return
  }
  if (movement !== 'post-at-once') {
    debit.debitsPending -= amountMinor
    credit.creditsPending -= amountMinor
  }
  if (movement !== 'void') {
    debit.debitsPosted += amountMinor
    credit.creditsPosted += amountMinor
  }
}

export const walletCode = (organisationId: number, currency: Currency) => `wallet:${organisationId}:${currency}`

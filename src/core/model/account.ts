/** The sums of one account, and how a movement changes them. */
import type { Currency } from './money.ts'
import type { Account } from './transfer.ts'

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

/** The sums of one account, and how a movement changes them. */
import type { Currency } from './money.ts'
import type { Account } from './transfer.ts'

/** What the account could pay out now: pending debits are spoken for, pending credits are not there yet. */
export function availableMinor(account: Account): number {
  return account.creditsPosted - account.debitsPosted - account.debitsPending
}

/** What has been posted, whatever is pending. */
export function balanceMinor(account: Account): number {
  return account.creditsPosted - account.debitsPosted
}

/** One movement of a transfer on its two accounts. Every movement changes debits and credits by the same amount. */
export type Movement = 'reserve' | 'post' | 'void' | 'post-at-once'

/** Applies a movement to both sides. Pure bookkeeping: whether it may happen is decided before. */
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

/** The code of an organisation's wallet. */
export const walletCode = (organisationId: number, currency: Currency) => `wallet:${organisationId}:${currency}`

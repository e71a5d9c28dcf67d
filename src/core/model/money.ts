/** Money: integers in minor units inside, numbers with at most two decimals outside; accounts and transfers of it. */
import type { InstantUs } from './time.ts'

export type Currency = string

const TOO_MUCH = 1e12

/**
 * Undefined unless the number is from 0 to 999,999,999,999.99 with at most two decimals: `0.3` is accepted, `0.1 + 0.2`
 * is not.
 */
export function toMinor(amount: number): number | undefined {
  const minor = Math.round(amount * 100)
  // With so few digits, a number is nearest to one decimal text only, and a division gives the nearest.
  return amount >= 0 && amount < TOO_MUCH && minor / 100 === amount ? Math.abs(minor) : undefined
}

export function toMajor(amountMinor: number): number {
  return amountMinor / 100
}

/** At least one decimal: `1000.0`, `1500.75`, `0.5`. */
export function decimalText(amountMinor: number): string {
  const major = toMajor(amountMinor)
  return Number.isInteger(major) ? `${major}.0` : String(major)
}

export function moneyText(amountMinor: number, currency: Currency): string {
  // By hand, because `toLocaleString` with options takes 40 µs, and reports have many sums.
  const figure = toMajor(amountMinor)
    .toFixed(2)
    .replaceAll(/\B(?=(?:\d{3})+\.)/g, ',')
  return `${currency} ${figure}`.trim()
}

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

/** Pending debits are already promised and pending credits have not arrived, so neither can be paid out. */
export function availableMinor(account: Account): number {
  return account.creditsPosted - account.debitsPosted - account.debitsPending
}

export function balanceMinor(account: Account): number {
  return account.creditsPosted - account.debitsPosted
}

export const walletCode = (organisationId: number, currency: Currency) => `wallet:${organisationId}:${currency}`
export const railCode = (currency: Currency) => `rail:${currency}`
export const fundingCode = (currency: Currency) => `funding:${currency}`
export const feesCode = (currency: Currency) => `fees:${currency}`
export const floatCode = (currency: Currency, name: string) => `float:${currency}:${name}`

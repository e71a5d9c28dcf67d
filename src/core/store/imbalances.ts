/** Compares the accounts of a ledger with what its transfers add up to. */
import type { Account, Transfer } from '../model/transfer.ts'

export interface Imbalance {
  what: string
  expected: number
  found: number
}

export type TransferSum = Pick<Transfer, 'debitAccount' | 'creditAccount' | 'state'> & { totalMinor: number }

export interface SliceSums {
  transfers: TransferSum[]
  /** Pending transfers of final payments. */
  stuck: number
}

export function imbalancesOf(accounts: readonly Account[], slices: readonly SliceSums[]): Imbalance[] {
  const found: Imbalance[] = []
  const expect = (what: string, expected: number, actual: number) => {
    if (expected !== actual) found.push({ what, expected, found: actual })
  }
  const sums = new Map<number, { dp: number; cp: number; dh: number; ch: number }>()
  const sumOf = (id: number) => {
    const known = sums.get(id) ?? { dp: 0, cp: 0, dh: 0, ch: 0 }
    sums.set(id, known)
    return known
  }
  for (const { debitAccount, creditAccount, state, totalMinor } of slices.flatMap(({ transfers }) => transfers)) {
    if (state === 'posted') {
      sumOf(debitAccount).dp += totalMinor
      sumOf(creditAccount).cp += totalMinor
    } else if (state === 'pending') {
      sumOf(debitAccount).dh += totalMinor
      sumOf(creditAccount).ch += totalMinor
    }
  }
  const perCurrency = new Map<string, number>()
  for (const account of accounts) {
    const sum = sumOf(account.id)
    expect(`${account.code} debits posted`, sum.dp, account.debitsPosted)
    expect(`${account.code} credits posted`, sum.cp, account.creditsPosted)
    expect(`${account.code} debits pending`, sum.dh, account.debitsPending)
    expect(`${account.code} credits pending`, sum.ch, account.creditsPending)
    const net = account.debitsPosted + account.debitsPending - account.creditsPosted - account.creditsPending
    perCurrency.set(account.currency, (perCurrency.get(account.currency) ?? 0) + net)
    if (account.kind === 'wallet') {
      const free = account.creditsPosted - account.debitsPosted - account.debitsPending
      if (free < 0) found.push({ what: `${account.code} is below zero`, expected: 0, found: free })
    }
  }
  for (const [currency, net] of perCurrency) expect(`debits less credits in ${currency}`, 0, net)
  const stuck = slices.reduce((sum, one) => sum + one.stuck, 0)
  expect('pending transfers of final payments', 0, stuck)
  return found
}

/** The money that findings are about. */
import { counted } from './counted.ts'
import { moneyText, toMinor } from './money.ts'

export interface SumOfMoney {
  amountMinor: number
  currency: string
}

/** `payments`: how many it is about, each counted once, in however many runs it was seen. */
export interface MoneyAtRisk {
  sums: readonly SumOfMoney[]
  payments: number
}

/** A finding about a sum of money, in major units. Runs of one seed give a payment the same id. */
export interface AboutMoney {
  requestId?: string
  reference?: string
  amount?: number
  currency?: string
}

/** Undefined where no finding is about a sum. */
export function moneyAtRisk(findings: readonly AboutMoney[]): MoneyAtRisk | undefined {
  const found = new Map<string, SumOfMoney>()
  for (const [i, one] of findings.entries()) {
    const money = moneyOf(one)
    const key = one.requestId ?? one.reference ?? String(i)
    if (money && money.amountMinor > (found.get(key)?.amountMinor ?? 0)) found.set(key, money)
  }
  if (found.size === 0) return undefined
  const byCurrency = Map.groupBy(found.values(), ({ currency }) => currency)
  const sums = Array.from(byCurrency, ([currency, all]) => ({
    currency,
    amountMinor: all.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  }))
  return { sums: sums.sort((a, b) => b.amountMinor - a.amountMinor), payments: found.size }
}

export function moneyOf({ amount, currency }: AboutMoney): SumOfMoney | undefined {
  const amountMinor = amount === undefined ? undefined : toMinor(amount)
  return amountMinor === undefined ? undefined : { amountMinor, currency: currency ?? '' }
}

export function sumText({ amountMinor, currency }: SumOfMoney): string {
  return moneyText(amountMinor, currency)
}

/** Such as `KES 12,000.00 in 3 payments`. */
export function atRiskText({ sums, payments }: MoneyAtRisk): string {
  return `${sums.map(sumText).join(' + ')} in ${counted(payments, 'payment')}`
}

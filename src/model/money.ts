/** Money: integers in minor units inside, numbers with at most two decimals outside. */

/** The currency of a wallet, as ISO 4217 has it. Which there are, the countries of a service say. */
export type Currency = string

const AT_MOST_TWO_DECIMALS = /^\d{1,12}(?:\.\d{1,2})?$/

/**
 * Minor units of an amount in major units; undefined unless it is a number from 0 to 999,999,999,999.99 with at
 * most two decimals. Works on the shortest decimal text of the number, so `0.1 + 0.2` is refused and `0.3` is not.
 */
export function toMinor(amount: number): number | undefined {
  const text = String(amount)
  if (!AT_MOST_TWO_DECIMALS.test(text)) return undefined
  const [whole = '0', cents = ''] = text.split('.')
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

/** Major units of an amount in minor units, for expressions and for JSON that prints whole amounts as integers. */
export function toMajor(amountMinor: number): number {
  return amountMinor / 100
}

/** `1000.0`, `1500.75`, `0.5`: the text form with at least one decimal. */
export function decimalText(amountMinor: number): string {
  const major = toMajor(amountMinor)
  return Number.isInteger(major) ? `${major}.0` : String(major)
}

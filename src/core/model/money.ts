/** Money: integers in minor units inside, numbers with at most two decimals outside. */

/** The currency of a wallet, as ISO 4217 has it. Which there are, the countries of a service say. */
export type Currency = string

/** Major units from here on are too many. */
const TOO_MUCH = 1e12

/**
 * Minor units of an amount in major units; undefined unless it is a number from 0 to 999,999,999,999.99 with at
 * most two decimals. `0.1 + 0.2` is refused and `0.3` is not.
 */
export function toMinor(amount: number): number | undefined {
  const minor = Math.round(amount * 100)
  // A number of so few digits is the nearest to one decimal text only, and a division gives the nearest.
  return amount >= 0 && amount < TOO_MUCH && minor / 100 === amount ? Math.abs(minor) : undefined
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

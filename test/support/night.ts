/** CI tests what a change needs and, by the date, a part of what `npm run test:night` runs. */

const MS_PER_DAY = 86_400_000

export const isNight = process.env['MODE'] === 'night'

/** Rounds, cases or budgets of a test whose rest goes the same road. */
export function dayOrNight<T>(day: T, night: T): T {
  return isNight ? night : day
}

/** Every case at night, one by the date in CI, the first one elsewhere. */
export function dailyCase<T>(cases: readonly T[]): readonly T[] {
  return isNight ? cases : cases.filter((_, i) => i === dayOf(process.env['NIGHT_DATE'] ?? '1970-01-01') % cases.length)
}

export function dayOf(date: string): number {
  const day = Date.parse(date) / MS_PER_DAY
  if (!Number.isInteger(day)) throw new Error(`NIGHT_DATE is a date such as 2025-01-24, not ${JSON.stringify(date)}.`)
  return day
}

/** How much of a test is run: CI runs a part, `npm run test:night` all of it. */
export const isNight = process.env['MODE'] === 'night'

/** Rounds, cases or budgets of a test whose rest goes the same road. */
export function dayOrNight<T>(day: T, night: T): T {
  return isNight ? night : day
}

/** How often each payment was asked for, so that runs in which people did the same can be compared. Pure. */
import { toMajor } from '../model/money.ts'
import type { PaymentFacts } from './ledger-facts.ts'

/** Payments that nothing but their reference tells apart, and how many of them a merchant asked for. */
export interface Asked {
  kind: string
  /** Whom they are with; left out where they name nobody. */
  party?: string | undefined
  /** Major units. */
  amount: number
  currency: string
  times: number
}

/** More sorts of payments than this are not listed. */
const LISTED_MAX = 1000

/** What a merchant asked for; what a scenario made by itself is not counted. */
export function askedIn(payments: readonly PaymentFacts[]): Asked[] {
  return [...Map.groupBy(payments.filter(isAskedFor), sortOf).values()]
    .slice(0, LISTED_MAX)
    .map((alike) => ({ ...shown(alike[0] as PaymentFacts), times: alike.length }))
}

/**
 * How many more of a payment's sort moved money, or may yet, than were asked for when people did the same; undefined
 * where none was asked for then.
 */
export function tooMany(
  payment: PaymentFacts,
  payments: readonly PaymentFacts[],
  asked: readonly Asked[],
): number | undefined {
  const sort = sortOf(payment)
  const usual = asked.find((one) => nameOf(one) === sort)
  if (!usual) return undefined
  return (
    payments.filter((one) => isAskedFor(one) && one.outcome !== 'unpaid' && sortOf(one) === sort).length - usual.times
  )
}

/** A name that payments share which nothing but their reference tells apart. */
export function sortOf(payment: PaymentFacts): string {
  return nameOf(shown(payment))
}

function isAskedFor({ origin }: PaymentFacts): boolean {
  return origin === 'request'
}

function shown({ kind, party, amountMinor, currency }: PaymentFacts): Omit<Asked, 'times'> {
  return { kind, ...(party !== null && { party }), amount: toMajor(amountMinor), currency }
}

function nameOf({ kind, party, amount, currency }: Omit<Asked, 'times'>): string {
  return JSON.stringify([kind, party ?? null, amount, currency])
}

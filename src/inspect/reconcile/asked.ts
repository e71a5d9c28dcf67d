/** How often each payment was asked for, so that runs in which people did the same can be compared. Pure. */
import { toMajor } from '../../core/model/money.ts'
import type { Asked } from '../finding.ts'
import type { PaymentFacts } from './ledger-facts.ts'

/** More sorts of payments than this are not listed. */
const LISTED_MAX = 1000

/** What a merchant asked for; what a scenario made by itself is not counted. */
export function askedIn(payments: readonly PaymentFacts[]): Asked[] {
  return [...Map.groupBy(payments.filter(isAskedFor), sortOf).values()]
    .slice(0, LISTED_MAX)
    .map((alike) => ({ ...shown(alike[0] as PaymentFacts), times: alike.length }))
}

/** How often payments that nothing but their reference tells apart may move money: as often as when people did the same. */
export class Usual {
  readonly #alive: ReadonlyMap<string, number>
  readonly #asked: ReadonlyMap<string, number>

  constructor(payments: readonly PaymentFacts[], asked: readonly Asked[]) {
    const alive = payments.filter((payment) => isAskedFor(payment) && payment.outcome !== 'unpaid')
    this.#alive = new Map([...Map.groupBy(alive, sortOf)].map(([sort, those]) => [sort, those.length]))
    this.#asked = new Map(asked.map((one) => [nameOf(one), one.times]))
  }

  /** How many more of a payment's sort moved money, or may yet; undefined where none was asked for then. */
  tooMany(payment: PaymentFacts): number | undefined {
    const sort = sortOf(payment)
    const times = this.#asked.get(sort)
    return times === undefined ? undefined : (this.#alive.get(sort) ?? 0) - times
  }
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

/** Counts how often each payment was asked for, to compare runs in which people did the same. Pure. */
import { toMajor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import type { RequestWithoutPayment } from '../finding.ts'
import type { PaymentFacts } from './ledger-facts.ts'

const LISTED_MAX = 1000

export function askedIn(payments: readonly PaymentFacts[]): RequestWithoutPayment[] {
  return [...Map.groupBy(payments.filter(isAskedFor), paymentSort).values()]
    .slice(0, LISTED_MAX)
    .map((alike) => ({ ...shown(must(alike[0])), times: alike.length }))
}

/** Payments of one sort may move money as often as in the earlier run. */
export class UsualRequests {
  readonly #alive: ReadonlyMap<string, number>
  readonly #asked: ReadonlyMap<string, number>

  constructor(payments: readonly PaymentFacts[], asked: readonly RequestWithoutPayment[]) {
    const alive = payments.filter((payment) => isAskedFor(payment) && payment.outcome !== 'unpaid')
    this.#alive = new Map([...Map.groupBy(alive, paymentSort)].map(([sort, those]) => [sort, those.length]))
    this.#asked = new Map(asked.map((one) => [nameOf(one), one.times]))
  }

  tooMany(payment: PaymentFacts): number | undefined {
    const sort = paymentSort(payment)
    const times = this.#asked.get(sort)
    return times === undefined ? undefined : (this.#alive.get(sort) ?? 0) - times
  }
}

export function paymentSort(payment: PaymentFacts): string {
  return nameOf(shown(payment))
}

function isAskedFor({ origin }: PaymentFacts): boolean {
  return origin === 'request'
}

function shown({ kind, party, amountMinor, currency }: PaymentFacts): Omit<RequestWithoutPayment, 'times'> {
  return { kind, ...(party !== null && { party }), amount: toMajor(amountMinor), currency }
}

function nameOf({ kind, party, amount, currency }: Omit<RequestWithoutPayment, 'times'>): string {
  return JSON.stringify([kind, party ?? null, amount, currency])
}

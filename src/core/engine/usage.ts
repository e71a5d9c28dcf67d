/** Totals for daily limits, cached so that no payment adds them up again. */
import { isFailed } from '../lifecycle.ts'
import { startOfDay } from '../model/calendar.ts'
import { partyOf, type Service } from '../model/kind.ts'
import { must } from '../model/must.ts'
import type { Payment } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import type { Scenario } from '../scenario.ts'
import type { Limit } from '../scenarios/language/rails.ts'
import type { Store } from '../store/store.ts'

const MOST_TOTALS = 10_000

type Spending = Pick<Payment, 'kind' | 'request' | 'organisationId' | 'currency' | 'amountMinor'>

/**
 * A total is computed from stored payments when first asked for, and then kept, so that the millionth payment of a day
 * is checked as fast as the first.
 */
export class Usage {
  readonly #store: Store
  readonly #service: Service
  readonly #totals = new Map<string, number>()
  #scenario: Scenario | undefined
  #dayUs: InstantUs = 0

  constructor(store: Store, service: Service) {
    this.#store = store
    this.#service = service
  }

  of(limit: Limit, payment: Spending, scenario: Scenario, nowUs: InstantUs): number {
    this.#turnTo(scenario, nowUs)
    const key = this.#keyOf(limit, payment)
    if (key === undefined) return 0
    const known = this.#totals.get(key)
    if (known !== undefined) return known
    const { activity } = this.#store
    const total = activity.spent(limit.on, limit.currency, this.#dayUs, {
      ...(limit.per === 'organisation' && { organisationId: payment.organisationId }),
      ...(limit.per === 'party' && { party: must(this.#partyOf(payment)) }),
    })
    if (this.#totals.size >= MOST_TOTALS) this.#forget()
    this.#set(key, total)
    return total
  }

  follow(payment: Payment, from: string | null, scenario: Scenario, nowUs: InstantUs): void {
    if (this.#totals.size === 0) return
    this.#turnTo(scenario, nowUs)
    if (payment.createdAtUs < this.#dayUs) return
    const before = from === null || isFailed(from) ? 0 : payment.amountMinor
    const change = (isFailed(payment.status) ? 0 : payment.amountMinor) - before
    if (change === 0) return
    for (const limit of scenario.rails.limits) {
      if (limit.currency !== payment.currency || !limit.on.includes(payment.kind)) continue
      const key = this.#keyOf(limit, payment)
      const known = key === undefined ? undefined : this.#totals.get(key)
      if (key !== undefined && known !== undefined) this.#set(key, known + change)
    }
  }

  #turnTo(scenario: Scenario, nowUs: InstantUs): void {
    const dayUs = startOfDay(nowUs, scenario.zone.offsetUs)
    if (scenario === this.#scenario && dayUs === this.#dayUs) return
    this.#scenario = scenario
    this.#dayUs = dayUs
    this.#forget()
  }

  /** No undo needed: forgotten totals are computed again. */
  #forget(): void {
    this.#totals.clear()
  }

  #set(key: string, total: number): void {
    this.#store.undo.onRollback(() => this.#totals.delete(key))
    this.#totals.set(key, total)
  }

  #keyOf(limit: Limit, payment: Spending): string | undefined {
    if (limit.per === 'world') return limit.path
    if (limit.per === 'organisation') return `${limit.path} ${payment.organisationId}`
    const party = this.#partyOf(payment)
    return party === null ? undefined : `${limit.path} ${party}`
  }

  #partyOf({ kind, request }: Spending): string | null {
    return partyOf(this.#service.kinds.of(kind), request)
  }
}

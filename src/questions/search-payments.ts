/** Looks for payments in which a text stands: no index helps there, so it is done a stretch at a time. */
import type { Payment } from '../model/payment.ts'
import type { PaymentFilter } from '../store/payment-table.ts'
import { turn } from '../world/host.ts'
import type { World } from '../world/world.ts'

/** So many are looked through before others have their turn: some ten milliseconds of work. */
const STRETCH = 2_000

/**
 * The newest payments that a filter with texts finds, below the number `before`. `next` is where to go on from, or null
 * when everything was looked through.
 */
export async function searchPayments(
  { host, closing, core: { store } }: World,
  filter: PaymentFilter,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<{ found: Payment[]; next: number | null }> {
  const found: Payment[] = []
  let below = before ?? store.payments.newestSeq() + 1
  while (below > 1 && !closing.aborted) {
    const fromSeq = Math.max(1, below - STRETCH)
    const page = store.payments.page(
      { ...filter, fromSeq },
      { afterSeq: below, newestFirst: true, limit: limit - found.length },
    )
    found.push(...page)
    if (found.length === limit) return { found, next: found.at(-1)?.seq ?? null }
    below = fromSeq
    await turn(host)
  }
  return { found, next: null }
}

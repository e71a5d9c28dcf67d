/** Finds payments that repeat an earlier one whose end was not known. */
import { SECOND_US } from '../../core/model/time.ts'
import type { PaymentFacts } from './ledger-facts.ts'

/** A later payment is a new one, unless it says that it is the same. */
const CLOSE_US = 86_400 * SECOND_US
/** Earlier payments that each is compared with, to bound the work. */
const LOOKED_BACK = 50

export interface Repeat {
  first: PaymentFacts
  again: PaymentFacts
  /** They share a reference, or the order of one payer. */
  samePurpose: boolean
  underWay: boolean
  unanswered: boolean
  /** Soon after a success and under another reference. Who means two such payments asks for both in every run. */
  doubtful: boolean
}

/**
 * Each payment with the latest similar one before it: same direction, party, amount, currency and purpose, or nothing
 * known of the first. Payments that a scenario doubled do not count, since the merchant asked once.
 */
export function repeatsOf(payments: readonly PaymentFacts[]): Repeat[] {
  const shared = sharedOrders(payments)
  const alike = Map.groupBy(
    payments.filter(({ origin, amountMinor }) => origin === 'request' && amountMinor > 0),
    ({ organisationId, kind, currency, amountMinor, party }) =>
      JSON.stringify([organisationId, kind, currency, amountMinor, party]),
  )
  return [...alike.values()].flatMap((group) =>
    group.flatMap((again, i) => {
      const earlier = group.slice(Math.max(0, i - LOOKED_BACK), i).map((first) => repeat(first, again, shared))
      const found = earlier.filter((one) => one.samePurpose || one.unanswered || one.doubtful)
      // The nearest one that explains most.
      return (
        found.toSorted(
          (a, b) =>
            Number(b.samePurpose) - Number(a.samePurpose) ||
            Number(b.unanswered) - Number(a.unanswered) ||
            b.first.seq - a.first.seq,
        )[0] ?? []
      )
    }),
  )
}

function repeat(first: PaymentFacts, again: PaymentFacts, shared: ReadonlySet<string>): Repeat {
  const sameOrder = first.order !== null && first.order === again.order && !shared.has(first.order)
  const otherOrder = first.order !== null && again.order !== null && first.order !== again.order
  const samePurpose = (first.reference !== null && first.reference === again.reference) || sameOrder
  const alike = samePurpose || (first.party !== null && !otherOrder)
  const apart = first.reference !== null && again.reference !== null && first.reference !== again.reference
  const close = again.createdAtUs - first.createdAtUs <= CLOSE_US
  return {
    first,
    again,
    samePurpose,
    underWay: first.endedAtUs === null || first.endedAtUs > again.createdAtUs,
    unanswered: alike && !first.answered && (samePurpose || close),
    doubtful: alike && apart && close && !hadFailed(first, again.createdAtUs),
  }
}

function hadFailed({ outcome, outcomes, endedAtUs, sinceUs }: PaymentFacts, byUs: number): boolean {
  const end = outcomes.find((one) => one !== 'open')
  return (end === 'unpaid' && endedAtUs !== null && endedAtUs <= byUs) || (outcome === 'unpaid' && sinceUs <= byUs)
}

/** A name that several payers or prices share is no order. */
function sharedOrders(payments: readonly PaymentFacts[]): Set<string> {
  const meant = new Map<string, string>()
  const shared = new Set<string>()
  for (const { order, party, amountMinor, kind } of payments) {
    if (order === null) continue
    const key = JSON.stringify([kind, party, amountMinor])
    const known = meant.get(order)
    const [knownKind] = known === undefined ? [] : JSON.parse(known)
    if (known !== undefined && known !== key && knownKind === kind) shared.add(order)
    meant.set(order, key)
  }
  return shared
}

/** Payments that repeat an earlier one: what was asked for again although it was not known to be over. */
import { SECOND_US } from '../../core/model/time.ts'
import type { PaymentFacts } from './ledger-facts.ts'

/** What is asked for later than this after another is another thing, unless it says that it is the same. */
const CLOSE_US = 86_400 * SECOND_US
/** Of payments that look alike, so many before it are compared with each. */
const LOOKED_BACK = 50

/** Two payments of one purpose; `again` is the later one. */
export interface Repeat {
  first: PaymentFacts
  again: PaymentFacts
  /** Both carry one reference, or name one order of one payer. */
  samePurpose: boolean
  /** The first was still open when the second was asked for. */
  underWay: boolean
  /** The answer to the first did not arrive as it was meant. */
  unanswered: boolean
  /**
   * It was asked for soon after the first and under another reference, when that had not failed. Whoever means two such
   * payments asks for both in every run.
   */
  doubtful: boolean
}

/**
 * Every payment with the latest one before it that looks like it: same way, party, amount and currency, and the same
 * purpose, or nothing known of the first. What a scenario executed twice is no repetition of the merchant's.
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
      // The nearest that explains most.
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

/** Words that stand for several payers or prices name no order. */
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

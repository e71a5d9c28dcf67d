/** A web shop: customers pay by prompt or on the hosted page, suppliers and refunds are paid out. */
import { SECOND_US } from '../../core/model/time.ts'
import type { Asked, Stream } from '../parts.ts'
import type { Person } from './east-africa.ts'
import { deal, each, type Making, people, profile, reference } from './past.ts'
import { atHour, byWeight, type Day, hours } from './usual-days.ts'
import { prompt, session, toBank, toPhone, toTill } from './ways-to-pay.ts'

/** How good each month is for a shop: January is poor, December is rich. */
const SEASON = [0.7, 0.85, 0.95, 1, 1, 0.95, 0.9, 1.05, 1, 1, 1.15, 1.7] as const
const WEEK: Record<string, number> = { FRI: 1.8, SAT: 1.9, SUN: 1.2, THU: 1.1 }
/** When wages are fresh. */
const AFTER_PAYDAY = 1.35
/** Of those who come to the page: who leaves, and who pays by phone; the others have a card. */
const LEAVES = 0.18
const BY_PHONE = 0.42
const CARDS = [
  { brand: 'Visa', last4: '4242' },
  { brand: 'Visa', last4: '1881' },
  { brand: 'Mastercard', last4: '4444' },
] as const

export const shop = profile(
  {
    name: 'shop',
    description:
      'Customers pay by prompt and on the hosted page, most on Fridays and Saturdays and in December; suppliers and refunds are paid.',
  },
  ({ weekday }) => weekday === 'THU',
  function* (making, count) {
    const counts = deal(count, { prompts: 68, sessions: 16, suppliers: 11, refunds: 5 })
    const orders = counts.prompts + counts.sessions
    const customers = yield* people(making.africa, Math.max(1, Math.ceil(orders / 4)))
    yield* sales(making, customers, orders, counts.prompts)
    yield* suppliers(making, counts.suppliers)
    yield* refunds(making, customers, counts.refunds)
  },
)

function buyingDay(days: readonly Day[]) {
  return byWeight(days, ({ weekday, month, dayOfMonth }) => {
    const fresh = dayOfMonth >= 27 || dayOfMonth <= 4 ? AFTER_PAYDAY : 1
    return (WEEK[weekday] ?? 0.9) * (SEASON[month - 1] as number) * fresh
  })
}

/** `count` orders, the first `prompts` of them paid by a prompt. */
function* sales({ days, africa, draw }: Making, customers: readonly Person[], count: number, prompts: number): Stream {
  const bought = buyingDay(days)
  const products = Array.from({ length: 60 }, () => ({ name: africa.product(), price: 150 + draw.below(90) * 50 }))
  yield* each(count, (n) => {
    const atUs = atHour(bought(draw), hours.shop, draw)
    const customer = draw.pick(customers)
    const { name, price } = draw.pick(products)
    const purpose = { amount: price * (1 + draw.below(3)), remarks: name, referenceId: reference('ORD', n) }
    return n < prompts ? prompt(atUs, customer, purpose) : session(atUs, customer, purpose, paying(customer, draw))
  })
}

/** How somebody pays who comes to the page; undefined for who leaves. */
function paying({ phone }: Person, draw: Making['draw']): Asked['paid'] | undefined {
  const afterUs = (20 + draw.below(200)) * SECOND_US
  const lot = draw.unit()
  if (lot < LEAVES) return undefined
  if (lot < LEAVES + BY_PHONE) return { afterUs, method: 'MPESA_STK', phone }
  return { afterUs, method: 'CARD', card: draw.pick(CARDS) }
}

function* suppliers({ days, africa, draw }: Making, count: number): Stream {
  const known = africa.businesses(20)
  const payingDay = byWeight(days, ({ weekday }) => (weekday === 'FRI' ? 10 : weekday === 'SUN' ? 0 : 1))
  yield* each(count, (n) => {
    const atUs = atHour(payingDay(draw), hours.office, draw)
    const supplier = draw.pick(known)
    const referenceId = reference('SUP', n)
    const remarks = `Goods ${referenceId}`
    return draw.unit() < 0.3
      ? toTill(atUs, supplier, { amount: 200 + draw.below(4_000), remarks, referenceId })
      : toBank(
          atUs,
          { ...supplier, beneficiaryName: supplier.name },
          { amount: 3_000 + draw.below(60_000), remarks, referenceId },
        )
  })
}

function* refunds({ days, draw }: Making, customers: readonly Person[], count: number): Stream {
  const bought = buyingDay(days)
  yield* each(count, (n) => {
    const referenceId = reference('REF', n)
    const purpose = { amount: 150 + draw.below(60) * 50, remarks: `Refund ${referenceId}`, referenceId }
    return toPhone(atHour(bought(draw), hours.office, draw), draw.pick(customers), purpose)
  })
}

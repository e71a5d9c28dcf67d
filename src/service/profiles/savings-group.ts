/** A savings group: members contribute every week, borrow, repay, and share out in December. */
import type { Stream } from '../parts.ts'
import type { Person } from './east-africa.ts'
import { deal, each, type Making, people, profile, reference } from './past.ts'
import { atHour, byWeight, hours } from './usual-days.ts'
import { prompt, toPaybill, toPhone } from './ways-to-pay.ts'

/** Members meet on Sundays, and most contribute on that day or the evening before. */
const NEAR_MEETING: Record<string, number> = { SUN: 10, SAT: 6, FRI: 2 }
const FEWEST_MEMBERS = 5

export const savingsGroup = profile(
  {
    name: 'savings-group',
    description:
      'Members contribute by prompt around the Sunday meeting, borrow and repay; what was saved is shared out in December.',
  },
  ({ dayOfMonth }) => dayOfMonth === 1,
  function* (making, count) {
    const shareDays = making.days.filter(
      ({ month, dayOfMonth }) => month === 12 && dayOfMonth >= 10 && dayOfMonth <= 20,
    )
    const shares = shareDays.length > 0 ? 5 : 0
    const counts = deal(count, { contributions: 74, repayments: 10, loans: 9, shares, bills: 2 })
    const weeks = Math.max(1, making.days.length / 7)
    const members = yield* people(making.africa, Math.max(FEWEST_MEMBERS, Math.ceil(counts.contributions / weeks)))
    yield* contributions(making, members, counts.contributions)
    yield* repayments(making, members, counts.repayments)
    yield* loans(making, members, counts.loans)
    yield* sharedOut({ ...making, days: shareDays }, members, counts.shares)
    yield* bills(making, counts.bills)
  },
)

function gathering({ days }: Making) {
  return byWeight(days, ({ weekday }) => NEAR_MEETING[weekday] ?? 1)
}

function* contributions(making: Making, members: readonly Person[], count: number): Stream {
  const { draw } = making
  const gathered = gathering(making)
  yield* each(count, (n) => {
    const purpose = { amount: 200 * (1 + draw.below(5)), remarks: 'Contribution', referenceId: reference('CON', n) }
    return prompt(atHour(gathered(draw), hours.evening, draw), members[n % members.length] as Person, purpose)
  })
}

function* repayments({ days, draw }: Making, members: readonly Person[], count: number): Stream {
  const anyDay = byWeight(days, () => 1)
  yield* each(count, (n) => {
    const purpose = { amount: 500 * (1 + draw.below(10)), remarks: 'Repayment', referenceId: reference('REP', n) }
    return prompt(atHour(anyDay(draw), hours.evening, draw), draw.pick(members), purpose)
  })
}

function* loans(making: Making, members: readonly Person[], count: number): Stream {
  const { draw } = making
  const gathered = gathering(making)
  yield* each(count, (n) => {
    const purpose = { amount: 1_000 * (2 + draw.below(30)), remarks: 'Loan', referenceId: reference('LOAN', n) }
    return toPhone(atHour(gathered(draw), hours.evening, draw), draw.pick(members), purpose)
  })
}

function* sharedOut({ days, draw }: Making, members: readonly Person[], count: number): Stream {
  yield* each(count, (n) => {
    const amount = 5_000 + draw.below(40_000)
    const purpose = { amount, remarks: 'Share of the year', referenceId: reference('SHARE', n) }
    return toPhone(atHour(draw.pick(days), hours.office, draw), members[n % members.length] as Person, purpose)
  })
}

function* bills({ days, africa, draw }: Making, count: number): Stream {
  const { paybill } = africa.business()
  const anyDay = byWeight(days, () => 1)
  yield* each(count, (n) => {
    const purpose = {
      amount: 1_500 + draw.below(6_000),
      remarks: 'Rent of the hall',
      referenceId: reference('BILL', n),
    }
    return toPaybill(atHour(anyDay(draw), hours.office, draw), paybill, 'HALL', purpose)
  })
}

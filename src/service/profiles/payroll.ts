/** A company that pays its people: salaries, wages of the week, taxes, suppliers. */
import { MINUTE_US } from '../../core/model/calendar.ts'
import { DIGITS } from '../../core/model/chance.ts'
import { SECOND_US } from '../../core/model/time.ts'
import type { Stream } from '../parts.ts'
import type { Person } from './east-africa.ts'
import { deal, each, type Making, made, people, profile, reference } from './past.ts'
import { atHour, byWeight, type Day, hours, paydays } from './usual-days.ts'
import { toBank, toPaybill, toPhone, toTill } from './ways-to-pay.ts'

/** Salaries are paid by the 28th, taxes and pensions by the 9th. */
const PAYDAY = 28
const TAX_DAY = 9
/** Shares of those who sit abroad, and of those at home who are paid at their bank. */
const ABROAD = { TZ: 0.06, UG: 0.05 } as const
const AT_BANK = 0.45
/** Shillings of a country in one of Kenya, near enough. */
const RATE = { KE: 1, TZ: 20, UG: 28 } as const
/** From when on a run pays, and how long a large one takes. */
const RUN_AT_US = 9 * 60 * MINUTE_US
const RUN_TAKES_US = 30 * MINUTE_US
/** Made up, numbers included. */
const DUTIES = [
  { name: 'PAYE', paybill: '572572' },
  { name: 'Pension fund', paybill: '333300' },
  { name: 'Health fund', paybill: '200222' },
] as const

export const payroll = profile(
  {
    name: 'payroll',
    description: 'Salaries at the end of the month, weekly wages on Fridays, taxes by the 9th, suppliers in between.',
  },
  ({ weekday }) => weekday === 'MON',
  function* (making, count) {
    const counts = deal(count, { salaries: 60, wages: 26, duties: 4, invoices: 10 })
    yield* salaries(making, counts.salaries)
    yield* wages(making, counts.wages)
    yield* duties(making, counts.duties)
    yield* invoices(making, counts.invoices)
  },
)

function* salaries({ days, africa, draw }: Making, count: number): Stream {
  const runs = orLast(paydays(days, PAYDAY), days)
  const staff = Math.ceil(count / runs.length)
  const employed = yield* made(staff, () => {
    const lot = draw.unit()
    const country = lot < ABROAD.TZ ? 'TZ' : lot < ABROAD.TZ + ABROAD.UG ? 'UG' : 'KE'
    const salary = (18_000 + Math.round(draw.unit() ** 3 * 220) * 1000) * RATE[country]
    const account = country === 'KE' && draw.unit() < AT_BANK ? africa.account() : undefined
    return { ...africa.person(country), salary, account, bankCode: africa.bankCode() }
  })
  const pace = Math.min(3 * SECOND_US, Math.floor(RUN_TAKES_US / Math.max(1, staff)))
  yield* each(count, (n) => {
    const i = n % staff
    const day = runs[Math.floor(n / staff)] as Day
    const { salary, account, bankCode, ...person } = employed[i] as (typeof employed)[number]
    const month = day.date.slice(0, 7)
    const purpose = { amount: salary, remarks: `Salary ${month}`, referenceId: reference(`SAL-${month}`, i) }
    const atUs = day.atUs + RUN_AT_US + i * pace
    const beneficiaryName = `${person.firstName} ${person.lastName}`
    return account === undefined
      ? toPhone(atUs, person, purpose)
      : toBank(atUs, { bankCode, account, beneficiaryName }, purpose)
  })
}

function* wages({ days, africa, draw }: Making, count: number): Stream {
  const fridays = orLast(
    days.filter(({ weekday }) => weekday === 'FRI'),
    days,
  )
  const workers = yield* people(africa, Math.ceil(count / fridays.length))
  // Drawn for all of the last Friday, so that the rest of the past does not hang on where it is cut off.
  yield* each(fridays.length * workers.length, (n) => {
    const i = n % workers.length
    const day = fridays[Math.floor(n / workers.length)] as Day
    const atUs = day.atUs + 16 * 60 * MINUTE_US + draw.below(90 * 60) * SECOND_US
    const amount = 2_500 + draw.below(40) * 100
    const purpose = { amount, remarks: `Wages to ${day.date}`, referenceId: reference(`WAGE-${day.date}`, i) }
    return n < count ? toPhone(atUs, workers[i] as Person, purpose) : undefined
  })
}

function* duties({ days, draw }: Making, count: number): Stream {
  const anyTaxDay = byWeight(orLast(paydays(days, TAX_DAY), days), () => 1)
  yield* each(count, (n) => {
    const day = anyTaxDay(draw)
    const { name, paybill } = draw.pick(DUTIES)
    const remarks = `${name} ${day.date.slice(0, 7)}`
    const purpose = { amount: 5_000 + draw.below(300_000), remarks, referenceId: reference('DUTY', n) }
    return toPaybill(atHour(day, hours.office, draw), paybill, `P05${draw.text(7, DIGITS)}`, purpose)
  })
}

function* invoices({ days, africa, draw }: Making, count: number): Stream {
  const suppliers = africa.businesses(25)
  const weekly: Record<string, number> = { SUN: 0, SAT: 1, FRI: 5 }
  const workday = byWeight(days, ({ weekday }) => weekly[weekday] ?? 3)
  yield* each(count, (n) => {
    const supplier = draw.pick(suppliers)
    const referenceId = reference('INV', n)
    const purpose = { amount: 1_000 + draw.below(90_000), remarks: `Invoice ${referenceId}`, referenceId }
    const atUs = atHour(workday(draw), hours.office, draw)
    return draw.unit() < 0.5
      ? toTill(atUs, supplier, purpose)
      : toBank(atUs, { ...supplier, beneficiaryName: supplier.name }, purpose)
  })
}

/** Those days; the last one where the span is too short for any. */
function orLast(found: readonly Day[], days: readonly Day[]): readonly Day[] {
  return found.length > 0 ? found : days.slice(-1)
}

/** Invents the past of a business: each habit gets its share of payments, spread over its usual days and hours. */

import { DAY_US, Holidays, localTime, MINUTE_US, startOfDay, type Weekday } from '../../core/model/calendar.ts'
import type { Draw } from '../../core/model/chance.ts'
import { must } from '../../core/model/must.ts'
import { type InstantUs, SECOND_US } from '../../core/model/time.ts'
import { kenya } from '../countries/kenya.ts'
import type { Act, Opened, Profile, ServicePast, Span } from '../parts.ts'
import {
  atPage,
  type BusinessProfile,
  businesses,
  type Habit,
  ordinaryMonths,
  type PartyGroup,
  type UsualDays,
} from './businesses.ts'
import { inventBusiness, inventPerson, inventProduct, type Party, requests } from './parties.ts'

/** Payments or people per step, so that other work runs after a few milliseconds. */
const STEP = 500
/** Shillings of a country for one Kenyan shilling, roughly. */
const RATE = { KE: 1, TZ: 20, UG: 28 } as const
const PAYOUTS = ['send-money', 'till', 'paybill', 'bank-payout']
/** More than the payouts need, for fees and the unforeseen. In shillings. */
const FUNDS = { share: 1.05, least: 2_000, roundedTo: 1_000, abroad: 1.2 }
const UNEVEN = 0.4
const PRODUCTS = 60
const { offsetUs } = kenya.zone
const holidays = new Holidays(kenya.holidays)
/** Days back; an earlier payday is not among the days. */
const PAYDAY_WITHIN = 6

interface PastDay {
  atUs: InstantUs
  date: string
  weekday: Weekday
  dayOfMonth: number
}

/** A habit with everything that is decided before its first payment. */
interface Ready {
  habit: Habit
  perDay: readonly number[]
  parties: readonly Party[]
  draw: Draw
  own(party: number): Draw
  made: number
}

export const profiles: readonly Profile[] = businesses.map((business) => ({
  name: business.name,
  description: business.description,
  past: (span) => pastOf(business, span),
}))

/**
 * Runs in steps, because a long past takes seconds. Has exactly as many payments as were asked for, including those
 * into the wallet.
 */
export function* pastOf(business: BusinessProfile, span: Span): Generator<void, ServicePast> {
  const { payments, chance } = span
  const days = daysOf(span)
  const { funded } = business
  const isFunded = ({ weekday, dayOfMonth }: PastDay, i: number) => i === 0 || [weekday, dayOfMonth].includes(funded)
  const mornings = new Set(days.filter(isFunded).slice(0, Math.max(1, payments - 1)))
  const people = chance.of('people', 0)
  const products = Array.from({ length: PRODUCTS }, () => inventProduct(people))
  const ready = yield* prepared(business, people, days, { ...span, payments: Math.max(0, payments - mornings.size) })
  const acts: Act[] = []
  let turn = 0
  for (const [i, day] of days.entries()) {
    if (mornings.has(day)) acts.push({ atUs: day.atUs, way: 'bank', given: { description: 'Funds for payouts' } })
    const ofDay: Act[] = []
    for (const one of ready)
      for (let left = one.perDay[i] ?? 0; left > 0; left--) {
        ofDay.push(...paymentOn(day, one, products))
        if (++turn % STEP === 0) yield
      }
    for (const act of ofDay.sort((a, b) => a.atUs - b.atUs)) acts.push(act)
  }
  const { TZS = 0, UGX = 0 } = funding(acts)
  return { scenario: ordinaryMonths({ TZS: Math.ceil(TZS * FUNDS.abroad), UGX: Math.ceil(UGX * FUNDS.abroad) }), acts }
}

function* prepared({ name, habits, groups }: BusinessProfile, people: Draw, days: readonly PastDay[], span: Span) {
  const { payments, chance } = span
  const weights = habits.map((habit) => weightsOf(habit.days, days))
  const shares = habits.map(({ share }, i) => (weights[i]?.some((weight) => weight > 0) ? share : 0))
  const counts = dealt(payments, shares)
  const parties = new Map<string, Party[]>()
  const ready: Ready[] = []
  for (const [i, habit] of habits.entries()) {
    const label = `${name} ${habit.reference}`
    const draw = chance.of(label, 'payments')
    // Those in turn are paid as often as each other.
    const uneven = (weight: number) => (habit.inTurn ? weight : weight * (1 - UNEVEN + 2 * UNEVEN * draw.unit()))
    const perDay = dealt(must(counts[i]), must(weights[i]).map(uneven))
    const known = parties.get(habit.with) ?? (yield* partiesOf(must(groups[habit.with]), people, perDay, draw))
    parties.set(habit.with, known)
    ready.push({ habit, perDay, parties: known, draw, own: (party) => chance.of(label, party), made: 0 })
  }
  return ready
}

function daysOf({ fromUs, untilUs }: Span): PastDay[] {
  const days: PastDay[] = []
  for (let atUs = startOfDay(fromUs, offsetUs); atUs + DAY_US <= untilUs; atUs += DAY_US)
    if (atUs >= fromUs) days.push({ ...localTime(atUs, offsetUs), atUs })
  return days
}

function weightsOf(usual: UsualDays, days: readonly PastDay[]): number[] {
  const { payday, within, weekdays = {}, otherwise = 1, months, afterPayday = 1 } = usual
  if (payday !== undefined) {
    const near = days.filter(({ dayOfMonth: day }) => day <= payday && day > payday - PAYDAY_WITHIN)
    const worked = near.filter(({ date, weekday }) => !['SAT', 'SUN'].includes(weekday) && !holidays.has(date))
    const last = new Map(worked.map(({ date }) => [date.slice(0, 7), date]))
    return days.map(({ date }) => (last.get(date.slice(0, 7)) === date ? 1 : 0))
  }
  return days.map(({ date, weekday, dayOfMonth }) => {
    const month = Number(date.slice(5, 7))
    if (within && (month !== within.month || dayOfMonth < within.from || dayOfMonth > within.to)) return 0
    const fresh = dayOfMonth >= 27 || dayOfMonth <= 4 ? afterPayday : 1
    return (weekdays[weekday] ?? otherwise) * (months?.[month - 1] ?? 1) * fresh
  })
}

/** Divides a number by shares so that the parts add up. */
function dealt(whole: number, shares: readonly number[]): number[] {
  const sum = shares.reduce((all, share) => all + share, 0)
  let [shared, given] = [0, 0]
  return shares.map((share) => {
    shared += share
    const part = sum === 0 ? 0 : Math.round((whole * shared) / sum) - given
    given += part
    return part
  })
}

function* partiesOf({ size, areCompanies, abroad, known }: PartyGroup, people: Draw, perDay: number[], draw: Draw) {
  const count = perDay.reduce((all, one) => all + one, 0)
  const [week, day] = [(count * 7) / perDay.length, Math.max(...perDay)]
  const wanted =
    typeof size === 'object' ? count / size.paymentsEach : size === 'week' ? week : size === 'day' ? day : size
  const parties: Party[] = []
  while (parties.length < Math.max(1, wanted)) {
    const country = abroad ? drawn({ ...abroad, KE: 1 - abroad.TZ - abroad.UG }, draw) : 'KE'
    parties.push({
      ...(areCompanies ? inventBusiness(people) : inventPerson(people, country)),
      ...known?.[parties.length],
    })
    if (parties.length % STEP === 0) yield
  }
  return parties
}

function paymentOn(day: PastDay, one: Ready, products: readonly string[]): Act[] {
  const { habit, draw, parties } = one
  const n = one.made++
  const at = habit.inTurn ? n % parties.length : draw.below(parties.length)
  const party = must(parties[at])
  const own = one.own(at)
  const way = party.country === 'KE' ? drawn(habit.by, own) : 'phone'
  const { least, most, step, skew = 1, own: isOwn } = habit.amount
  const steps = Math.floor((isOwn ? own : draw).unit() ** skew * ((most - least) / step + 1))
  const referenceId = `${habit.reference}-${String(n + 1).padStart(6, '0')}`
  const known: Record<string, string> = { month: day.date.slice(0, 7), party: party.name, reference: referenceId }
  const remarks = habit.remarks.replace(/{(\w+)}/, (_, name) => known[name] ?? draw.pick(products))
  // Early in the hour, so that whoever is on a page pays on the same day.
  const atUs = day.atUs + Number(drawn(habit.hours, draw)) * 60 * MINUTE_US + draw.below(55 * 60_000) * 1000
  const amount = (least + step * steps) * RATE[party.country]
  const act = { atUs, ...requests[way]({ party, amount, remarks, referenceId }) }
  return way === 'session' ? [act, ...atThePage(act, party, draw)] : [act]
}

function atThePage({ atUs, request }: Opened, { phone }: Party, draw: Draw): Act[] {
  const method = drawn(atPage, draw)
  if (method === 'leaves') return []
  const by = method === 'CARD' ? { card: { brand: 'Visa', last4: '4242' } } : { phone }
  return [{ atUs: atUs + (20 + draw.below(200)) * SECOND_US, pays: request, method, ...by }]
}

function drawn<Name extends string>(weights: Partial<Record<Name, number>> | readonly number[], draw: Draw): Name {
  const all = Object.entries(weights) as [Name, number][]
  let left = draw.unit() * all.reduce((sum, [, weight]) => sum + weight, 0)
  const found = all.find(([, weight]) => {
    left -= weight
    return left < 0
  })
  return must(found ?? all.at(-1))[0]
}

/** Sets how much goes into the wallet: enough for payouts until the next time. Gives the payouts abroad. */
function funding(acts: readonly Act[]): Record<string, number> {
  const spent: Record<string, number> = {}
  for (const act of acts.toReversed()) {
    if ('way' in act) {
      const need = (spent['KSH'] ?? 0) * FUNDS.share + FUNDS.least
      act.given['amount'] = Math.ceil(need / FUNDS.roundedTo) * FUNDS.roundedTo
      spent['KSH'] = 0
    } else if ('kind' in act && PAYOUTS.includes(act.kind)) {
      const currency = String(act.request['currencyCode'] ?? 'KSH')
      spent[currency] = (spent[currency] ?? 0) + Number(act.request['amount'])
    }
  }
  return spent
}

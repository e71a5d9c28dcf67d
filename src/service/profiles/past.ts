import { DAY_US, localTime, MINUTE_US, startOfDay } from '../../core/model/calendar.ts'
import { type Chance, DIGITS, type Draw } from '../../core/model/chance.ts'
import { must } from '../../core/model/must.ts'
import type { JsonObject } from '../../core/model/payment.ts'
import { kenya } from '../countries/countries.ts'
import type { Act, Profile, ServicePast, Span } from '../parts.ts'
import {
  type BusinessProfile,
  businesses,
  type Habit,
  type KnownParty,
  ordinaryMonths,
  type UsualDays,
  type WayToPay,
} from './businesses.ts'

/** Payments per step, so that other work runs after a few milliseconds. */
const STEP = 500
const PAYOUTS = ['send-money', 'till', 'paybill', 'bank-payout']
/** More than the payouts need, for fees and the unforeseen. In shillings. */
const FUNDS = { share: 1.05, least: 2_000, roundedTo: 1_000 }
const UNEVEN = 0.4
const { offsetUs } = kenya.zone
const { holidays } = kenya
const PAYDAY_WITHIN = 6

type PastDay = ReturnType<typeof daysOf>[number]

interface Ready {
  habit: Habit
  label: string
  chance: Chance
  perDay: readonly number[]
  draw: Draw
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
export function* pastOf({ name, funded, habits }: BusinessProfile, span: Span): Generator<void, ServicePast> {
  const { payments, chance } = span
  const days = daysOf(span)
  const isFunded = ({ weekday, dayOfMonth }: PastDay, i: number) => i === 0 || [weekday, dayOfMonth].includes(funded)
  const mornings = new Set(days.filter(isFunded).slice(0, Math.max(1, payments - 1)))
  const weights = habits.map((habit) => weightsOf(habit.days, days))
  const shares = habits.map(({ share }, i) => (must(weights[i]).some((weight) => weight > 0) ? share : 0))
  const counts = dealt(Math.max(0, payments - mornings.size), shares)
  const ready = habits.map((habit, i): Ready => {
    const label = `${name} ${habit.reference}`
    const draw = chance.of(label, 'payments')
    // Parties that are paid every time are paid as often as each other.
    const uneven = (weight: number) =>
      habit.with === 'all' ? weight : weight * (1 - UNEVEN + 2 * UNEVEN * draw.unit())
    return { habit, label, chance, perDay: dealt(must(counts[i]), must(weights[i]).map(uneven)), draw, made: 0 }
  })
  const acts: Act[] = []
  let turn = 0
  for (const [i, day] of days.entries()) {
    if (mornings.has(day)) acts.push({ atUs: day.atUs, way: 'bank', given: { description: 'Funds for payouts' } })
    const ofDay: Act[] = []
    for (const [h, one] of ready.entries())
      for (let n = 0; n < must(one.perDay[i]); n++) {
        ofDay.push(paymentOn(day, one, n, must(counts[h])))
        if (++turn % STEP === 0) yield
      }
    for (const act of ofDay.sort((a, b) => a.atUs - b.atUs)) acts.push(act)
  }
  fund(acts)
  return { scenario: ordinaryMonths, acts }
}

function daysOf({ fromUs, untilUs }: Span) {
  const days = []
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

function paymentOn(day: PastDay, one: Ready, n: number, count: number): Act {
  const { habit, draw, label, chance } = one
  const { with: all, by, hours, amount: range } = habit
  const size = typeof all === 'object' ? Math.ceil(count / all.paymentsEach) : all
  const at = size === 'all' ? n : draw.below(size)
  const own = chance.of(label, at)
  const party: Party = { ...inventParty(own, habit.areCompanies), ...habit.known?.[at] }
  const way = drawn(by, own)
  const { least, most, step, own: isOwn } = range
  const amount = least + step * Math.floor((isOwn ? own : draw).unit() ** 2 * ((most - least) / step + 1))
  const referenceId = `${habit.reference}-${String(++one.made).padStart(6, '0')}`
  const known: Record<string, string> = { month: day.date.slice(0, 7), party: party.name, reference: referenceId }
  const remarks = habit.remarks.replaceAll(/{(\w+)}/g, (_, name) => must(known[name]))
  const atUs = day.atUs + Number(drawn(hours, draw)) * 60 * MINUTE_US + draw.below(60 * 60_000) * 1000
  return { atUs, ...requests[way]({ party, amount, remarks, referenceId }) }
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

function fund(acts: readonly Act[]): void {
  let spent = 0
  for (const act of acts.toReversed()) {
    if ('way' in act) {
      act.given['amount'] = Math.ceil((spent * FUNDS.share + FUNDS.least) / FUNDS.roundedTo) * FUNDS.roundedTo
      spent = 0
    } else if (PAYOUTS.includes(act.kind)) spent += Number(act.request['amount'])
  }
}

interface Party extends KnownParty {
  phone: string
  bankCode: string
  account: string
}

/** Existing prefixes, so that every number has a network. */
const prefixes = ['254710', '254722', '254729', '254745', '254757', '254733', '254110']
const bankCodes = ['0001', '0011', '0068', '0003', '0007']
const trades = ['Hardware Ltd', 'Wholesalers', 'Bakers', 'Motors', 'Textiles', 'Agrovet', 'Printers', 'Electricals']

function inventParty(draw: Draw, isCompany = false): Party {
  const [first, last] = [capitalised(draw.pick(kenya.givenNames)), capitalised(draw.pick(kenya.surnames))]
  return {
    name: isCompany ? `${last} ${draw.pick(trades)}` : `${first} ${last}`,
    phone: draw.pick(prefixes) + draw.text(6, DIGITS),
    shortCode: String(100_000 + draw.below(900_000)),
    bankCode: draw.pick(bankCodes),
    account: `01${draw.text(11, DIGITS)}`,
  }
}

function capitalised(name: string): string {
  return name.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

interface Purpose {
  party: Party
  amount: number
  remarks: string
  referenceId: string
}

const requests: Readonly<Record<WayToPay, (purpose: Purpose) => { kind: string; request: JsonObject }>> = {
  phone: ({ party, ...rest }) => {
    const request = { phoneNumber: party.phone, currencyCode: 'KSH', occasion: rest.remarks, ...rest }
    return { kind: 'send-money', request }
  },
  till: ({ party, ...rest }) => {
    return { kind: 'till', request: { businessNumber: party.shortCode, occasion: 'Purchase', ...rest } }
  },
  paybill: ({ party, ...rest }) => {
    const accountNumber = rest.referenceId.replace('-', '')
    return { kind: 'paybill', request: { businessNumber: party.shortCode, accountNumber, occasion: 'Bill', ...rest } }
  },
  bank: ({ party, remarks: narration, ...rest }) => {
    const { bankCode, account: creditAccountNumber, name: beneficiaryName } = party
    return { kind: 'bank-payout', request: { bankCode, beneficiaryName, creditAccountNumber, narration, ...rest } }
  },
  prompt: ({ party, remarks, ...rest }) => {
    const shown = { description: remarks.slice(0, 13), accountReference: rest.referenceId.replace('-', '') }
    return { kind: 'stk', request: { phoneNumber: party.phone, currencyCode: 'KSH', ...shown, ...rest } }
  },
  session: ({ party, amount, remarks: description, referenceId }) => {
    const request = {
      amount,
      currency: 'KES',
      description,
      successUrl: 'https://merchant.example/checkout/success',
      cancelUrl: 'https://merchant.example/checkout/cancel',
      paymentMethods: ['CARD', 'MPESA_STK'],
      externalReference: referenceId,
      paymentReference: referenceId,
      customerPhone: `+${party.phone}`,
    }
    return { kind: 'checkout', request }
  },
}

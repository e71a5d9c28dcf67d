/** Businesses with an invented past, as data. Shares, amounts, habits and numbers are invented. */
import type { Weekday } from '../../core/model/calendar.ts'

export interface KnownParty {
  name: string
  shortCode: string
}

export type WayToPay = 'phone' | 'till' | 'paybill' | 'bank' | 'prompt' | 'session'

export interface UsualDays {
  /** Only the last banking day up to this day of the month. */
  payday?: number
  within?: { month: number; from: number; to: number }
  weekdays?: Readonly<Partial<Record<Weekday, number>>>
  otherwise?: number
  months?: readonly number[]
  /** From the 27th to the 4th, when people have been paid. */
  afterPayday?: number
}

export interface Habit {
  reference: string
  share: number
  /** The people or businesses: how many, or one for each so many payments. `all`: each once on every day. */
  with: number | { paymentsEach: number } | 'all'
  known?: readonly KnownParty[]
  areCompanies?: true
  /** Weights; one party is always paid the same way. */
  by: Readonly<Partial<Record<WayToPay, number>>>
  days: UsualDays
  hours: readonly number[]
  /** Whole shillings; squares of chance make small ones frequent. `own`: one party always has the same amount. */
  amount: { least: number; most: number; step: number; own?: true }
  remarks: string
}

export interface BusinessProfile {
  name: string
  description: string
  funded: Weekday | number
  habits: readonly Habit[]
}

const office = [0, 0, 0, 0, 0, 0, 0, 1, 4, 9, 10, 9, 6, 4, 8, 8, 6, 3, 1]
const shopping = [1, 0, 0, 0, 0, 1, 3, 6, 7, 7, 7, 8, 10, 10, 8, 7, 8, 11, 13, 13, 11, 8, 4, 2]
const evening = [0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 4, 4, 3, 3, 5, 8, 12, 14, 13, 9, 4, 1]
const at9 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
const at16 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
const meeting: UsualDays = { weekdays: { SUN: 10, SAT: 6, FRI: 2 } }
const buying: UsualDays = {
  weekdays: { THU: 1.1, FRI: 1.8, SAT: 1.9, SUN: 1.2 },
  otherwise: 0.9,
  months: [0.7, 0.85, 0.95, 1, 1, 0.95, 0.9, 1.05, 1, 1, 1.15, 1.7],
  afterPayday: 1.35,
}
const offices = [
  { name: 'PAYE', shortCode: '572572' },
  { name: 'Pension fund', shortCode: '333300' },
  { name: 'Health fund', shortCode: '200222' },
]

// biome-ignore format: tables are read in columns
export const businesses: readonly BusinessProfile[] = [
  {
    name: 'payroll',
    description: 'Salaries at the end of the month, weekly wages on Fridays, taxes by the 9th, suppliers in between.',
    funded: 'MON',
    habits: [
      { reference: 'SAL', share: 60, with: 'all', by: { phone: 0.55, bank: 0.45 }, days: { payday: 28 }, hours: at9, amount: { least: 18_000, most: 238_000, step: 1_000, own: true }, remarks: 'Salary {month}' },
      { reference: 'WAGE', share: 26, with: 'all', by: { phone: 1 }, days: { weekdays: { FRI: 1 }, otherwise: 0 }, hours: at16, amount: { least: 2_500, most: 6_400, step: 100 }, remarks: 'Wages {month}' },
      { reference: 'DUTY', share: 4, with: offices.length, known: offices, by: { paybill: 1 }, days: { payday: 9 }, hours: office, amount: { least: 5_000, most: 305_000, step: 1 }, remarks: '{party} {month}' },
      { reference: 'INV', share: 10, with: 25, areCompanies: true, by: { till: 0.5, bank: 0.5 }, days: { weekdays: { SUN: 0, SAT: 1, FRI: 5 }, otherwise: 3 }, hours: office, amount: { least: 1_000, most: 91_000, step: 1 }, remarks: 'Invoice {reference}' },
    ],
  },
  {
    name: 'shop',
    description: 'Customers pay by prompt and on the hosted page, most on Fridays and Saturdays and in December; suppliers and refunds are paid.',
    funded: 'THU',
    habits: [
      { reference: 'ORD', share: 84, with: { paymentsEach: 4 }, by: { prompt: 0.81, session: 0.19 }, days: buying, hours: shopping, amount: { least: 150, most: 12_000, step: 50 }, remarks: '{reference}' },
      { reference: 'SUP', share: 11, with: 20, areCompanies: true, by: { till: 0.3, bank: 0.7 }, days: { weekdays: { FRI: 10, SUN: 0 } }, hours: office, amount: { least: 1_000, most: 63_000, step: 1 }, remarks: 'Goods {reference}' },
      { reference: 'REF', share: 5, with: { paymentsEach: 1 }, by: { phone: 1 }, days: buying, hours: office, amount: { least: 150, most: 3_100, step: 50 }, remarks: 'Refund {reference}' },
    ],
  },
  {
    name: 'savings-group',
    description: 'Members contribute by prompt around the Sunday meeting, borrow and repay; what was saved is shared out in December.',
    funded: 1,
    habits: [
      { reference: 'CON', share: 74, with: 'all', by: { prompt: 1 }, days: meeting, hours: evening, amount: { least: 200, most: 1_000, step: 200 }, remarks: 'Contribution' },
      { reference: 'REP', share: 10, with: 30, by: { prompt: 1 }, days: {}, hours: evening, amount: { least: 500, most: 5_000, step: 500 }, remarks: 'Repayment' },
      { reference: 'LOAN', share: 9, with: 30, by: { phone: 1 }, days: meeting, hours: evening, amount: { least: 2_000, most: 31_000, step: 1_000 }, remarks: 'Loan' },
      { reference: 'SHARE', share: 5, with: 'all', by: { phone: 1 }, days: { within: { month: 12, from: 10, to: 20 } }, hours: office, amount: { least: 5_000, most: 45_000, step: 1 }, remarks: 'Share of the year' },
      { reference: 'BILL', share: 2, with: 1, known: [{ name: 'Rent of the hall', shortCode: '400200' }], by: { paybill: 1 }, days: {}, hours: office, amount: { least: 1_500, most: 7_500, step: 1 }, remarks: '{party}' },
    ],
  },
]

/**
 * The scenario of invented pasts. Odds and delays are invented; few failures and rare reversals are what payments teams
 * report.
 */
export const ordinaryMonths = `
name: ordinary-months
description: Payments succeed in seconds or hours and cost a fee; a few fail, and a very few are taken back.
clock: { mode: frozen }
wallets: { KES: 0 }
rails: { fees: [{ name: the fee of a bank payout, on: bank-payout, amount: 45 }] }
rules:
  - { name: the network is busy, on: [send-money, till, paybill], chance: 0.012, then: { after: 1m..20m, end: FAILED } }
  - name: the network takes a payout back
    on: [send-money, till, paybill]
    chance: 0.003
    then: { after: 4s, end: SUCCESS, revise: { after: 20h..50h, end: FAILED } }
  - { name: the bank finds no such account, on: bank-payout, chance: 0.009, then: { after: 1h..20h, end: FAILED } }
  - name: the payer leaves the prompt unanswered
    on: stk
    chance: 0.07
    then: { after: 1m, end: FAILED, with: { responseCode: 1037, responseDescription: No response from user } }
  - name: the payer cancels
    on: stk
    chance: 0.04
    then: { after: 8s..40s, end: FAILED, with: { responseCode: 1032, responseDescription: Request cancelled by user } }
  - { name: the customer leaves the page, on: checkout, chance: 0.18, then: { after: 30m, end: EXPIRED } }
  - name: the customer pays by phone
    on: checkout
    chance: 0.5
    then: { pay: { after: 20s..4m, by: MPESA_STK }, after: 2s, end: SUCCEEDED }
  - name: the customer pays by card
    on: checkout
    then: { pay: { after: 20s..4m, by: CARD }, after: 2s, end: SUCCEEDED }
  - { name: phones are paid in seconds, on: [send-money, till, paybill], then: { after: 2s..40s, end: SUCCESS } }
  - { name: banks take their time, on: bank-payout, then: { after: 20m..6h, end: SUCCESS } }
  - { name: payers type their PIN, on: stk, then: { after: 7s..45s, end: SUCCESS } }
`

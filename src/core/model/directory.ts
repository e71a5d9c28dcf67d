/** Facts that the simulated networks and banks know about people, accounts, cards and businesses. */
import { formatInstant, type InstantUs } from './time.ts'

/** More than the largest payment, so nobody is short of money unless a scenario says so. */
export const PLENTY = 1_000_000_000_000

export interface Subscriber {
  phone: string
  known: boolean
  name: string
  network: string
  balance: number
  pin: string
}
export interface BankAccount {
  bankCode: string
  account: string
  known: boolean
  holder: string
}
export interface Business {
  number: string
  known: boolean
  name: string
}
export interface ListedCard {
  number: string
  outcome: CardOutcome
}
/** Invents unknown entries from the seed, so the same question always gets the same answer. */
export interface Directory {
  subscriber(phone: string): Subscriber
  nameOf(phone: string): string
  bankAccount(bankCode: string, account: string): BankAccount
  business(number: string): Business
  card(digits: string): CardOutcome
  readonly cards: readonly ListedCard[]
}

// Names for invented businesses.

export const businessNames: readonly string[] = [
  'MAJI SAFI WATER SUPPLIES',
  'UMOJA HARDWARE LTD',
  'BARAKA GENERAL STORES',
  'PWANI FRESH FOODS',
  'NURU ELECTRICALS',
  'SAVANNA BOOKS AND STATIONERY',
  'TUMAINI PHARMACY',
  'ZIWA FISH TRADERS',
  'MLIMA COFFEE GROWERS',
  'JENGA BUILDING MATERIALS',
  'HARAKA COURIERS',
  'USAFI LAUNDRY SERVICES',
]

// Payment cards. Only the brand and the last four digits are kept, so that no database holds a card number.

export const cardOutcomes = ['approved', 'declined', 'insufficient-funds', 'expired-card', 'challenge'] as const
export type CardOutcome = (typeof cardOutcomes)[number]

export interface WrittenCard {
  number: string
  expiry: string
  cvc: string
}

export type CardProblems = Partial<Record<keyof WrittenCard, string>>

export interface KeptCard {
  brand: string
  last4: string
}

interface Brand {
  name: string
  begins: RegExp
  lengths: readonly number[]
  cvc: number
}

const brands: readonly Brand[] = [
  { name: 'Visa', begins: /^4/, lengths: [13, 16, 19], cvc: 3 },
  { name: 'Mastercard', begins: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16], cvc: 3 },
  { name: 'American Express', begins: /^3[47]/, lengths: [15], cvc: 4 },
]

export function readCard(
  written: WrittenCard,
  nowUs: InstantUs,
): { card: KeptCard & { digits: string }; problems?: undefined } | { problems: CardProblems } {
  const digits = written.number.replace(/[\s-]/g, '')
  const brand = brands.find(({ begins }) => begins.test(digits))
  const problems: CardProblems = {}
  const number = numberProblem(digits, brand)
  const expiry = expiryProblem(written.expiry, nowUs)
  const cvc = cvcProblem(written.cvc.trim(), brand)
  if (number !== undefined) problems.number = number
  if (expiry !== undefined) problems.expiry = expiry
  if (cvc !== undefined) problems.cvc = cvc
  if (!brand || Object.keys(problems).length > 0) return { problems }
  return { card: { brand: brand.name, last4: digits.slice(-4), digits } }
}

function numberProblem(digits: string, brand: Brand | undefined): string | undefined {
  if (digits === '') return 'Enter the card number.'
  if (/\D/.test(digits)) return 'A card number has only digits.'
  if (!brand) return 'Use Visa, Mastercard or American Express.'
  if (!brand.lengths.includes(digits.length)) {
    const longest = Math.max(...brand.lengths)
    return `This number is too ${digits.length > longest ? 'long' : 'short'} for ${brand.name}.`
  }
  return passesLuhn(digits) ? undefined : 'This is no card number. Check its digits.'
}

/** Catches a mistyped digit before any bank is asked. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [i, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (i % 2 === 1 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

function expiryProblem(written: string, nowUs: InstantUs): string | undefined {
  if (written.trim() === '') return 'Enter the month and year.'
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|20\d{2})\s*$/.exec(written) ?? []
  if (month === '' || Number(month) < 1 || Number(month) > 12) return 'Write month/year, such as 08/30.'
  const until = `20${year.slice(-2)}-${month.padStart(2, '0')}`
  return until < formatInstant(nowUs).slice(0, 7) ? 'This card has expired.' : undefined
}

function cvcProblem(cvc: string, brand: Brand | undefined): string | undefined {
  if (cvc === '') return 'Enter the security code.'
  const length = brand?.cvc ?? 3
  return /^\d+$/.test(cvc) && cvc.length === length ? undefined : `The security code has ${length} digits.`
}

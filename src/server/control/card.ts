/**
 * Payment cards as they are typed. Only the brand and the last four digits are kept, so that no database holds a card
 * number.
 */
import type { KeptCard } from '../../core/model/directory.ts'
import { passesLuhn } from '../../core/model/mask.ts'
import { formatInstant, type InstantUs } from '../../core/model/time.ts'

export interface WrittenCard {
  number: string
  expiry: string
  cvc: string
}

export type CardProblems = Partial<Record<keyof WrittenCard, string>>

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

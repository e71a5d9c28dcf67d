import type { Currency } from '../model/money.ts'

/** Mobile numbers by the currency of their country: prefix and what follows it. Published in words; ranges assumed. */
const MOBILE: Record<Currency, { pattern: RegExp; form: string; prefix: string }> = {
  KES: { pattern: /^254[17]\d{8}$/, form: '254 and nine digits that start with 7 or 1', prefix: '254' },
  TZS: { pattern: /^255[67]\d{8}$/, form: '255 and nine digits that start with 6 or 7', prefix: '255' },
  UGX: { pattern: /^2567\d{8}$/, form: '256 and nine digits that start with 7', prefix: '256' },
}

/** The number in international form without plus, or undefined when it cannot be one of that country. */
export function mobileNumber(text: string, currency: Currency, lenient: boolean): string | undefined {
  const { pattern, prefix } = MOBILE[currency]
  if (pattern.test(text)) return text
  if (!lenient) return undefined
  const compact = text.replace(/[\s-]/g, '').replace(/^\+/, '').replace(/^0/, prefix)
  return pattern.test(compact) ? compact : undefined
}

/** The form that a number must have, in words. */
export function mobileForm(currency: Currency): string {
  return MOBILE[currency].form
}

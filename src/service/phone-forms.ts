/** Forms of mobile numbers. */
import type { Core } from '../engine/core.ts'
import { type Currency, mobileCurrency } from '../model/money.ts'
import { Refusal } from '../model/refusal.ts'

/** Mobile numbers by the currency of their country: prefix and what follows it. Published in words; ranges assumed. */
const MOBILE: Record<Currency, { pattern: RegExp; form: string; prefix: string }> = {
  KES: { pattern: /^254[17]\d{8}$/, form: '254 and nine digits that start with 7 or 1', prefix: '254' },
  TZS: { pattern: /^255[67]\d{8}$/, form: '255 and nine digits that start with 6 or 7', prefix: '255' },
  UGX: { pattern: /^2567\d{8}$/, form: '256 and nine digits that start with 7', prefix: '256' },
}

/** The number that a request's `phoneNumber` names, in international form; refused when it cannot be one of that country. */
export function phoneOf(core: Core, phoneNumber: string, currency: Currency): string {
  const found = mobileNumber(phoneNumber, currency, core.scenario.assumptions['phone-format'] === 'lenient')
  if (found !== undefined) return found
  const expected = `must be ${MOBILE[currency].form} for ${mobileCurrency(currency)}`
  throw new Refusal('REQ_INVALID_FIELD', `phoneNumber: ${expected}, got "${phoneNumber.slice(0, 40)}"`, {
    fields: [{ field: 'phoneNumber', message: `phoneNumber ${expected}` }],
  })
}

function mobileNumber(text: string, currency: Currency, lenient: boolean): string | undefined {
  const { pattern, prefix } = MOBILE[currency]
  if (pattern.test(text)) return text
  if (!lenient) return undefined
  const compact = text.replace(/[\s-]/g, '').replace(/^\+/, '').replace(/^0/, prefix)
  return pattern.test(compact) ? compact : undefined
}

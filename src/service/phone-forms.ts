/** Phone numbers of requests and records. */

import type { Core } from '../engine/core.ts'
import type { Country } from '../model/country.ts'
import type { Currency } from '../model/money.ts'
import { Refusal } from '../model/refusal.ts'
import { chosen } from './assumptions.ts'
import { countries } from './countries.ts'

/** The number that a request's `phoneNumber` names, in international form; refused when it cannot be one of that country. */
export function phoneOf(core: Core, phoneNumber: string, currency: Currency): string {
  const country = countries.ofCurrency(currency)
  const found = mobileNumber(phoneNumber, country, chosen(core)['phone-format'] === 'lenient')
  if (found !== undefined) return found
  const expected = `must be ${country.phone.form} for ${country.spelling}`
  throw new Refusal('REQ_INVALID_FIELD', `phoneNumber: ${expected}, got "${phoneNumber.slice(0, 40)}"`, {
    fields: [{ field: 'phoneNumber', message: `phoneNumber ${expected}` }],
  })
}

function mobileNumber(text: string, { phone: { pattern, prefix } }: Country, lenient: boolean): string | undefined {
  if (pattern.test(text)) return text
  if (!lenient) return undefined
  const compact = text.replace(/[\s-]/g, '').replace(/^\+/, '').replace(/^0/, prefix)
  return pattern.test(compact) ? compact : undefined
}

/** `254700000001` as STK answers and records show it: `0700000001`. Numbers of other countries stay as they are. */
export function localPhone(phoneNumber: string): string {
  const { prefix } = countries.home.phone
  return phoneNumber.startsWith(prefix) && phoneNumber.length === prefix.length + 9
    ? `0${phoneNumber.slice(prefix.length)}`
    : phoneNumber
}

/** Phone numbers in requests and records. */
import type { Core } from '../../core/core.ts'
import type { Country } from '../../core/model/country.ts'
import type { Currency } from '../../core/model/money.ts'
import type { Refuse } from '../../core/model/refusal.ts'
import { chosen, reason } from '../assumed/assumptions.ts'
import { countries } from '../countries/countries.ts'

export const phoneForm = reason(
  'fields',
  'REQ_INVALID_FIELD',
  'a phone number cannot be one of the country',
  'phone-format',
  { international: {}, lenient: {} },
)

export function phoneOf(
  { core, refuse }: { core: Core; refuse: Refuse<typeof phoneForm> },
  phoneNumber: string,
  currency: Currency,
): string {
  const country = countries.ofCurrency(currency)
  const found = mobileNumber(phoneNumber, country, chosen(core)['phone-format'] === 'lenient')
  if (found !== undefined) return found
  const expected = `must be ${country.phone.form} for ${country.spelling}`
  throw refuse(phoneForm, `phoneNumber: ${expected}, got "${phoneNumber.slice(0, 40)}"`, `phoneNumber ${expected}`)
}

function mobileNumber(text: string, country: Country, lenient: boolean): string | undefined {
  // The core gets it without what was only tolerated.
  if (country.phone.pattern.test(text)) return text
  if (!lenient || !phonePattern(country, lenient).test(text)) return undefined
  return text.replace(/[\s+-]/g, '').replace(/^0/, country.phone.prefix)
}

const GAP = '[\\s-]*'

/** Lenient: accepts a plus, the zero of home numbers, and groups of digits. */
export function phonePattern({ phone: { pattern, prefix } }: Country, lenient: boolean): RegExp {
  if (!lenient) return pattern
  const own = pattern.source.slice(1 + prefix.length, -1)
  const digits = own.replaceAll(
    /(\[\d+\]|\\d|\d)(?:\{(\d+)\}|(?![\d\]}]))/g,
    (_, digit, times = 1) => `(?:${digit}${GAP}){${times}}`,
  )
  return new RegExp(`^${GAP}\\+?${GAP}(?:${[...prefix].join(GAP)}|0)${GAP}${digits}$`)
}

/** `254700000001` becomes `0700000001`, as in STK answers. Foreign numbers stay. */
export function localPhone(phoneNumber: string): string {
  const { prefix } = countries.home.phone
  return phoneNumber.startsWith(prefix) && phoneNumber.length === prefix.length + 9
    ? `0${phoneNumber.slice(prefix.length)}`
    : phoneNumber
}

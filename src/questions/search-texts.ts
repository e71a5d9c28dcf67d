/** What somebody types into a search box, as it may stand in what they look for. */
import type { Countries } from '../model/country.ts'

/** Whatever people put between the digits of a phone number. */
const WRITTEN_NUMBER = /^\+?[\d\s().-]{3,}$/
/** An amount as people write it, which is stored without its currency, its commas and the zeros at its end. */
const WRITTEN_AMOUNT = /^(?:[a-z]{3}\s*)?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?$/i

/**
 * The text, and where it may be (the beginning of) a phone number or an amount its other spellings: `0712…`, `+254 712…`
 * and `254712…` find the same payments, and so do `KES 1,500.00` and `1500`.
 */
export function searchTexts(countries: Countries, typed: string): string[] {
  const text = typed.trim()
  const [, whole, decimals = ''] = WRITTEN_AMOUNT.exec(text) ?? []
  if (whole !== undefined && whole + decimals !== text.replace(/\D/g, ''))
    return [...new Set([text, String(Number(whole.replaceAll(',', '') + decimals))])]
  if (!WRITTEN_NUMBER.test(text)) return [text]
  const digits = text.replace(/\D/g, '')
  return [...new Set([text, digits, ...otherSpellings(countries, digits)].filter((one) => one !== ''))]
}

function otherSpellings({ phonePrefixes }: Countries, digits: string): string[] {
  if (digits.startsWith('0')) return digits.length < 3 ? [] : phonePrefixes.map((prefix) => prefix + digits.slice(1))
  const prefix = phonePrefixes.find((one) => digits.startsWith(one) && digits.length > one.length)
  return prefix === undefined ? [] : [`0${digits.slice(prefix.length)}`]
}

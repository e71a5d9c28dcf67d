/** What somebody types into a search box, as it may stand in what they look for. */
import type { Countries } from '../model/country.ts'

/** Whatever people put between the digits of a phone number. */
const WRITTEN_NUMBER = /^\+?[\d\s().-]{3,}$/

/**
 * The text, and where it may be (the beginning of) a phone number its other spellings: `0712…`, `+254 712…` and `254712…`
 * find the same payments.
 */
export function searchTexts(countries: Countries, typed: string): string[] {
  const text = typed.trim()
  if (!WRITTEN_NUMBER.test(text)) return [text]
  const digits = text.replace(/\D/g, '')
  return [...new Set([text, digits, ...otherSpellings(countries, digits)].filter((one) => one !== ''))]
}

function otherSpellings({ phonePrefixes }: Countries, digits: string): string[] {
  if (digits.startsWith('0')) return digits.length < 3 ? [] : phonePrefixes.map((prefix) => prefix + digits.slice(1))
  const prefix = phonePrefixes.find((one) => digits.startsWith(one) && digits.length > one.length)
  return prefix === undefined ? [] : [`0${digits.slice(prefix.length)}`]
}

/** Checks values that `with` sets in the record. Null always fits. */
import { didYouMean } from './did-you-mean.ts'
import type { Kind, RecordField } from './kind.ts'
import { quote } from './problems.ts'

/** As long as a text of a scenario may be. */
export const LONGEST_FIELD = 1000

export function unknownField({ fields, phrase }: Kind, name: string): string | undefined {
  if (Object.hasOwn(fields, name)) return undefined
  const known = Object.keys(fields)
  const possible = known.length > 0 ? `Possible: ${known.join(', ')}.` : 'It has none: remove with.'
  return `${quote(name)} is not a field that the end of ${phrase} sets. ${possible}${didYouMean(name, known)}`
}

export function fieldMismatch(type: RecordField, value: unknown): string | undefined {
  if (value === null) return undefined
  if (typeof value === 'string' && value.length > LONGEST_FIELD) return `at most ${LONGEST_FIELD} characters`
  if (type === 'text') return typeof value === 'string' ? undefined : 'a text (put it in quotes)'
  if (type === 'any') return typeof value === 'string' || typeof value === 'number' ? undefined : 'a text or a number'
  if (typeof value !== 'number') return type === 'integer' ? 'a whole number' : 'an amount'
  if (type === 'integer') return Number.isSafeInteger(value) ? undefined : 'a whole number'
  return value >= 0 ? undefined : 'an amount that is not negative'
}

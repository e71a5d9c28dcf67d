/** Checks values that `with` sets in the record. Null always fits. */
import type { RecordField } from '../../model/kind.ts'

export function fieldMismatch(type: RecordField, value: unknown): string | undefined {
  if (value === null || type === 'any') return undefined
  if (type === 'text') return typeof value === 'string' ? undefined : 'a text (put it in quotes)'
  if (typeof value !== 'number') return type === 'integer' ? 'a whole number' : 'an amount'
  if (type === 'integer') return Number.isSafeInteger(value) ? undefined : 'a whole number'
  return value >= 0 ? undefined : 'an amount that is not negative'
}

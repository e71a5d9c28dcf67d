/** Fields of the record that a rule sets: what each takes. */
import type { RecordField } from '../../model/kind.ts'

/** What is wrong with a value for a field that `with` sets; undefined when it fits. Null is always a value. */
export function fieldMismatch(type: RecordField, value: unknown): string | undefined {
  if (value === null || type === 'any') return undefined
  if (type === 'text') return typeof value === 'string' ? undefined : 'a text (put it in quotes)'
  if (typeof value !== 'number') return type === 'integer' ? 'a whole number' : 'an amount'
  if (type === 'integer') return Number.isSafeInteger(value) ? undefined : 'a whole number'
  return value >= 0 ? undefined : 'an amount that is not negative'
}

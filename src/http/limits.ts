/** Documented limits of fields: refused, or passed with a warning. */
import { Refusal } from '../model/refusal.ts'

/** A documented limit that a field breaks: where, what it must be and what came. */
export interface Broken {
  field: string
  /** The second half of a sentence: `must be at most 13 characters`. */
  expected: string
  got: string
}

/** The limit on a text's length, when the text breaks it. */
export function tooLong(field: string, text: string | undefined, max: number): Broken[] {
  if (text === undefined || text.length <= max) return []
  return [{ field, expected: `must be at most ${max} characters`, got: `${text.length} characters` }]
}

/** The form of a text, when the text has another. */
export function malformed(field: string, text: string | undefined, form: RegExp, expected: string): Broken[] {
  return text === undefined || form.test(text) ? [] : [{ field, expected, got: JSON.stringify(text.slice(0, 60)) }]
}

/** Refuses what breaks a limit, or lets it pass with a warning in the journal, as the assumption in force says. */
export function enforce(broken: Broken[], mode: 'refuse' | 'warn', warn: (warning: string) => void): void {
  if (mode === 'refuse') refuse(broken)
  else for (const { field, expected, got } of broken) warn(`${field}: ${expected} as documented, got ${got}`)
}

/** Refuses what breaks a limit, every field at once. */
export function refuse(broken: Broken[]): void {
  if (broken.length === 0) return
  throw new Refusal(
    'REQ_INVALID_FIELD',
    broken.map(({ field, expected, got }) => `${field}: ${expected}, got ${got}`).join('; '),
    {
      fields: broken.map(({ field, expected }) => ({ field, message: `${field} ${expected}` })),
    },
  )
}

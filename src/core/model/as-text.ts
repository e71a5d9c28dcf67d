/** Texts and numbers of values that somebody sent: JSON can hold what JavaScript makes no text of, `{"toString": 1}`. */

/** The text of a word or number; of anything else its JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** The number that a word or number stands for; NaN for anything else. */
export function numberOf(value: unknown): number {
  return typeof value === 'object' ? Number.NaN : Number(value)
}

/**
 * Turns values that somebody sent into texts and numbers. `String(value)` would throw on JSON such as `{"toString":
 * 1}`.
 */

export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

export function numberOf(value: unknown): number {
  return typeof value === 'object' ? Number.NaN : Number(value)
}

/** Writes numbers and texts of answers, by family of operations. */
import { toMajor } from './money.ts'

// ES2025 JSON.rawJSON and ES2026 source text access: in Node and workerd, not yet in TypeScript's library.
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): number
  isRawJSON(value: unknown): boolean
}

export const isRaw = isRawJSON

/** At least one decimal: `1000.0`. Typed as a number, because `JSON.stringify` prints it as one. */
export function float(amountMinor: number): number {
  const major = toMajor(amountMinor)
  return Number.isInteger(major) ? rawJSON(`${major}.0`) : major
}

export function whole(amountMinor: number): number {
  return toMajor(amountMinor)
}

/** Keeps numbers as written, so that `1000.0` is printed as `1000.0` again. */
export function parseWire(text: string): unknown {
  return parse(text, (_name, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source ? rawJSON(source) : value,
  )
}

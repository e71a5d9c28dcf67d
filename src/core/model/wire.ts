/** How numbers and texts come out on the wire, family by family. */
import { toMajor } from './money.ts'

// ES2025 JSON.rawJSON and ES2026 source text access: in Node and workerd, not yet in TypeScript's library.
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): number
  isRawJSON(value: unknown): boolean
}

/** Whether a value is one of these numbers, which stands for its text. */
export const isRaw = isRawJSON

/** An amount with at least one decimal: `1000.0`. Typed as a number; `JSON.stringify` prints it so. */
export function float(amountMinor: number): number {
  const major = toMajor(amountMinor)
  return Number.isInteger(major) ? rawJSON(`${major}.0`) : major
}

/** An amount whose whole values print as integers: `1000`, `1500.75`. */
export function whole(amountMinor: number): number {
  return toMajor(amountMinor)
}

/** Reads JSON whose numbers `JSON.stringify` prints again as they were written: `1000.0` stays `1000.0`. */
export function parseWire(text: string): unknown {
  return parse(text, (_name, value, { source = '' }) =>
    typeof value === 'number' && String(value) !== source ? rawJSON(source) : value,
  )
}

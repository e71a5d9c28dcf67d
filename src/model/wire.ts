/** How numbers and texts come out on the wire, family by family. */
import { decimalText, toMajor } from './money.ts'

// ES2025 JSON.rawJSON: in Node and workerd, not yet in TypeScript's library.
const { rawJSON, isRawJSON } = JSON as unknown as { rawJSON(text: string): number; isRawJSON(value: unknown): boolean }

/** Whether a value is one of these numbers, which stands for its text. */
export const isRaw = isRawJSON

/** An amount with at least one decimal: `1000.0`. Typed as a number; `JSON.stringify` prints its text as it is. */
export function float(amountMinor: number): number {
  return rawJSON(decimalText(amountMinor))
}

/** An amount whose whole values print as integers: `1000`, `1500.75`. */
export function whole(amountMinor: number): number {
  return toMajor(amountMinor)
}

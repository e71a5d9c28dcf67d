/** JSON whose numbers keep the form in which they are written: `1000.0` is not `1000`. */

/** A number and its text. */
export class ExactNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }

  get value(): number {
    return Number(this.source)
  }

  /** Printed with a decimal point, or without. */
  get form(): 'integer' | 'decimal' {
    return this.source.includes('.') ? 'decimal' : 'integer'
  }

  toString(): string {
    return this.source
  }
}

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown
// ES2026 source text access, and ES2025 JSON.rawJSON: in Node, not yet in TypeScript's library.
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}

/** Reads a text; `replace` may put another value in the place of each, from the inside out. Throws a `SyntaxError`. */
export function parseExact(text: string, replace = (_name: string, value: unknown): unknown => value): unknown {
  return parse(text, (name, value, { source }) =>
    replace(name, typeof value === 'number' ? new ExactNumber(source ?? String(value)) : value),
  )
}

/** The text of it. */
export function printExact(value: unknown): string {
  return JSON.stringify(value, (_name, one) => (one instanceof ExactNumber ? rawJSON(one.source) : one))
}

/** The value with its numbers as numbers. */
export function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(printExact(value))
}

/** JSON with exact numbers; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

/** JSON whose numbers keep their written form, because `1000.0` and `1000` differ on the wire. */

export class ExactNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }

  get value(): number {
    return Number(this.source)
  }

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

/** `replace` may substitute each value, innermost first. Throws a `SyntaxError`. */
export function parseExact(text: string, replace = (_name: string, value: unknown): unknown => value): unknown {
  return parse(text, (name, value, { source }) =>
    replace(name, typeof value === 'number' ? new ExactNumber(source ?? String(value)) : value),
  )
}

export function printExact(value: unknown): string {
  return JSON.stringify(value, (_name, one) => (one instanceof ExactNumber ? rawJSON(one.source) : one))
}

export function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(printExact(value))
}

export function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

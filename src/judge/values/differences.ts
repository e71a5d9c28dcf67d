/** Compares two JSON values: presence, types and forms exactly, values where they can be equal. */

/** `missing`: only the first has it. `extra`: only the second has it. */
export type DifferenceSort = 'missing' | 'extra' | 'type' | 'form' | 'value' | 'length'

export interface Difference {
  sort: DifferenceSort
  path: string
  first: unknown
  second: unknown
}

export function differencesOf(first: unknown, second: unknown, path = ''): Difference[] {
  const types = [typeOf(first), typeOf(second)]
  if (types[0] !== types[1]) return [{ sort: 'type', path, first, second }]
  if (first instanceof ExactNumber && second instanceof ExactNumber) return ofNumbers(first, second, path)
  if (isList(first) && isList(second)) return ofLists(first, second, path)
  if (isMapping(first) && isMapping(second)) return ofMappings(first, second, path)
  if (first === second) return []
  if (typeof first === 'string' && typeof second === 'string') {
    const forms = [formOf(first), formOf(second)]
    if (forms[0] !== forms[1]) return [{ sort: 'form', path, first, second }]
    if (forms[0] !== undefined || withoutIds(first) === withoutIds(second)) return []
  }
  return [{ sort: 'value', path, first, second }]
}

/** Only whole numbers show whether a service prints `1000.0` or `1000`. */
function ofNumbers(first: ExactNumber, second: ExactNumber, path: string): Difference[] {
  const whole = Number.isInteger(first.value) && Number.isInteger(second.value)
  if (whole && first.form !== second.form) return [{ sort: 'form', path, first, second }]
  // Beyond these, clients that count in binary numbers read another number than was written.
  if (Number.isSafeInteger(first.value) !== Number.isSafeInteger(second.value) && whole)
    return [{ sort: 'form', path, first, second }]
  return first.value === second.value ? [] : [{ sort: 'value', path, first, second }]
}

function ofLists(first: readonly unknown[], second: readonly unknown[], path: string): Difference[] {
  const shared = Math.min(first.length, second.length)
  const inside = first.slice(0, shared).flatMap((one, at) => differencesOf(one, second[at], `${path}[${at}]`))
  if (first.length === second.length) return inside
  return [...inside, { sort: 'length', path, first: first.length, second: second.length }]
}

function ofMappings(first: Mapping, second: Mapping, path: string): Difference[] {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const known = Object.keys(first).flatMap((name): Difference[] =>
    Object.hasOwn(second, name)
      ? differencesOf(first[name], second[name], at(name))
      : [{ sort: 'missing', path: at(name), first: first[name], second: undefined }],
  )
  const more = Object.keys(second).filter((name) => !Object.hasOwn(first, name))
  return [
    ...known,
    ...more.map((name) => ({ sort: 'extra' as const, path: at(name), first: undefined, second: second[name] })),
  ]
}

type Mapping = Readonly<Record<string, unknown>>

function typeOf(value: unknown): string {
  if (value instanceof ExactNumber) return 'number'
  return value === null ? 'null' : isList(value) ? 'array' : typeof value
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !isList(value)
}

// Describes the form of a text whose value differs in every world: ids, times, receipts, tokens.

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)([T ])\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/

/**
 * Such as `uuid`, `timestamp, T, fraction, Z` or `10 of A1`. Undefined for words, which are compared by value. Texts of
 * equal form may stand for each other.
 */
export function formOf(text: string): string | undefined {
  if (text.replace(UUID, '') === '' && text !== '') return 'uuid'
  const time = TIMESTAMP.exec(text)
  if (time)
    return [
      'timestamp',
      time[2] === 'T' ? 'T' : 'space',
      time[4] === undefined ? 'whole seconds' : 'fraction',
      time[5] ? zoneOf(time[5]) : 'no zone',
    ].join(', ')
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) return 'token'
  if (/^https?:\/\//.test(text)) return 'url'
  if (/^\d{14}$/.test(text)) return 'digits of a time'
  if (/^(?=.*\d)(?=.*[A-Za-z])[\w-]{8,}$/.test(text)) return opaque(text)
  return undefined
}

/** Undefined if the text is not a time or has no fraction, because some servers omit trailing zeros. */
export function fractionDigits(text: string): number | undefined {
  const fraction = TIMESTAMP.exec(text)?.[4]
  return fraction === undefined ? undefined : fraction.length - 1
}

function zoneOf(zone: string): string {
  return zone === 'Z' ? 'Z' : 'offset'
}

/** Receipts have a fixed length, so the length is part of the form. `AG_` is kept as a prefix. */
function opaque(text: string): string {
  const prefix = /^(?:[A-Za-z]+_)+/.exec(text)?.[0]
  if (prefix !== undefined) return `${prefix}…`
  const letters = /[a-z]/.test(text) ? (/[A-Z]/.test(text) ? 'aA1' : 'a1') : 'A1'
  return `${text.length} of ${letters}`
}

export function withoutIds(text: string): string {
  return text.replace(UUID, '<uuid>').replace(/\breq_\w+/g, '<request id>')
}

// JSON whose numbers keep their written form, because `1000.0` and `1000` differ on the wire.

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

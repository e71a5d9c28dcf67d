import { isRaw, parseWire } from '../../core/model/json.ts'

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
  if (types[0] === 'number') return ofNumbers(first, second, path)
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
function ofNumbers(first: unknown, second: unknown, path: string): Difference[] {
  const [one, other] = [numberIn(first), numberIn(second)]
  const areWhole = Number.isInteger(one) && Number.isInteger(other)
  const [hasPoint, otherHasPoint] = [first, second].map((number) => JSON.stringify(number).includes('.'))
  // Beyond these, clients that count in binary numbers read another number than was written.
  const isAlike = hasPoint === otherHasPoint && Number.isSafeInteger(one) === Number.isSafeInteger(other)
  if (areWhole && !isAlike) return [{ sort: 'form', path, first, second }]
  return one === other ? [] : [{ sort: 'value', path, first, second }]
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
  if (numberIn(value) !== undefined) return 'number'
  return value === null ? 'null' : isList(value) ? 'array' : typeof value
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !isList(value)
}

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

/** As `parseWire` read it: a number that would be printed otherwise than it was written is an object. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : isRaw(value) ? Number(JSON.stringify(value)) : undefined
}

export function parsed(text: string): unknown {
  try {
    return parseWire(text)
  } catch {
    return undefined
  }
}

const TOLD = 120

/** As text, as much as a report tells of it. */
export function printed(value: unknown, redacted = (text: string) => text): string {
  if (value === undefined) return '(nothing)'
  const text = redacted(JSON.stringify(value))
  return text.length > TOLD ? `${text.slice(0, TOLD)}…` : text
}

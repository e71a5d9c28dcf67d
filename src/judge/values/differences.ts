/** Compares two JSON values: presence, types and forms exactly, values where they can be equal. */

import { ExactNumber } from './exact-json.ts'
import { formOf, withoutIds } from './forms.ts'

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

import { isRecord } from '../../core/model/must.ts'

/** A field that one of them lacks is undefined there. */
export interface Difference {
  path: string
  first: unknown
  second: unknown
}

export function differencesOf(first: unknown, second: unknown, path = ''): Difference[] {
  if (Array.isArray(first) && Array.isArray(second)) return ofLists(first, second, path)
  if (isRecord(first) && isRecord(second)) return ofRecords(first, second, path)
  return areAlike(first, second) ? [] : [{ path, first, second }]
}

/** Texts of equal form may stand for each other. */
function areAlike(first: unknown, second: unknown): boolean {
  if (first === second) return true
  if (typeof first !== 'string' || typeof second !== 'string') return false
  const form = formOf(first)
  return form === formOf(second) && (form !== undefined || withoutIds(first) === withoutIds(second))
}

function ofLists(first: readonly unknown[], second: readonly unknown[], path: string): Difference[] {
  const shared = Math.min(first.length, second.length)
  const inside = first.slice(0, shared).flatMap((one, at) => differencesOf(one, second[at], `${path}[${at}]`))
  if (first.length === second.length) return inside
  return [...inside, { path, first: first.length, second: second.length }]
}

type Mapping = Readonly<Record<string, unknown>>

function ofRecords(first: Mapping, second: Mapping, path: string): Difference[] {
  return Object.keys({ ...first, ...second }).flatMap((name) =>
    differencesOf(first[name], second[name], path === '' ? name : `${path}.${name}`),
  )
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)([T ])\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/

/**
 * Such as `uuid`, `timestamp, T, fraction, Z` or `10 of A1`. Undefined for words, which are compared by value. Texts of
 * equal form may stand for each other.
 */
function formOf(text: string): string | undefined {
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

const TOLD = 120

/** As text, as much as a report tells of it. */
export function printed(value: unknown): string {
  if (value === undefined) return '(nothing)'
  const text = JSON.stringify(value)
  return text.length > TOLD ? `${text.slice(0, TOLD)}…` : text
}

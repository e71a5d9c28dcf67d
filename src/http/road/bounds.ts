/** Limits on lengths, checked before the entries: a million wrong entries must not cost a million messages. */
import * as z from 'zod'
import { MOST_ENTRIES } from '../limits.ts'

export interface TooMany {
  path: string
  count: number
}

export function findTooMany(schema: z.ZodType, value: unknown): TooMany | undefined {
  // Few values have so many entries, so most are never compared with their schema.
  return holdsTooMany(value) ? findWithin(schema, value, '') : undefined
}

function holdsTooMany(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const entries = Object.values(value)
  if (entries.length > MOST_ENTRIES) return true
  for (const entry of entries) if (typeof entry === 'object' && holdsTooMany(entry)) return true
  return false
}

function findWithin(schema: z.core.$ZodType, value: unknown, path: string): TooMany | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const here = bare(schema)
  if (here instanceof z.ZodUnion) return first(here.options, (option) => findWithin(option, value, path))
  const within = (key: string | number, inner: z.core.$ZodType, one: unknown) =>
    findWithin(inner, one, path === '' ? String(key) : `${path}.${key}`)
  if (here instanceof z.ZodArray && Array.isArray(value)) {
    if (value.length > MOST_ENTRIES) return { path, count: value.length }
    return first([...value.entries()], ([i, one]) => within(i, here.element, one))
  }
  if (here instanceof z.ZodRecord) {
    const entries = Object.entries(value)
    if (entries.length > MOST_ENTRIES) return { path, count: entries.length }
    return first(entries, ([key, one]) => within(key, here.valueType, one))
  }
  if (!(here instanceof z.ZodObject)) return undefined
  return first(Object.entries(here.shape), ([key, inner]) => within(key, inner, Reflect.get(value, key)))
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return bare(schema.in)
  const wraps = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return wraps ? bare(schema.unwrap()) : schema
}

function first<T>(all: readonly T[], look: (one: T) => TooMany | undefined): TooMany | undefined {
  for (const one of all) {
    const found = look(one)
    if (found) return found
  }
  return undefined
}

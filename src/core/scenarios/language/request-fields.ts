/** Derives the fields that conditions can use from the schema of a request, so that both agree. */
import type * as z from 'zod'
import type { Fields, FieldType } from '../../model/kind.ts'
import { must } from '../../model/must.ts'

export interface RequestFields {
  fields: Fields
  defaults: Readonly<Record<string, unknown>>
  words: Readonly<Record<string, readonly string[]>>
}

interface Definition {
  type: string
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  element?: z.core.$ZodType
  entries?: Record<string, string>
  defaultValue?: unknown
  shape?: Record<string, z.core.$ZodType>
}

/** `type` is undefined for a field with parts, which conditions cannot use. */
interface Field {
  type?: FieldType
  words?: readonly string[]
  fallback?: unknown
}

export function requestFields(schema: z.ZodType): RequestFields {
  const found = Object.entries(definitionOf(schema).shape ?? {}).map(([name, one]) => [name, readField(one)] as const)
  const pick = <Value>(of: (field: Field) => Value | undefined): Record<string, Value> =>
    Object.fromEntries(
      found.flatMap(([name, field]) => {
        const value = of(field)
        return value === undefined ? [] : [[name, value] as const]
      }),
    )
  return {
    fields: pick(({ type }) => type),
    words: pick(({ words }) => words),
    defaults: pick(({ fallback }) => fallback),
  }
}

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as unknown as Definition
}

function readField(schema: z.core.$ZodType): Field {
  const { type, innerType, in: before, out: after, element, entries, defaultValue } = definitionOf(schema)
  switch (type) {
    case 'optional':
    case 'nullable':
      return readField(must(innerType))
    case 'default':
      return { ...readField(must(innerType)), fallback: defaultValue }
    case 'pipe':
      // The validated schema is behind a preprocessing step, or before a transformation.
      return readField(must(definitionOf(must(before)).type === 'transform' ? after : before))
    case 'object':
      return {}
    case 'number':
      return { type: 'double' }
    case 'boolean':
      return { type: 'bool' }
    case 'array':
      return definitionOf(must(element)).type === 'object' ? {} : { type: 'list<string>' }
    case 'enum':
      return { type: 'string', words: Object.values(entries ?? {}) }
    default:
      return { type: 'string' }
  }
}

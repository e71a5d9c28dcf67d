/** Schemas of fields out of their wrappers, and what their constraints rest on. */
import * as z from 'zod'
import type { Grounded } from '../../core/model/basis.ts'
import type { ConstraintWord } from '../../http/json-schema.ts'

/** What a schema checks, and whether it may be left out. */
export function within(schema: z.ZodType, optional = false): { type: z.ZodType; optional: boolean } {
  const inner = wrapped(schema)
  if (!inner) return { type: schema, optional }
  return within(inner, optional || !(schema instanceof z.ZodPipe))
}

/** What a wrapper is around; undefined where a schema is none. */
function wrapped(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return schema.def.innerType as z.ZodType
  if (!(schema instanceof z.ZodPipe)) return undefined
  const { in: before, out } = schema.def
  return (before instanceof z.ZodTransform ? out : before) as z.ZodType
}

/** The id of the assumption that a constraint of a field rests on; it is said on the schema or on what it wraps. */
export function assumptionOf(schema: z.ZodType, word: ConstraintWord): string | undefined {
  for (let one: z.ZodType | undefined = schema; one; one = wrapped(one)) {
    const constraints = one.meta()?.['x-constraints'] as Partial<Record<ConstraintWord, Grounded>> | undefined
    if (constraints?.[word]) return constraints[word]['x-assumption']
  }
  return undefined
}

/** Schemas of fields out of their wrappers, and what their constraints rest on. */
import { z } from 'zod'
import type { ConstraintWord } from '../http/constraints.ts'
import type { Grounded } from '../model/basis.ts'

/** What a schema checks, and whether it may be left out. */
export function within(schema: z.ZodType, optional = false): { type: z.ZodType; optional: boolean } {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return within(schema.def.innerType as z.ZodType, true)
  if (!(schema instanceof z.ZodPipe)) return { type: schema, optional }
  const { in: before, out } = schema.def
  return within((before instanceof z.ZodTransform ? out : before) as z.ZodType, optional)
}

/** The id of the assumption that a constraint of a field rests on; it is said on the schema or on what it wraps. */
export function assumptionOf(schema: z.ZodType, word: ConstraintWord): string | undefined {
  for (const one of [schema, within(schema).type]) {
    const constraints = one.meta()?.['x-constraints'] as Partial<Record<ConstraintWord, Grounded>> | undefined
    if (constraints?.[word]) return constraints[word]['x-assumption']
  }
  return undefined
}

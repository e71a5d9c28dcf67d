/** Looks through wrappers of schemas at the inner schema and its basis. */
import * as z from 'zod'
import type { ConstraintWord } from '../../http/json-schema.ts'

export function within(schema: z.ZodType, optional = false): { type: z.ZodType; optional: boolean } {
  const inner = wrapped(schema)
  if (!inner) return { type: schema, optional }
  return within(inner, optional || !(schema instanceof z.ZodPipe))
}

function wrapped(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return asZodType(schema.def.innerType)
  if (!(schema instanceof z.ZodPipe)) return undefined
  const { in: before, out } = schema.def
  return asZodType(before instanceof z.ZodTransform ? out : before)
}

/** zod gives the parts of a schema in a type without methods, which its small edition has too. */
export function asZodType(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema
  throw new Error('A defect of mfano: a schema has a part of another edition of zod.')
}

export function assumptionOf(schema: z.ZodType, word: ConstraintWord): string | undefined {
  for (let one: z.ZodType | undefined = schema; one; one = wrapped(one)) {
    const constraints = one.meta()?.['x-constraints']
    const grounds = constraints?.[word]
    if (grounds) return grounds['x-assumption']
  }
  return undefined
}

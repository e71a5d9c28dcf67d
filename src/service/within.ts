/** Schemas of fields out of their wrappers, and what their constraints rest on. */
import { z } from 'zod'
import type { ConstraintWord } from '../http/constraints.ts'
import type { Grounded } from '../model/basis.ts'

/** A schema and all that it wraps, from outside in: the last one checks. */
function layersOf(schema: z.ZodType): z.ZodType[] {
  const layers = [schema]
  for (let one = schema; ; layers.push(one)) {
    if (one instanceof z.ZodOptional || one instanceof z.ZodDefault) one = one.def.innerType as z.ZodType
    else if (one instanceof z.ZodPipe) {
      const { in: before, out } = one.def
      one = (before instanceof z.ZodTransform ? out : before) as z.ZodType
    } else return layers
  }
}

/** What a schema checks, and whether it may be left out. */
export function within(schema: z.ZodType): { type: z.ZodType; optional: boolean } {
  const layers = layersOf(schema)
  const optional = layers.some((one) => one instanceof z.ZodOptional || one instanceof z.ZodDefault)
  return { type: layers.at(-1) as z.ZodType, optional }
}

/** The id of the assumption that a constraint of a field rests on; it is said on the schema or on what it wraps. */
export function assumptionOf(schema: z.ZodType, word: ConstraintWord): string | undefined {
  for (const one of layersOf(schema)) {
    const constraints = one.meta()?.['x-constraints'] as Partial<Record<ConstraintWord, Grounded>> | undefined
    if (constraints?.[word]) return constraints[word]['x-assumption']
  }
  return undefined
}

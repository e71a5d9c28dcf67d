/** Fields of requests that exist under some assumptions only. */
import * as z from 'zod'
import type { Chosen } from '../assumed/assumptions.ts'
import { remade } from './loosen.ts'

type MoreFields = (chosen: Chosen) => Readonly<Record<string, z.ZodType>>

export function growing<S extends z.ZodObject>(schema: S, moreFields: MoreFields): S {
  // Changed in place, because a copy would share its name, and a name may mean one schema only.
  z.globalRegistry.add(schema, { ...schema.meta(), moreFields })
  return schema
}

/** Cached, because the assumptions are the same for many requests. */
const made = new WeakMap<Chosen, Map<z.ZodType, z.ZodType>>()

export function grown<S extends z.ZodType>(schema: S, chosen: Chosen): S {
  let bySchema = made.get(chosen)
  if (!bySchema) {
    bySchema = new Map()
    made.set(chosen, bySchema)
  }
  let whole = bySchema.get(schema)
  if (!whole) {
    const more = (schema.meta()?.['moreFields'] as MoreFields | undefined)?.(chosen) ?? {}
    const isSame = Object.keys(more).length === 0 || !(schema instanceof z.ZodObject)
    whole = isSame ? schema : remade(schema, { shape: { ...schema.shape, ...more } })
    bySchema.set(schema, whole)
  }
  return whole as S
}

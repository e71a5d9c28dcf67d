/** Removes constraints that assumptions lift from schemas of requests. */

import * as z from 'zod'
import { keysIn } from '../../core/model/must.ts'
import type { ConstraintWord } from '../../http/json-schema.ts'
import type { AssumptionId, Chosen } from '../assumed/assumptions.ts'
import { assumptionOf, asZodType } from './within.ts'

const lifts = {
  'blank-text': 'accept',
  'required-fields': 'few',
  'published-company-id': 'optional',
} as const satisfies { [Id in AssumptionId]?: Chosen[Id] }

const lifting = keysIn(lifts)

function liftedBy(chosen: Chosen): string {
  return lifting.filter((id) => chosen[id] === lifts[id]).join()
}

/** Cached by schema and lifted constraints, because every request needs one. */
const made = new WeakMap<z.ZodType, Map<string, z.ZodType>>()

export function loosened<S extends z.ZodType>(schema: S, chosen: Chosen): S {
  const lifted = liftedBy(chosen)
  let known = made.get(schema)
  if (!known) {
    known = new Map()
    made.set(schema, known)
  }
  let under = known.get(lifted)
  if (!under) {
    const ids = new Set(lifted.split(','))
    under = without(schema, (assumption) => assumption !== undefined && ids.has(assumption))
    known.set(lifted, under)
  }
  return under as S
}

type Lifted = (assumption: string | undefined) => boolean

function without(schema: z.ZodType, lifted: Lifted, named = schema): z.ZodType {
  const inner = (one: z.core.$ZodType) => without(asZodType(one), lifted, named)
  const gone = (word: ConstraintWord) => lifted(assumptionOf(named, word))
  if (schema instanceof z.ZodObject) {
    const fields: [string, z.ZodType][] = Object.entries(schema.shape)
    return remade(schema, { shape: Object.fromEntries(fields.map(([name, one]) => [name, field(one, lifted)])) })
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return remade(schema, { innerType: inner(schema.def.innerType) })
  if (schema instanceof z.ZodPipe) return remade(schema, { in: inner(schema.def.in), out: inner(schema.def.out) })
  if (schema instanceof z.ZodArray) {
    const element = without(asZodType(schema.element), lifted)
    return remade(schema, { element, checks: kept(schema, arrayWords, gone) })
  }
  return schema instanceof z.ZodString ? remade(schema, { checks: kept(schema, textWords, gone) }) : schema
}

function field(schema: z.ZodType, lifted: Lifted): z.ZodType {
  const required = assumptionOf(schema, 'required')
  const loose = without(schema, lifted)
  if (required === undefined) return loose
  if (!lifted(required)) return loose instanceof z.ZodOptional ? asZodType(loose.unwrap()) : loose
  return loose instanceof z.ZodOptional ? loose : loose.optional()
}

const textWords: Record<string, ConstraintWord> = { min_length: 'minLength', string_format: 'pattern' }
const arrayWords: Record<string, ConstraintWord> = { min_length: 'minItems' }

function kept({ def }: z.ZodType, words: Record<string, ConstraintWord>, gone: (word: ConstraintWord) => boolean) {
  return (def.checks ?? []).filter(({ _zod }) => {
    const word = words[_zod.def.check]
    return word === undefined || !gone(word)
  })
}

/** Keeps the registered meaning. Returns the original when nothing changes, so that caches still find it. */
export function remade(schema: z.ZodType, change: object, meaning = schema): z.ZodType {
  const before: Record<string, unknown> = { ...schema.def }
  if (meaning === schema && Object.entries(change).every(([part, now]) => same(before[part], now))) return schema
  const copy = z.clone(schema, { ...schema.def, ...change } as never)
  const meta = z.globalRegistry.get(meaning)
  if (meta) z.globalRegistry.add(copy, meta)
  return copy
}

function same(before: unknown, now: unknown): boolean {
  if (typeof now !== 'object' || now === null || now instanceof z.ZodType) return before === now
  const [had, has] = [Object.entries(before ?? {}), Object.entries(now)]
  const earlier = new Map(had)
  return had.length === has.length && has.every(([name, one]) => earlier.get(name) === one)
}

/** Derives the fields that conditions can use from the schema of a request, so that both agree. */
import * as z from 'zod'
import type { FieldType } from '../../model/kind.ts'

/** `type` is undefined for a field with parts, which conditions cannot use. */
interface Field {
  type?: FieldType
  words?: readonly string[]
  fallback?: unknown
}

export type RequestFields = ReturnType<typeof requestFields>

export function requestFields(schema: z.ZodType) {
  const fields: Record<string, FieldType> = {}
  const words: Record<string, readonly string[]> = {}
  const defaults: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(schema instanceof z.ZodObject ? schema.shape : {})) {
    const field = readField(one)
    if (field.type) fields[name] = field.type
    if (field.words) words[name] = field.words
    if (field.fallback !== undefined) defaults[name] = field.fallback
  }
  return { fields, words, defaults }
}

function readField(schema: unknown): Field {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return readField(schema.unwrap())
  if (schema instanceof z.ZodDefault) return { ...readField(schema.unwrap()), fallback: schema.def.defaultValue }
  // The validated schema is behind a preprocessing step, or before a transformation.
  if (schema instanceof z.ZodPipe) return readField(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  if (schema instanceof z.ZodObject) return {}
  if (schema instanceof z.ZodNumber) return { type: 'double' }
  if (schema instanceof z.ZodBoolean) return { type: 'bool' }
  if (schema instanceof z.ZodArray) return schema.element instanceof z.ZodObject ? {} : { type: 'list<string>' }
  return schema instanceof z.ZodEnum ? { type: 'string', words: schema.options.map(String) } : { type: 'string' }
}

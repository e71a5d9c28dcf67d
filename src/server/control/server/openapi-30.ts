/** Converts a contract in OpenAPI 3.1 to 3.0, for tools that read no other. */
import { isRecord } from '../../../core/model/must.ts'

export const openApiForms = ['3.1', '3.0'] as const
export type OpenApiForm = (typeof openApiForms)[number]

type Json = Record<string, unknown>

/** A contract as `?as=` asks for it. */
export function inForm(document: object, form: OpenApiForm): object {
  return form === '3.0' ? asOpenApi30(document) : document
}

function asOpenApi30(document: object): object {
  const { info, webhooks, ...rest } = eachOf(document, converted)
  const { summary: _, license, ...told } = eachOf(info, asIs)
  const { identifier: __, ...named } = eachOf(license, asIs)
  return {
    ...rest,
    openapi: '3.0.3',
    info: { ...told, license: named },
    // 3.0 has no place for them; Redoc reads them under this name.
    ...(webhooks !== undefined && { 'x-webhooks': webhooks }),
  }
}

/** Examples and extensions stay as they are. */
function converted(value: unknown, at = ''): unknown {
  if (at === 'example' || at.startsWith('x-')) return value
  if (at === 'schema') return schema30(value)
  if (at === 'schemas') return eachOf(value, schema30)
  if (Array.isArray(value)) return value.map((one) => converted(one))
  return isRecord(value) ? eachOf(value, converted) : value
}

/** `true` and `false` stand for any value and for none. */
function schema30(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const { $ref, const: only, examples, exclusiveMinimum, exclusiveMaximum, propertyNames: _, ...own } = schema
  const inner = withOneType({
    ...own,
    ...(only !== undefined && { enum: [only] }),
    ...(Array.isArray(examples) && examples.length > 0 && { example: examples[0] }),
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(exclusiveMaximum !== undefined && { maximum: exclusiveMaximum, exclusiveMaximum: true }),
    ...('properties' in own && { properties: eachOf(own['properties'], schema30) }),
    ...('items' in own && { items: schema30(own['items']) }),
    ...('additionalProperties' in own && { additionalProperties: schema30(own['additionalProperties']) }),
  })
  for (const word of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(own[word])) return withChoices(inner, word, own[word])
  if ($ref === undefined) return inner
  // In 3.0 nothing beside a $ref counts.
  return Object.keys(inner).length === 0 ? { $ref } : { allOf: [{ $ref }], ...inner }
}

/** 3.0 knows one type for a schema, and null as a word beside it. */
function withOneType({ type, ...schema }: Json): Json {
  if (type === 'null') return { type: 'string', ...schema, nullable: true, enum: [null] }
  if (!Array.isArray(type)) return type === undefined ? schema : { type, ...schema }
  const types = type.filter((one) => one !== 'null')
  const nullable = types.length < type.length && { nullable: true }
  if (types.length === 1) return { type: types[0], ...schema, ...nullable }
  return { ...schema, anyOf: types.map((one) => ({ type: one, ...nullable })) }
}

/** Null is no choice in 3.0: it becomes a word beside the others. */
function withChoices(schema: Json, word: string, all: readonly unknown[]): Json {
  const choices = all
    .filter((one) => !isRecord(one) || one['type'] !== 'null')
    .map((one) => typedAs(schema, schema30(one)))
  const { [word]: _, ...rest } = schema
  if (choices.length === all.length) return { ...rest, [word]: choices }
  const [first] = choices
  if (choices.length > 1) return { ...rest, nullable: true, [word]: choices }
  return isRecord(first) && !('$ref' in first)
    ? { ...first, ...rest, nullable: true }
    : { ...rest, nullable: true, allOf: choices }
}

/** Generators of 3.0 read each choice by itself, so each says its type; those of objects only add to what is required. */
function typedAs({ type }: Json, choice: unknown): unknown {
  const isPlain = type !== undefined && type !== 'object'
  return isPlain && isRecord(choice) && !('$ref' in choice) ? { type, ...choice } : choice
}

function eachOf(record: unknown, convert: (value: unknown, name: string) => unknown): Json {
  return isRecord(record)
    ? Object.fromEntries(Object.entries(record).map(([name, one]) => [name, convert(one, name)]))
    : {}
}

function asIs(value: unknown): unknown {
  return value
}

import { isRecord } from '../../core/model/must.ts'

export const openApiForms = ['3.1', '3.0'] as const
export type OpenApiForm = (typeof openApiForms)[number]

type Json = Record<string, unknown>

export function inForm(document: object, form: OpenApiForm): object {
  if (form === '3.1') return document
  const { info, webhooks, ...rest } = eachOf(document, converted)
  const { summary: _, license, ...told } = eachOf(info, converted)
  const { identifier: __, ...named } = eachOf(license, converted)
  return {
    ...rest,
    openapi: '3.0.3',
    info: { ...told, license: named },
    // 3.0 has no place for them; Redoc reads them under this name.
    ...(webhooks !== undefined && { 'x-webhooks': webhooks }),
  }
}

/** Examples and extensions stay as they are. A field may have the name of any word. */
function converted(value: unknown, at = ''): unknown {
  if (at === 'example' || at.startsWith('x-')) return value
  if (Array.isArray(value)) return value.map((one) => converted(one))
  if (!isRecord(value)) return value
  return at === 'properties' ? eachOf(value, (one) => converted(one)) : schema30(eachOf(value, converted))
}

/** Changes nothing in objects without these words, which are no schemas. */
function schema30({ $ref, const: only, examples, exclusiveMinimum, exclusiveMaximum, propertyNames: _, ...own }: Json) {
  const inner = withChoices(
    withOneType({
      ...own,
      ...(only !== undefined && { enum: [only] }),
      ...(Array.isArray(examples) && examples.length > 0 ? { example: examples[0] } : examples ? { examples } : {}),
      ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
      ...(exclusiveMaximum !== undefined && { maximum: exclusiveMaximum, exclusiveMaximum: true }),
    }),
  )
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
function withChoices(schema: Json): Json {
  const word = ['anyOf', 'oneOf', 'allOf'].find((one) => Array.isArray(schema[one]))
  if (word === undefined) return schema
  const { [word]: all, ...rest } = schema
  const choices = [all].flat().filter((one) => !(isRecord(one) && String(one['enum']) === '' && one['nullable']))
  const typed = choices.map((one) => typedAs(schema, one))
  if (typed.length === [all].flat().length) return { ...rest, [word]: typed }
  const [first] = typed
  if (typed.length > 1) return { ...rest, nullable: true, [word]: typed }
  return isRecord(first) && !('$ref' in first)
    ? { ...first, ...rest, nullable: true }
    : { ...rest, nullable: true, allOf: typed }
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

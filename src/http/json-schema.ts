/** JSON Schema printed from zod schemas. */
import * as z from 'zod'
import type { Basis, Grounded } from '../core/model/basis.ts'

/** As much of JSON Schema (draft 2020-12) as our contract uses. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  'x-basis'?: Basis
  /** What each of its constraints rests on, by its word. */
  'x-constraints'?: Record<string, Grounded>
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  /** Used where a field is left out. Not `default`: generators of clients take fields that have one for required. */
  'x-default'?: unknown
  /** What an answer holds there where no rule of a scenario says otherwise; a text that ends in … is how it begins. */
  'x-usual'?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  [more: string]: unknown
}

const COMPONENTS = '#/components/schemas/'

/**
 * Prints the zod schemas that validate as JSON Schema. Those with an id are collected once, under that id, and referred
 * to. A name can mean one thing only: an id whose request form and answer form differ is a mistake of ours.
 */
export class SchemaPrinter {
  readonly #named = new Map<string, JsonSchema>()

  /** `adapted`: what becomes of the schema and of all that it refers to. */
  print(
    schema: z.ZodType,
    io: 'input' | 'output',
    adapted: (printed: JsonSchema) => JsonSchema = (printed) => printed,
  ): JsonSchema {
    const printed = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: withoutNoise })
    const {
      $schema: _,
      $defs = {},
      ...rest
    } = JSON.parse(JSON.stringify(printed).replaceAll('"#/$defs/', `"${COMPONENTS}`))
    for (const [id, definition] of Object.entries($defs as Record<string, JsonSchema>))
      this.#keep(id, adapted(withoutIdleGrounds(definition)))
    return adapted(withoutIdleGrounds(rest))
  }

  /** The collected schemas, in alphabetical order. */
  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  #keep(id: string, definition: JsonSchema): void {
    const known = this.#named.get(id)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`Two schemas of the contract that differ have the same id "${id}"`)
    }
    this.#named.set(id, definition)
  }
}

/** zod bounds every integer by what JavaScript can count; that is about JavaScript, not about the service. */
function withoutNoise({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** A field may have the ground of a constraint that it does not have here: of its default in an answer, for one. */
function withoutIdleGrounds<Schema extends JsonSchema>(schema: Schema, required = false): Schema {
  const { properties, items, anyOf, oneOf, 'x-constraints': grounds, default: given, ...others } = schema
  const rest = { ...others, ...(given !== undefined && { 'x-default': given }) }
  const busy = Object.entries(grounds ?? {}).filter(([word]) => (word === 'required' ? required : word in rest))
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [
    name,
    withoutIdleGrounds(field, schema.required?.includes(name) ?? false),
  ])
  return {
    ...rest,
    ...(busy.length > 0 && { 'x-constraints': Object.fromEntries(busy) }),
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: withoutIdleGrounds(items) }),
    ...(anyOf && { anyOf: anyOf.map((one) => withoutIdleGrounds(one)) }),
    ...(oneOf && { oneOf: oneOf.map((one) => withoutIdleGrounds(one)) }),
  } as Schema
}

export function schemaRef(id: string): JsonSchema {
  return { $ref: COMPONENTS + id }
}

/** What a schema stands for: itself, or what it refers to, with its own words on top. */
export function resolved(schema: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  const { $ref, ...own } = schema
  if ($ref === undefined) return schema
  return { ...(components[$ref.slice(COMPONENTS.length)] as JsonSchema), ...own }
}

/** Words of JSON Schema that narrow a field down, besides its type. */
export const constraintWords = [
  'required',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'enum',
  'const',
  'x-default',
  'x-usual',
  'x-differs-from',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'uniqueItems',
] as const

export type ConstraintWord = (typeof constraintWords)[number]

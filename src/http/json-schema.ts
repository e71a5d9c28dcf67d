import * as z from 'zod'

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  'x-basis'?: Basis
  'x-measured'?: string
  'x-constraints'?: Record<string, Grounded>
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  /** Not `default`, because generators of clients treat fields with a default as required. */
  'x-default'?: unknown
  /** The answer's value unless a rule changes it. A text that ends in … is its beginning. */
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

declare module 'zod' {
  interface GlobalMeta {
    'x-basis'?: Basis
    'x-constraints'?: Record<string, Grounded>
  }
}

interface Part {
  zodSchema: unknown
  jsonSchema: JsonSchema
  path: readonly (string | number)[]
}

export interface Printing {
  add?(part: Part): void
  adapt?(printed: JsonSchema): JsonSchema
}

const COMPONENTS = '#/components/schemas/'

/**
 * Schemas with an id are collected and referred to. One id must mean one thing, so request and answer forms must not
 * differ.
 */
export class SchemaPrinter {
  readonly #named = new Map<string, JsonSchema>()

  print(schema: z.ZodType, io: 'input' | 'output', { add, adapt = (printed) => printed }: Printing = {}): JsonSchema {
    const printed = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: (part) => {
        withoutNoise(part)
        add?.(part as Part)
      },
    })
    const {
      $schema: _,
      $defs = {},
      ...rest
    }: JsonSchema & { $defs?: Record<string, JsonSchema> } = JSON.parse(
      JSON.stringify(printed).replaceAll('"#/$defs/', `"${COMPONENTS}`),
    )
    for (const [id, definition] of Object.entries($defs)) this.#keep(id, adapt(withoutIdleGrounds(definition)))
    return adapt(withoutIdleGrounds(rest))
  }

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

/** Zod limits integers to what JavaScript can count exactly, which says nothing about the service. */
function withoutNoise({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** A field can have the basis of a constraint that this form of it lacks, such as a default in an answer. */
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

export function resolved(schema: JsonSchema, components: Record<string, JsonSchema>): JsonSchema {
  const { $ref, ...own } = schema
  if ($ref === undefined) return schema
  return { ...components[$ref.slice(COMPONENTS.length)], ...own }
}

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

// The basis of a fact about the service; see the README's fidelity table.

export type Basis = 'specified' | 'published' | 'measured' | 'assumed'

export interface Grounded {
  'x-basis': Basis | 'own'
  'x-assumption'?: string
  'x-convention'?: string
}

const CONVENTION = 'convention: '

/**
 * Its ground: a source, an assumption, `convention: …`, a setting of the `scenario`; or `own`: part of mfano or HTTP,
 * and no statement about the service.
 */
export function grounded(ground: string): Grounded {
  if (ground === 'specified' || ground === 'published' || ground === 'own') return { 'x-basis': ground }
  if (ground === 'scenario') return { 'x-basis': 'assumed' }
  return ground.startsWith(CONVENTION)
    ? { 'x-basis': 'assumed', 'x-convention': ground.slice(CONVENTION.length) }
    : { 'x-basis': 'assumed', 'x-assumption': ground }
}

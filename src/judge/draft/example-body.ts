/** Builds a request body from a schema. */

/** The keywords that are read here. */
export interface BodySchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[]
  properties?: Record<string, BodySchema>
  required?: string[]
  items?: BodySchema
  allOf?: BodySchema[]
  anyOf?: BodySchema[]
  oneOf?: BodySchema[]
  format?: string
}

/** A limit, because a schema may refer to itself. */
const DEEPEST = 6

/**
 * Prefers values that the schema gives. Other texts contain placeholders, so that they differ in each use of the act.
 */
export function exampleBody(schema: BodySchema, resolve: (ref: string) => BodySchema | undefined): unknown {
  return exampleOf('', schema, resolve, 0)
}

function exampleOf(
  name: string,
  given: BodySchema,
  resolve: (ref: string) => BodySchema | undefined,
  depth: number,
): unknown {
  const schema = given.$ref === undefined ? given : (resolve(given.$ref) ?? {})
  const said = schema.const ?? schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0]
  if (said !== undefined) return said
  if (depth > DEEPEST) return null
  const inner = (key: string, one: BodySchema) => exampleOf(key, one, resolve, depth + 1)
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return inner(name, first)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => inner(name, one)))
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  if (type === 'array') return schema.items ? [inner(name, schema.items)] : []
  if (schema.properties) {
    const asked = Object.entries(schema.properties).filter(([key]) => schema.required?.includes(key) ?? true)
    return Object.fromEntries(asked.map(([key, one]) => [key, inner(key, one)]))
  }
  if (type === 'integer' || type === 'number') return /amount|price|total|salary|value/i.test(name) ? 1000 : 1
  if (type === 'boolean') return true
  if (type === 'object') return {}
  return textFor(name, schema.format)
}

function textFor(name: string, format = ''): string {
  if (/phone|msisdn|mobile/i.test(name)) return '25471200000{n}'
  if (/date|time|now/i.test(format + name)) return '{now}'
  if (/mail/i.test(format + name)) return 'person{n}@example.com'
  if (/currency/i.test(name)) return 'KES'
  if (/url|uri/i.test(format)) return 'http://127.0.0.1:{port}/'
  return `${name || 'text'}-{n}`
}

/** Every key of a scenario file, from the schema that checks it. */
import { scenarioJsonSchema } from '../../../src/core/scenarios/keys/scenario-schema.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { code, meaningOf } from './entry.ts'

interface Schema {
  type?: string
  description?: string
  default?: unknown
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  $ref?: string
}

interface Key {
  path: string
  schema: Schema
  isRequired: boolean
}

/** Their keys are the assumptions, which have a page of their own. */
const CLOSED = ['assumptions', 'measured']
const CHOICES_MAX = 12

export function scenarioKeys(): string {
  const root = scenarioJsonSchema(paymentsService) as Schema
  const alike = Map.groupBy(keysOf('', root), ({ path, schema }) => JSON.stringify([path.split('.').at(-1), schema]))
  const byTop = Map.groupBy(alike.values(), ([first]) => (first?.path ?? '').split(/[.[]/, 1).join())
  return Array.from(byTop, ([top, entries]) =>
    [`## ${top}`, ...entries.map((those) => entryOf(those, top))].join('\n\n'),
  ).join('\n\n')
}

function keysOf(path: string, schema: Schema): Key[] {
  const found = new Map<string, Key>()
  for (const one of alternatives(schema)) {
    for (const [name, inner] of Object.entries(one.properties ?? {})) {
      const place = path === '' ? name : `${path}.${name}`
      const key = { path: place, schema: inner, isRequired: one.required?.includes(name) ?? false }
      for (const each of [key, ...(CLOSED.includes(place) ? [] : keysOf(place, inner))])
        if (!found.has(each.path)) found.set(each.path, each)
    }
    if (one.items)
      for (const each of keysOf(`${path}[]`, one.items)) if (!found.has(each.path)) found.set(each.path, each)
  }
  return [...found.values()]
}

function alternatives(schema: Schema): Schema[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(alternatives)]
}

function entryOf(those: readonly Key[], top: string): string {
  const [{ path, schema, isRequired } = { path: '', schema: {}, isRequired: false }, ...others] = those
  const { sentences, byDefault } = meaningOf(schema.description ?? '')
  const lines = [
    `- Type: ${typeOf(schema)}${isRequired ? ', required' : ''}`,
    ...(byDefault === undefined ? [] : [`- Default: ${byDefault}`]),
    ...(schema.examples ?? []).map((example) => `- Example: ${code(example)}`),
    ...(others.length > 0 ? [`- Also: ${others.map((one) => code(one.path)).join(', ')}`] : []),
  ]
  return [
    ...(path === top ? [] : [`### ${path}`]),
    ...(sentences.length > 0 ? [sentences.join(' ')] : []),
    lines.join('\n'),
  ].join('\n\n')
}

function typeOf(schema: Schema): string {
  const names = new Set(
    alternatives(schema)
      .filter(({ $ref }) => $ref === undefined)
      .flatMap(ownType),
  )
  return [...names].join(', or ')
}

function ownType({ type, enum: choices, const: only, anyOf, items, minimum, maximum }: Schema): string[] {
  if (only !== undefined) return [code(only)]
  if (choices) return [choices.length > CHOICES_MAX ? 'one of the names below' : choices.map(code).join(', ')]
  if (anyOf && type === undefined) return []
  if (type === 'array') return [items ? 'list' : 'list']
  if (type === 'object') return ['mapping']
  if (type === 'string') return ['text']
  if (type === 'boolean') return ['`true` or `false`']
  if (type === 'integer' || type === 'number')
    return [`${type === 'integer' ? 'whole number' : 'number'}${range(minimum, maximum)}`]
  return []
}

function range(least = 0, most = Number.MAX_SAFE_INTEGER): string {
  return most >= Number.MAX_SAFE_INTEGER ? ` from ${least}` : ` from ${least} to ${most}`
}

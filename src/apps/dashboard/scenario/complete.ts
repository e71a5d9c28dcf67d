import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'

export interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
}

type Step = string | typeof ITEM
const ITEM = Symbol('item')

export function completionsAt(schema: Schema, context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos)
  const before = line.text.slice(0, context.pos - line.from)
  const typed = /[\w-]*$/.exec(before)?.[0] ?? ''
  if (typed === '' && !context.explicit && !/[:,[{]\s*$/.test(before)) return null
  const above = context.state.doc.sliceString(0, line.from)
  const value = /^(.*?)([\w-]+):\s+\[?(?:[^\]]*,\s*)?[\w-]*$/.exec(before)
  const options = value
    ? valuesOf(schemasAt(schema, schema, [...pathTo(above, before), value[2] ?? '']), schema)
    : keysOf(schemasAt(schema, schema, pathTo(above, before)), schema)
  return options.length === 0 ? null : { from: context.pos - typed.length, options, validFor: /^[\w-]*$/ }
}

/**
 * Keys and items that lead to the line, by the indentation above it: the text is not valid YAML while somebody types.
 */
export function pathTo(above: string, line: string): Step[] {
  const path: Step[] = []
  let indent = indentOf(line)
  if (/^\s*- /.test(line)) path.unshift(ITEM)
  for (const text of above.split('\n').toReversed()) {
    if (text.trim() === '' || text.trimStart().startsWith('#')) continue
    const own = indentOf(text)
    const [, dash = '', key] = /^\s*((?:- +)*)([\w-]+):\s*(?:#.*)?$/.exec(text) ?? []
    const [, inline] = /^\s*(- +)[\w-]+:\s+\S/.exec(text) ?? []
    if (inline !== undefined && own + inline.length === indent) {
      path.unshift(ITEM)
      indent = own
    } else if (key !== undefined && own + dash.length < indent + (path[0] === ITEM && dash === '' ? 1 : 0)) {
      path.unshift(key)
      if (dash !== '') path.unshift(ITEM)
      indent = own
    }
    if (indent === 0 && path[0] !== ITEM) break
  }
  return path
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function schemasAt(schema: Schema, root: Schema, path: readonly Step[]): Schema[] {
  let here = alternatives(schema, root)
  for (const step of path) {
    here = here
      .flatMap((one) => {
        if (step === ITEM) return one.items ?? []
        return one.properties?.[step] ?? (typeof one.additionalProperties === 'object' ? one.additionalProperties : [])
      })
      .flatMap((one) => alternatives(one, root))
  }
  return here
}

function alternatives(schema: Schema, root: Schema, depth = 0): Schema[] {
  if (depth > 8) return []
  const referred = schema.$ref?.startsWith('#/$defs/') ? root.$defs?.[schema.$ref.slice('#/$defs/'.length)] : undefined
  const inner = [referred, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [schema, ...inner.flatMap((one) => (one ? alternatives(one, root, depth + 1) : []))]
}

function keysOf(schemas: readonly Schema[], root: Schema): Completion[] {
  const keys = new Map<string, Completion>()
  for (const schema of schemas)
    for (const [key, about] of Object.entries(schema.properties ?? {})) {
      const info = alternatives(about, root).find(({ description }) => description !== undefined)?.description
      if (!keys.has(key)) keys.set(key, { label: key, type: 'property', apply: `${key}: `, ...(info && { info }) })
    }
  return [...keys.values()]
}

function valuesOf(schemas: readonly Schema[], root: Schema): Completion[] {
  const all = schemas
    .flatMap((schema) => alternatives(schema, root))
    .flatMap((one) => [one, ...(one.items ? alternatives(one.items, root) : [])])
  const values = all.flatMap(({ enum: choices, const: only, examples }) => [
    ...(choices ?? []),
    ...(only === undefined ? [] : [only]),
    ...(examples ?? []),
  ])
  const texts = new Set(values.filter((value) => ['string', 'number', 'boolean'].includes(typeof value)).map(String))
  return [...texts].map((label) => ({ label, type: 'enum' }))
}

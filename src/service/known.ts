import { z } from 'zod'
import type { JsonSchema } from '../http/json-schema.ts'
import { paymentKinds } from '../model/payment.ts'
import type { Fields, FieldType } from '../scenarios/language/field-types.ts'
import type { KnownOperation } from '../scenarios/language/response-faults.ts'
import { openingOperation } from './opening.ts'
import { operations } from './operations.ts'

/** The operations as scenarios know them: what a fault can name, and what its condition can ask of a request. */
export function knownOperations(): KnownOperation[] {
  return operations.map(({ id, method, path, params, query, body, only, auth }) => {
    const opens = paymentKinds.find((kind) => openingOperation[kind] === id)
    // Printed when a condition is compiled, and then kept: most scenarios have none.
    let known: Fields | undefined
    const fields = () => {
      known ??= Object.assign({}, ...[body, query, params].map((schema) => (schema ? fieldsOf(schema) : {})))
      return known as Fields
    }
    return {
      id,
      method,
      path,
      fields,
      ...(only && { only }),
      ...(auth === 'none' && { tokenless: true as const }),
      ...(opens && { opens }),
    }
  })
}

function fieldsOf(schema: z.ZodType): Record<string, FieldType> {
  const root = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema
  const fields: Record<string, FieldType> = {}
  const collect = (part: JsonSchema) => {
    const { $ref, anyOf, oneOf, allOf } = part as JsonSchema & { oneOf?: JsonSchema[]; allOf?: JsonSchema[] }
    if ($ref !== undefined)
      collect((root['$defs'] as Record<string, JsonSchema>)[$ref.split('/').at(-1) as string] ?? {})
    for (const one of [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])]) collect(one)
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      const type = typeOf(property)
      if (type) fields[name] ??= type
    }
  }
  collect(root)
  return fields
}

/** The type in conditions; none for what has parts of its own. */
function typeOf({ $ref, type, items }: JsonSchema): FieldType | undefined {
  if ($ref !== undefined) return undefined
  switch (type) {
    case 'number':
    case 'integer':
      return 'double'
    case 'boolean':
      return 'bool'
    case 'array':
      return items?.type === 'object' ? undefined : 'list<string>'
    case 'object':
      return undefined
    default:
      return 'string'
  }
}

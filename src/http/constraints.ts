/** Every constraint in a contract, with what it rests on. */
import type { Basis } from '../model/basis.ts'
import type { Contract, ContractCallback, ContractOperation, ContractParameter, ContractResponse } from './contract.ts'
import type { JsonSchema } from './json-schema.ts'

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

/** One constraint of one field. */
export interface Constraint {
  /** The field, below the schema or the operation that it belongs to: `SendMoneyRequest.remarks`. */
  field: string
  constraint: ConstraintWord
  /** As JSON. */
  value: string
  /** Null where nobody said what it rests on: a mistake of ours, which a test finds. */
  basis: Basis | null
  /** The one that decides it, where it is assumed. */
  assumption: string | null
}

/** Every one of them. What schemas refer to is listed under its own name. */
export function constraintsOf(contract: Contract): Constraint[] {
  const { schemas } = contract.components
  const asked = namesBelow(
    Object.values(contract.paths).flatMap((methods) => Object.values(methods).map(({ requestBody }) => requestBody)),
    schemas,
  )
  return [
    ...Object.values(contract.paths).flatMap((methods) => Object.values(methods).flatMap(ofOperation)),
    ...Object.entries(contract.webhooks ?? {}).flatMap(([name, { post }]) => ofCallback(name, post)),
    ...Object.entries(schemas).flatMap(([id, schema]) => ofSchema(id, schema, asked.has(id) ? 'asked' : 'told')),
  ]
}

/** Whether a value is sent to the service or by it. What the service sends is there: that rests on what shows the field. */
type Way = 'asked' | 'told'

function ofOperation({ operationId, parameters = [], requestBody, responses, callbacks = {} }: ContractOperation) {
  const answers = Object.values(responses).map(bodyOf)
  return [
    ...parameters.flatMap((parameter) => ofParameter(operationId, parameter, 'asked')),
    ...(requestBody ? ofSchema(operationId, bodyOf(requestBody) as JsonSchema, 'asked') : []),
    ...answers.flatMap((schema) => (schema ? ofSchema(`${operationId} answer`, schema, 'told') : [])),
    ...Object.values(callbacks).flatMap((one) =>
      Object.values(one).flatMap(({ post }) => ofCallback(operationId, post)),
    ),
  ]
}

function ofCallback(name: string, { parameters = [], requestBody }: ContractCallback): Constraint[] {
  return [
    ...parameters.flatMap((parameter) => ofParameter(`${name} callback`, parameter, 'told')),
    ...ofSchema(`${name} callback`, bodyOf(requestBody) as JsonSchema, 'told'),
  ]
}

function bodyOf({ content }: Pick<ContractResponse, 'content'>): JsonSchema | undefined {
  return content?.['application/json'].schema
}

function ofParameter(at: string, { name, in: place, required, schema, ...known }: ContractParameter, way: Way) {
  // A part of the path cannot be left out.
  return ofField(
    `${at} ${place} ${name}`,
    { ...schema, 'x-basis': known['x-basis'] },
    required && place !== 'path',
    way,
  )
}

function ofSchema(at: string, schema: JsonSchema, way: Way): Constraint[] {
  if (!schema.properties) return ofField(at, schema, false, way)
  const fields = Object.entries(schema.properties).flatMap(([name, field]) =>
    ofField(`${at}.${name}`, field, schema.required?.includes(name) ?? false, way),
  )
  return [...fields, ...(schema.oneOf ?? []).flatMap((one) => ofSchema(`${at} ${one['title'] ?? ''}`, one, way))]
}

function ofField(field: string, schema: JsonSchema, required: boolean, way: Way): Constraint[] {
  const grounds = schema['x-constraints'] ?? {}
  const own = constraintWords.flatMap((constraint): Constraint[] => {
    if (constraint === 'required' && way === 'told') return []
    const value = constraint === 'required' ? required || undefined : schema[constraint]
    if (value === undefined) return []
    const { 'x-basis': basis = null, 'x-assumption': assumption = null } = grounds[constraint] ?? {}
    return [{ field, constraint, value: JSON.stringify(value), basis, assumption }]
  })
  return [
    ...own,
    ...(schema.anyOf ?? []).flatMap((one) => ofSchema(field, one, way)),
    ...(schema.items ? ofSchema(`${field}[]`, schema.items, way) : []),
    ...(schema.properties ? ofSchema(field, schema, way) : []),
  ]
}

/** The named schemas that some values refer to, and those that these refer to. */
function namesBelow(values: unknown, schemas: Record<string, JsonSchema>, known = new Set<string>()): Set<string> {
  for (const [, name = ''] of (JSON.stringify(values) ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (known.has(name)) continue
    known.add(name)
    namesBelow(schemas[name], schemas, known)
  }
  return known
}

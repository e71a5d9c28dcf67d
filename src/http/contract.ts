/** Types of a service's contract in OpenAPI 3.1, and the constraints that it states. */
import type { Assumptions, Basis, Fact, Grounded } from '../core/model/assumption.ts'
import { type ConstraintWord, constraintWords, type JsonSchema } from './json-schema.ts'

export interface ContractOptions {
  baseUrl: string
  version: string
  assumptions: Assumptions
  examples?: ContractExamples
}

export interface AnsweredExample {
  parameters?: Record<string, string>
  request?: unknown
  answer: unknown
  callback?: unknown
}

export interface ContractExamples {
  operations: Readonly<Record<string, AnsweredExample>>
  webhooks: Readonly<Record<string, unknown>>
}

interface Known {
  'x-basis': Basis
  'x-source'?: string
  'x-assumption'?: { id: string; value: string }
}

export interface ContractParameter extends Known {
  name: string
  in: 'query' | 'path' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

type Media = { 'application/json': { schema: JsonSchema; example?: unknown } }

export interface ContractResponse extends Partial<Known> {
  $ref?: string
  description?: string
  content?: Media
  links?: Record<string, { operationId: string; parameters: Record<string, string> }>
  'x-codes'?: string[]
  'x-refusals'?: ContractRefusal[]
  headers?: Record<string, ContractHeader>
}

interface ContractGround {
  'x-basis'?: Basis | 'own'
  'x-assumption'?: string
  'x-convention'?: string
}

export interface ContractRefusal extends ContractGround {
  when: string
  code: string
}

export interface ContractHeader extends ContractGround {
  $ref?: string
  description?: string
  schema?: JsonSchema
}

export interface ContractOperation extends Known {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: ContractParameter[]
  requestBody?: { required: true; content: Media }
  responses: Record<string, ContractResponse>
  callbacks?: Record<string, Record<string, { post: ContractCallback }>>
  security: Record<string, string[]>[]
}

export interface ContractCallback extends Known {
  operationId: string
  /** Empty, because mfano sends callbacks without credentials. */
  security: []
  summary: string
  description?: string
  parameters?: ContractParameter[]
  requestBody: { required: true; content: Media }
  responses: Record<string, ContractResponse>
}

export interface Contract {
  openapi: '3.1.1'
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string; description: string }[]
  externalDocs: { url: string; description: string }
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, ContractOperation>>
  webhooks?: Record<string, { post: ContractCallback }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ContractResponse>
    headers: Record<string, ContractHeader>
    securitySchemes: Record<string, object>
  }
  'x-assumptions': Record<string, string>
  'x-facts': readonly Fact[]
}

export interface Constraint {
  field: string
  constraint: ConstraintWord
  value: string
  /** Null is a mistake of ours: a test finds facts without a basis. */
  basis: Basis | null
  assumption: string | null
  convention: string | null
}

/** Lists a schema that others refer to once, under its own name. */
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

/** `asked`: sent to the service. `told`: sent by it, so that a required field needs no basis of its own. */
export type HowKnown = 'asked' | 'told'

function ofOperation({ operationId, parameters = [], requestBody, responses, callbacks = {} }: ContractOperation) {
  const answers = Object.values(responses).map(bodyOf)
  return [
    ...parameters.flatMap((parameter) => ofParameter(operationId, parameter, 'asked')),
    ...(requestBody ? ofSchema(operationId, requestBody.content['application/json'].schema, 'asked') : []),
    ...answers.flatMap((schema) => (schema ? ofSchema(`${operationId} answer`, schema, 'told') : [])),
    ...Object.values(callbacks).flatMap((one) =>
      Object.values(one).flatMap(({ post }) => ofCallback(operationId, post)),
    ),
  ]
}

function ofCallback(name: string, { parameters = [], requestBody }: ContractCallback): Constraint[] {
  return [
    ...parameters.flatMap((parameter) => ofParameter(`${name} callback`, parameter, 'told')),
    ...ofSchema(`${name} callback`, requestBody.content['application/json'].schema, 'told'),
  ]
}

function bodyOf({ content }: Pick<ContractResponse, 'content'>): JsonSchema | undefined {
  return content?.['application/json'].schema
}

function ofParameter(at: string, { name, in: place, required, schema, ...known }: ContractParameter, way: HowKnown) {
  // A part of the path is always there.
  return ofField(
    `${at} ${place} ${name}`,
    { ...schema, 'x-basis': known['x-basis'] },
    required && place !== 'path',
    way,
  )
}

function ofSchema(at: string, schema: JsonSchema, way: HowKnown): Constraint[] {
  if (!schema.properties) return ofField(at, schema, false, way)
  const fields = Object.entries(schema.properties).flatMap(([name, field]) =>
    ofField(`${at}.${name}`, field, schema.required?.includes(name) ?? false, way),
  )
  return [...fields, ...(schema.oneOf ?? []).flatMap((one) => ofSchema(`${at} ${one['title'] ?? ''}`, one, way))]
}

function ofField(field: string, schema: JsonSchema, required: boolean, way: HowKnown): Constraint[] {
  const grounds = schema['x-constraints'] ?? {}
  const own = constraintWords.flatMap((constraint): Constraint[] => {
    if (constraint === 'required' && way === 'told') return []
    const value = constraint === 'required' ? required || undefined : schema[constraint]
    if (value === undefined) return []
    const known: Partial<Grounded> = grounds[constraint] ?? {}
    const { 'x-basis': basis = null, 'x-assumption': assumption = null, 'x-convention': convention = null } = known
    return [{ field, constraint, value: JSON.stringify(value), basis, assumption, convention }]
  })
  return [
    ...own,
    ...(schema.anyOf ?? []).flatMap((one) => ofSchema(field, one, way)),
    ...(schema.items ? ofSchema(`${field}[]`, schema.items, way) : []),
    ...(schema.properties ? ofSchema(field, schema, way) : []),
  ]
}

function namesBelow(values: unknown, schemas: Record<string, JsonSchema>, known = new Set<string>()): Set<string> {
  for (const [, name = ''] of (JSON.stringify(values) ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (known.has(name)) continue
    known.add(name)
    namesBelow(schemas[name], schemas, known)
  }
  return known
}

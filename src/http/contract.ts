/** The shapes of a service's contract in OpenAPI 3.1, and what a service says of itself in it. */
import type * as z from 'zod'
import type { Assumptions } from '../core/model/assumption.ts'
import type { Basis } from '../core/model/basis.ts'
import type { Fact } from '../core/model/fact.ts'
import { type ConstraintWord, constraintWords, type JsonSchema } from './json-schema.ts'
import type { Operation } from './operation.ts'

export interface ContractOptions {
  /** The world's base URL as the caller reaches it. */
  baseUrl: string
  version: string
  /** The choices in force: they turn operations on and give errors and callbacks their form. */
  assumptions: Assumptions
  /** What a world really answered; without them the contract shows no answers. */
  examples?: ContractExamples
}

/** A request that a world answered well, with its answer and the callback that it led to. */
export interface AnsweredExample {
  /** Of path, query and header, by name. */
  parameters?: Record<string, string>
  request?: unknown
  answer: unknown
  callback?: unknown
}

/** What a world really answered. */
export interface ContractExamples {
  /** By the ids of operations. */
  operations: Readonly<Record<string, AnsweredExample>>
  /** The bodies of callbacks that no request leads to, by their names. */
  webhooks: Readonly<Record<string, unknown>>
}

/** How something is known, and by what. */
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
  /** What can be asked next with what was answered. */
  links?: Record<string, { operationId: string; parameters: Record<string, string> }>
  /** Error codes that come with this status. */
  'x-codes'?: string[]
  /** Why requests are refused with this status, in the order in which they are checked. */
  'x-refusals'?: ContractRefusal[]
  headers?: Record<string, ContractHeader>
}

/** What something rests on that is no field. */
interface ContractGround {
  'x-basis'?: Basis | 'own'
  'x-assumption'?: string
}

/** One reason to refuse, and what it rests on. */
export interface ContractRefusal extends ContractGround {
  when: string
  code: string
}

/** A header of an answer. */
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
  /** Nobody logs in to be told. */
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
  /** What is known besides operations and their fields: refusals, headers, defaults, the order of checks. */
  'x-facts': readonly Fact[]
}

/** A callback that no request of the merchant leads to. */
export interface Webhook {
  name: string
  schema: z.ZodType
  description: string
  basis: Basis
  source: string
  /** The one that turns it on. */
  assumption: Known['x-assumption']
}

/** What a service says of itself in its contract. */
export interface ContractTerms {
  info: { title: string; summary: string; description: string }
  operations: readonly Operation[]
  /** What the operations of a tag are about. A new one may have none yet. */
  tagDescriptions: Readonly<Record<string, string>>
  securitySchemes: Record<string, object>
  facts: readonly Fact[]
  /** Schemas that are not printed from an operation. */
  errorSchemas: Record<string, JsonSchema>
  /** The statuses that an operation may refuse with, in order. */
  refusals(operation: Operation, assumptions: Assumptions): number[]
  /** A refusal of an operation: the name that it goes by in the contract, and what it says. */
  refusal(
    operation: Operation,
    status: number,
    assumptions: Assumptions,
  ): { name: string; response: () => ContractResponse }
  /** What answers of a status carry besides their bodies, as these assumptions have it. */
  headers(status: number, assumptions: Assumptions): Record<string, ContractHeader>
  /** The parameters of a read that the answer to a creation holds, as runtime expressions; none where it is no such read. */
  linked(operation: Operation): Record<string, string> | undefined
  /** A schema of requests as these assumptions have it. */
  asked<S extends z.ZodType>(schema: S, assumptions: Assumptions): S
  /** A printed schema of a body, in the forms in which these assumptions take it. */
  sent(printed: JsonSchema, assumptions: Assumptions): JsonSchema
  /** What holds for every callback. */
  callbacks(assumptions: Assumptions): Pick<ContractCallback, 'description' | 'parameters' | 'responses'>
  webhooks(assumptions: Assumptions): Webhook[]
}

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
export type Way = 'asked' | 'told'

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

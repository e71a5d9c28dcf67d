/** The shapes of a service's contract in OpenAPI 3.1, and what a service says of itself in it. */
import type * as z from 'zod'
import type { Assumptions } from '../model/assumption.ts'
import type { Basis } from '../model/basis.ts'
import type { Fact } from '../model/fact.ts'
import type { JsonSchema } from './json-schema.ts'
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

import type { Assumptions } from '../core/model/assumption.ts'
import { isRaw } from '../core/model/json.ts'
import { isRecord } from '../core/model/must.ts'
import type { Basis, Grounded, JsonSchema } from './json-schema.ts'

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

export interface Media {
  schema: JsonSchema
  example?: unknown
}

export interface OpenApiParameter {
  name: string
  in: 'query' | 'path' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
  'x-basis'?: Basis
}

export interface OpenApiResponse {
  $ref?: string
  description?: string
  content?: Record<string, Media>
  headers?: Record<string, ContractHeader>
  'x-basis'?: Basis
  'x-assumption'?: { id: string; value: string }
  'x-codes'?: string[]
  'x-refusals'?: (Grounded & { when: string; code: string })[]
}

export interface OpenApiOperation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  'x-basis'?: Basis
  'x-source'?: string
  'x-assumption'?: { id: string; value: string }
  parameters?: OpenApiParameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, OpenApiResponse>
  callbacks?: Record<string, Record<string, { post: ContractCallback }>>
  /** Empty where none is needed, as for callbacks, which mfano sends without credentials. */
  security?: Record<string, string[]>[]
}

export interface OpenApi {
  openapi: '3.1.1'
  info: {
    title: string
    version: string
    summary?: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string; description: string }[]
  externalDocs: { url: string; description: string }
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses?: Record<string, OpenApiResponse>
    securitySchemes: Record<string, object>
  }
  security?: Record<string, string[]>[]
}

export interface ContractHeader extends Partial<Grounded> {
  $ref?: string
  description?: string
  schema?: JsonSchema
}

export interface ContractCallback extends Omit<OpenApiOperation, 'tags' | 'callbacks'> {
  requestBody: { required: true; content: { 'application/json': Media } }
}

export interface Contract extends OpenApi {
  webhooks?: Record<string, { post: ContractCallback }>
  components: OpenApi['components'] & {
    responses: Record<string, OpenApiResponse>
    headers: Record<string, ContractHeader>
  }
  'x-assumptions': Record<string, string>
  'x-facts': readonly Fact[]
}

export const factSubjects = [
  'order',
  'refusal',
  'code',
  'answer header',
  'callback header',
  'default',
  'convention',
] as const

export interface Fact {
  about: (typeof factSubjects)[number]
  name: string
  value: string
  meaning: string
  /** `own`: part of mfano or HTTP, so merchants must not rely on it. */
  basis: Basis | 'own'
  source: string | null
  assumption: string | null
  convention: string | null
  byScenario: boolean
}

const DAY_MS = 86_400_000
/** Real days. An older measurement should be repeated, because a service changes. */
const FRESH_DAYS = 90

export function isStale(on: string, wallUs: number): boolean {
  return wallUs / 1000 - Date.parse(on) > FRESH_DAYS * DAY_MS
}

export interface Measurements {
  measured: Readonly<Record<string, string>>
  wallUs: number
}

export function measurementOf(id: string, { measured, wallUs }: Measurements): string | undefined {
  const on = measured[id]
  return on === undefined ? undefined : `${on}, sandbox${isStale(on, wallUs) ? ', stale' : ''}`
}

/** A contract, or facts, in which whatever rests on an assumption that was measured says so. */
export function asMeasured<Document>(document: Document, measurements: Measurements): Document {
  if (Object.keys(measurements.measured).length === 0) return document
  const walked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walked)
    // A number in its written form is an object, too.
    if (typeof value !== 'object' || value === null || isRaw(value)) return value
    const inside = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walked(one)]))
    const assumption = inside['x-assumption']
    const id = isRecord(assumption) ? assumption['id'] : assumption
    if (typeof id === 'string' && inside['x-basis'] === 'assumed') {
      const on = measurementOf(id, measurements)
      return on === undefined ? inside : { ...inside, 'x-basis': 'measured', 'x-measured': on }
    }
    const rests = inside['assumption']
    return typeof rests === 'string' && inside['basis'] === 'assumed' && rests in measurements.measured
      ? { ...inside, basis: 'measured' }
      : inside
  }
  return walked(document) as Document
}

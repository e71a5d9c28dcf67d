import { type KnownRefusal, recordOfRefusal } from '../../core/model/refusal.ts'
import type { Media, OpenApi, OpenApiOperation, OpenApiParameter, OpenApiResponse } from '../../http/contract.ts'
import { type JsonSchema, SchemaPrinter } from '../../http/json-schema.ts'
import { hintsShape } from '../../inspect/present.ts'
import type { AnyOperation } from './declared-operation.ts'
import { asCsv, querySchema, schemaOf, statusesOf } from './route.ts'

const anywhere: readonly KnownRefusal[] = [
  'ADMIN_TOKEN_NEEDED',
  'FOREIGN_ORIGIN',
  'FOREIGN_HOST',
  'CALLBACK_REFUSED',
  'WORLD_NOT_FOUND',
  'SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
  'WORLD_UNREADABLE',
]
const WITH_INPUT: readonly KnownRefusal[] = ['REQ_MISSING_FIELD', 'REQ_INVALID_FIELD', 'INVALID_FIELD', 'NOT_FOUND']
const WITH_BODY: readonly KnownRefusal[] = [...WITH_INPUT, 'REQ_BAD_REQUEST']
const TOO_LARGE = { code: 'REQ_BAD_REQUEST', status: 413 }

const DESCRIPTION =
  `Operations for tests, people and agents, on the world of this base URL. Times are simulated unless a field
says real time. They are ISO 8601 in UTC with a Z. Requests may use any offset; without one, a time is UTC unless a field says
otherwise. The header mfano-timezone of an answer names the zone for people, with its minutes ahead of UTC. Amounts are in
major units. A name that ends in a unit is in that unit. Fields keep the rules that the service has by default for the same
values. Assumptions change them for requests of an app only, except phone-format, which holds for customers who pay in. Where
people type a phone number, 07…, +254… and blanks will do, and numbers of other countries. null is not taken for a field that is left out. If MFANO_ADMIN_TOKEN is set, every operation needs it, except health
and what inboxes receive.`.replaceAll('\n', ' ')

const errorSchema = (hints: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', description: 'For programs.' },
        message: { type: 'string', description: 'For people, in a few words.' },
        details: { type: 'string', description: 'The problem: the field, what was expected, and what came.' },
        hints,
      },
    },
  },
})

export function controlContract(
  operations: readonly AnyOperation[],
  { baseUrl, version }: { baseUrl: string; version: string },
): OpenApi {
  const printer = new SchemaPrinter()
  const paths: OpenApi['paths'] = {}
  for (const declared of operations.filter(({ internal }) => !internal)) {
    const path = `/_mfano${declared.path}`.replace(/\/$/, '').replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    Object.assign(paths[path], { [declared.method.toLowerCase()]: operationInContract(declared, printer) })
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'mfano: the control plane',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This world' }],
    externalDocs: { url: `${baseUrl}/docs/control-plane`, description: 'The control plane, in words' },
    tags: tagsOf(Object.values(paths).flatMap((path) => Object.values(path))),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: { Error: errorSchema(printer.print(hintsShape(), 'output')), ...printer.components() },
      securitySchemes: {
        adminToken: { type: 'http', scheme: 'bearer', description: 'MFANO_ADMIN_TOKEN, where it is set.' },
      },
    },
    security: [{}, { adminToken: [] }],
  }
}

function tagsOf(operations: readonly OpenApiOperation[]): OpenApi['tags'] {
  const byTag = Map.groupBy(operations, ({ tags: [tag = ''] }) => tag)
  return [...byTag]
    .map(([name, all]) => ({ name, description: all.map(({ summary }) => summary).join('. ') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function operationInContract(declared: AnyOperation, printer: SchemaPrinter): OpenApiOperation {
  const { id, method, path, summary, description, params } = declared
  const query = querySchema(declared)
  const takes = declared.takes ?? declared.body
  const body = takes && schemaOf(takes)
  const required = body === undefined || !body.safeParse({}).success
  const parameters = [...pathParameters(params), ...(query ? queryParameters(printer.print(query, 'input')) : [])]
  const content: Record<string, Media> = {
    ...(body && { 'application/json': { schema: printer.print(body, 'input') } }),
    ...mediaOf(declared.bodies),
  }
  const withInput = query || params ? WITH_INPUT : []
  const hasBody = Object.keys(content).length > 0 && method !== 'GET' && method !== 'DELETE'
  return {
    operationId: id,
    tags: [path.split('/')[1] || 'overview'],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && { requestBody: { required, content } }),
    responses: {
      ...(declared.otherErrors !== undefined && { default: errorResponse(declared.otherErrors) }),
      ...together(
        successes(declared, printer),
        errors([...anywhere, ...(hasBody ? WITH_BODY : withInput), ...(declared.errors ?? [])], hasBody),
      ),
    },
  }
}

function pathParameters(params: AnyOperation['params'] = {}): OpenApiParameter[] {
  return Object.entries(params).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }))
}

function queryParameters({ properties = {}, required = [] }: JsonSchema): OpenApiParameter[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}

function mediaOf(types: Readonly<Record<string, string>> = {}): Record<string, Media> {
  return Object.fromEntries(
    Object.entries(types).map(([type, description]) => [type, { schema: { type: 'string', description } }]),
  )
}

type Responses = Record<string, OpenApiResponse>

function successes(declared: AnyOperation, printer: SchemaPrinter): Responses {
  const { answer, answers, list } = declared
  const content: Record<string, Media> = {
    ...(answer && { 'application/json': { schema: printer.print(answer(), 'output') } }),
    ...mediaOf({ ...answers, ...(list && asCsv) }),
  }
  return Object.fromEntries(
    statusesOf(declared).map((status) => [status, { description: MEANS[status] ?? 'Done.', content }]),
  )
}

const MEANS: Readonly<Record<number, string>> = { 201: 'Made.', 503: 'Not ready.' }

function errors(possible: readonly KnownRefusal[], hasBody: boolean): Responses {
  const listed = possible.map((name): { code: string; status: number } => ({ code: name, ...recordOfRefusal(name) }))
  const byStatus = Map.groupBy(hasBody ? [...listed, TOO_LARGE] : listed, ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, alike]) => {
      const codes = [...new Set(alike.map(({ code }) => code))].sort()
      return [status, { ...errorResponse(`${codes.join(' or ')}.`), 'x-codes': codes }]
    }),
  )
}

/** A status can be both an answer and an error, such as 503, so both descriptions are merged. */
function together(answers: Responses, refusals: Responses): Responses {
  const merged = Object.entries(answers).flatMap(([status, answer]): [string, OpenApiResponse][] => {
    const refusal = refusals[status]
    if (!refusal) return []
    const anyOf = [answer, refusal].flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema))
    const content = { ...answer.content, 'application/json': { schema: { anyOf } } }
    return [[status, { ...refusal, description: `${answer.description} Or ${refusal.description}`, content }]]
  })
  return { ...answers, ...refusals, ...Object.fromEntries(merged) }
}

function errorResponse(description: string): OpenApiResponse {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
}

import type { AssumptionId, Assumptions } from '../model/assumptions.ts'
import { refusalCatalogue, refusalCodes } from '../model/refusal.ts'
import { exampleOf } from './examples.ts'
import { type JsonSchema, SchemaPrinter, schemaRef } from './json-schema.ts'
import type { Basis, Operation, RequiredHeader } from './operation.ts'
import type { HttpService } from './service.ts'

export interface ContractOptions {
  /** The world's base URL as the caller reaches it. */
  baseUrl: string
  version: string
  /** The choices in force: they turn operations on and give errors and callbacks their form. */
  assumptions: Assumptions
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
  example: unknown
}

interface Media {
  'application/json': { schema: JsonSchema; example?: unknown }
}

export interface ContractResponse extends Partial<Known> {
  $ref?: string
  description?: string
  content?: Media
  /** Error codes that come with this status. */
  'x-codes'?: string[]
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
  summary: string
  description?: string
  parameters?: ContractParameter[]
  requestBody: { required: true; content: Media }
  responses: Record<string, ContractResponse>
}

export interface Contract {
  openapi: '3.1.1'
  info: { title: string; version: string; summary: string; description: string }
  servers: { url: string; description: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, ContractOperation>>
  webhooks?: Record<string, { post: ContractCallback }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, ContractResponse>
    securitySchemes: Record<string, object>
  }
  'x-assumptions': Record<string, string>
}

/** The contract of a world in OpenAPI 3.1, made from the schemas that validate. */
export function openApiDocument(service: HttpService, options: ContractOptions): Contract {
  const writer = new ContractWriter(service, options)
  const served = service.operations.filter(
    ({ only }) => only === undefined || options.assumptions[only.assumption] === only.is,
  )
  const paths: Contract['paths'] = {}
  for (const operation of served) {
    paths[operation.path] ??= {}
    Object.assign(paths[operation.path] as object, { [operation.method]: writer.operation(operation) })
  }
  const webhooks = writer.webhooks()
  return {
    openapi: '3.1.1',
    info: {
      title: 'mfano: a simulated payments service',
      version: options.version,
      summary: 'No money moves here.',
      description:
        'Every operation and every field says in x-basis how it is known. specified: the service interface document shows it. ' +
        "published: the provider's published reference shows it. assumed: neither does, and this is the least surprising " +
        'choice; x-assumptions holds the choices in force, and a scenario changes them. Answers also carry the headers ' +
        'mfano-request-id and mfano-rule, which the real service does not send.',
    },
    servers: [{ url: options.baseUrl, description: 'This world' }],
    tags: [...new Set(served.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    ...(webhooks && { webhooks }),
    components: writer.components(),
    'x-assumptions': options.assumptions,
  }
}

const ERROR_FORMS = { nested: 'ErrorNested', flat: 'ErrorFlat', 'field-list': 'ErrorFieldList' } as const

class ContractWriter {
  readonly #service: HttpService
  readonly #options: ContractOptions
  readonly #printer = new SchemaPrinter()
  readonly #errors: Record<string, ContractResponse> = {}

  constructor(service: HttpService, options: ContractOptions) {
    this.#service = service
    this.#options = options
  }

  operation(operation: Operation): ContractOperation {
    const { id, tag, summary, description, basis, source, only, callback, body, answer } = operation
    const parameters = this.#parameters(operation)
    const example = operation.example?.(this.#options.baseUrl)
    const request = body && { schema: this.#printer.print(body, 'input'), ...(example && { example }) }
    return {
      operationId: id,
      tags: [tag],
      summary,
      ...(description !== undefined && { description }),
      'x-basis': basis,
      'x-source': source,
      ...(only && { 'x-assumption': { id: only.assumption, value: only.is } }),
      ...(parameters.length > 0 && { parameters }),
      ...(request && { requestBody: { required: true, content: { 'application/json': request } } }),
      responses: {
        [operation.statusUnder?.(this.#options.assumptions) ?? answer.status]: this.#answer(operation),
        ...this.#refusals(operation),
      },
      ...(callback && {
        callbacks: {
          outcome: {
            [callback.url]: {
              post: this.#callback(callback.schema, callback.description, callback.basis, source, example),
            },
          },
        },
      }),
      security: operation.auth === 'bearer' ? [{ bearerAuth: [] }] : [],
    }
  }

  /** Calls that no request of the merchant leads to. */
  webhooks(): Contract['webhooks'] {
    const sent = this.#service.webhooks.filter(
      ({ unless }) => !unless || this.#assumption(unless.assumption) !== unless.is,
    )
    if (sent.length === 0) return undefined
    return Object.fromEntries(
      sent.map(({ name, schema, description, basis, source, unless: only }) => {
        const post = this.#callback(schema, description, basis, source)
        const known = only && { 'x-assumption': { id: only.assumption, value: this.#assumption(only.assumption) } }
        return [name, { post: { ...post, ...known } }]
      }),
    )
  }

  #assumption(id: string): string {
    return this.#options.assumptions[id as AssumptionId]
  }

  /** What examples are made from. */
  get #source() {
    return { components: this.#printer.components(), values: this.#service.exampleValues }
  }

  components(): Contract['components'] {
    return {
      schemas: { ...errorSchemas, ...this.#printer.components() },
      responses: Object.fromEntries(Object.entries(this.#errors).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access_token that POST /api/v1/get-token answers; good for 300 seconds.',
          'x-basis': 'specified',
        },
      },
    }
  }

  #parameters({ params, query, headers = [] }: Operation): ContractParameter[] {
    const named = (schema: JsonSchema, place: 'path' | 'query') =>
      Object.entries(schema.properties ?? {}).map(([name, field]) =>
        this.#parameter(name, place, schema.required?.includes(name) ?? false, field),
      )
    return [
      ...(params ? named(this.#printer.print(params, 'input'), 'path') : []),
      ...(query ? named(this.#printer.print(query, 'input'), 'query') : []),
      ...headers.map((header) => this.#parameter(header.name, 'header', true, headerSchema(header))),
    ]
  }

  #parameter(name: string, place: ContractParameter['in'], required: boolean, field: JsonSchema): ContractParameter {
    const { description, 'x-basis': basis = 'assumed', ...schema } = field
    const told = description === undefined ? {} : { description }
    return {
      name,
      in: place,
      required,
      ...told,
      'x-basis': basis,
      schema,
      example: exampleOf(schema, { ...this.#source, components: {} }, name),
    }
  }

  #answer({ example: exampleRequest, answer, basis }: Operation): ContractResponse {
    const schema = this.#printer.print(answer.schema, 'output')
    const request = exampleRequest?.(this.#options.baseUrl)
    const example = exampleOf(schema, { ...this.#source, request })
    return { description: answer.description, 'x-basis': basis, content: { 'application/json': { schema, example } } }
  }

  #callback(
    schema: Operation['answer']['schema'],
    description: string,
    basis: Basis,
    source: string,
    request?: object,
  ): ContractCallback {
    const { assumptions } = this.#options
    const body = this.#printer.print(schema, 'output')
    const example = exampleOf(body, { ...this.#source, request })
    const signed = assumptions['callback-signature'] === 'standard-webhooks'
    return {
      summary: description,
      ...(assumptions['final-callback'] === 'pending-too' && { description: 'Sent with PENDING at creation, too.' }),
      'x-basis': basis,
      'x-source': source,
      ...(signed && { parameters: signatureHeaders }),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body, example } },
      },
      responses: {
        [assumptions['callback-success'] === '200' ? '200' : '2XX']: {
          description: 'Received. Anything else, a redirect included, is tried again.',
          'x-basis': 'assumed',
          'x-assumption': { id: 'callback-success', value: assumptions['callback-success'] },
        },
      },
    }
  }

  /** The errors that an operation may answer; which of them it does answer, the published list does not say. */
  #refusals(operation: Operation): Record<string, ContractResponse> {
    const { assumptions } = this.#options
    const assumption = operation.errorBody ?? 'error-body'
    const form = assumptions[assumption] as keyof typeof ERROR_FORMS
    return Object.fromEntries(
      this.#statuses(operation).map((status) => {
        const name = `${ERROR_FORMS[form]}${status}`
        this.#errors[name] ??= errorResponse(status, form, { id: assumption, value: form })
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  }

  #statuses({ auth, method, body, params, query, headers = [], refuses = [] }: Operation): number[] {
    const { assumptions } = this.#options
    const reads = body !== undefined || query !== undefined || params !== undefined
    const statuses = new Set([429, 500, 503, 504, ...refuses])
    if (reads || headers.length > 0) statuses.add(400)
    if (auth === 'bearer') statuses.add(401).add(403)
    else statuses.add(refusalCatalogue[assumptions['bad-credentials']].status)
    if (auth === 'bearer' && reads) statuses.add(404)
    if (auth === 'bearer' && method === 'post' && body) statuses.add(402).add(423)
    if (body) statuses.add(413)
    if (body && assumptions['unsupported-media-type'] === '415') statuses.add(415)
    return [...statuses].sort((a, b) => a - b)
  }
}

function headerSchema({ description, basis }: RequiredHeader): JsonSchema {
  return { type: 'string', pattern: '\\S', description, 'x-basis': basis }
}

const signatureHeaders = (
  [
    ['webhook-id', 'The same for every attempt of a callback.', 'msg_0000001'],
    ['webhook-timestamp', 'Seconds since the epoch, by world time.', '1737736080'],
    [
      'webhook-signature',
      'v1, and the base64 HMAC-SHA256 of id.timestamp.body.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ],
  ] as const
).map(
  ([name, description, example]): ContractParameter => ({
    name,
    in: 'header',
    required: true,
    description,
    'x-basis': 'assumed',
    schema: { type: 'string' },
    example,
  }),
)

/** Statuses that mfano answers and that the published list of errors leaves out. */
const UNLISTED: Record<number, string> = {
  413: 'The body is too large',
  415: 'The body is not application/json',
}

function errorResponse(
  status: number,
  form: keyof typeof ERROR_FORMS,
  assumption: Known['x-assumption'],
): ContractResponse {
  const codes = refusalCodes.filter((code) => refusalCatalogue[code].status === status)
  const unlisted = UNLISTED[status]
  return {
    description: unlisted ?? codes.map((code) => refusalCatalogue[code].message).join(', or: '),
    // The published list has no 429 either: a withdrawn page named it.
    'x-basis': unlisted === undefined && status !== 429 ? 'published' : 'assumed',
    'x-codes': unlisted === undefined ? codes : ['REQ_BAD_REQUEST'],
    ...(assumption && { 'x-assumption': assumption }),
    content: { 'application/json': { schema: schemaRef(ERROR_FORMS[form]) } },
  }
}

function errorText(description: string): JsonSchema {
  return { type: 'string', description, 'x-basis': 'published' }
}

const codeText = errorText('One of the published codes; a scenario may use its own.')
const published: { 'x-basis': Basis } = { 'x-basis': 'published' }

/** The three published error bodies. Which one is on the wire is an assumption. */
const errorSchemas: Record<string, JsonSchema> = {
  ErrorFieldList: {
    type: 'object',
    description: 'As the checkout page shows it.',
    ...published,
    properties: {
      message: errorText('What went wrong.'),
      errors: {
        type: 'object',
        description: 'For every wrong field, what is wrong with it.',
        ...published,
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
    required: ['message', 'errors'],
    additionalProperties: false,
  },
  ErrorFlat: {
    type: 'object',
    description: 'As the table of the errors page lists it.',
    ...published,
    properties: {
      errorCode: codeText,
      message: errorText('The message of the code.'),
      details: errorText('What was wrong, what was expected and what came.'),
      statusCode: errorText('The HTTP status as text.'),
    },
    required: ['errorCode', 'message', 'statusCode'],
    additionalProperties: false,
  },
  ErrorNested: {
    type: 'object',
    description: 'As the sample of the errors page shows it.',
    ...published,
    properties: {
      error: {
        type: 'object',
        description: 'The error.',
        ...published,
        properties: {
          code: codeText,
          message: errorText('The message of the code.'),
          details: errorText('What was wrong, what was expected and what came.'),
        },
        required: ['code', 'message'],
        additionalProperties: false,
      },
    },
    required: ['error'],
    additionalProperties: false,
  },
}

import type { Assumptions } from '../../core/model/assumption.ts'
import { isUnsent } from '../../core/model/kind.ts'
import { must } from '../../core/model/must.ts'
import type {
  Contract,
  ContractCallback,
  ContractHeader,
  ContractOptions,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
} from '../../http/contract.ts'
import { type JsonSchema, SchemaPrinter } from '../../http/json-schema.ts'
import type { Operation } from '../../http/operation.ts'
import { asChosen } from '../assumptions/assumptions.ts'
import type { ServedService } from '../parts.ts'
import { printBody, printRequest } from '../requests/request.ts'
import { callbackHeaderFacts, errorSchemas, factsOf, headersOf, refusalResponses } from './facts.ts'

type Described = Pick<ServedService, 'operations' | 'webhooks'>

export function openApiDocument(service: Described, options: ContractOptions): Contract {
  const { printOperation, webhooks, components } = contractWriter(service, options)
  const { assumptions } = options
  const served = service.operations.filter(({ only }) => only === undefined || assumptions[only.assumption] === only.is)
  const paths: Contract['paths'] = {}
  for (const operation of served) {
    const methods = paths[operation.path] ?? {}
    methods[operation.method] = printOperation(operation)
    paths[operation.path] = methods
  }
  const document: Contract = {
    openapi: '3.1.1',
    info: { ...info, version: options.version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: options.baseUrl, description: 'This world of the sandbox; no money moves here' }],
    externalDocs: { url: `${options.baseUrl}/docs/readme`, description: 'Guides to the sandbox' },
    tags: [...new Set(served.map(({ tag }) => tag))].map((name) => ({ name, description: tagDescriptions[name] })),
    paths,
    webhooks: webhooks(),
    components: components(),
    'x-assumptions': assumptions,
    'x-facts': factsOf(service.operations),
  }
  return assumptions['extra-fields'] === 'none' ? document : opened(document)
}

/** Schemas of answers and callbacks are closed, those of requests are not. */
function opened(document: Contract): Contract {
  const isKept = (key: string, value: unknown) => key !== 'additionalProperties' || value !== false
  return JSON.parse(JSON.stringify(document, (key, value) => (isKept(key, value) ? value : undefined)))
}

/** Parts that are undefined are in no JSON. */
function contractWriter(service: Described, options: ContractOptions) {
  const choices = asChosen(options.assumptions)
  const printer = new SchemaPrinter()
  const refused: Record<string, OpenApiResponse> = {}
  const names = new Map<string, string>()
  const headersTold: Record<string, ContractHeader> = {}

  function printOperation(operation: Operation): OpenApiOperation {
    const { id, tag, summary, description, basis, source, only, callback, body, answer } = operation
    const parameters = parametersOf(operation)
    const status = operation.statusUnder?.(options.assumptions) ?? answer.status
    const shown = options.examples?.operations[id]
    const example = shown?.request ?? operation.example?.(options.baseUrl)
    const request = body && { schema: printBody(printer, body, choices), example }
    return {
      operationId: id,
      tags: [tag],
      summary,
      description,
      'x-basis': basis,
      'x-source': source,
      'x-assumption': only && { id: only.assumption, value: only.is },
      parameters: parameters.length > 0 ? parameters : undefined,
      requestBody: request && { required: true, content: { 'application/json': request } },
      responses: { [status]: answerOf(operation, status), ...refusalsOf(operation) },
      callbacks: callback && {
        outcome: { [callback.url]: { post: callbackOf(callback, source, `${id}Outcome`, shown?.callback) } },
      },
      security: operation.auth === 'bearer' ? [{ bearerAuth: [] }] : [],
    }
  }

  function webhooks(): Contract['webhooks'] {
    const { assumptions, examples } = options
    const sent = service.webhooks.filter((webhook) => !isUnsent(webhook, assumptions))
    if (sent.length === 0) return undefined
    return Object.fromEntries(
      sent.map((webhook) => {
        const { name, source, unless } = webhook
        const callback = callbackOf(webhook, source, `${name}Webhook`, examples?.webhooks[name])
        const assumption = unless && { id: unless.assumption, value: must(assumptions[unless.assumption]) }
        return [name, { post: { ...callback, 'x-assumption': assumption } }]
      }),
    )
  }

  function components(): Contract['components'] {
    return {
      schemas: { ...errorSchemas, ...printer.components() },
      responses: Object.fromEntries(Object.entries(refused).sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: headersTold,
      securitySchemes: { bearerAuth },
    }
  }

  function parametersOf({ id, params, query, headers = [] }: Operation): OpenApiParameter[] {
    const given = options.examples?.operations[id]?.parameters
    const fieldsOf = (schema: JsonSchema, place: 'path' | 'query') =>
      Object.entries(schema.properties ?? {}).map(([name, field]) =>
        parameterOf(name, place, schema.required?.includes(name) ?? false, field, given?.[name]),
      )
    return [
      ...(params ? fieldsOf(printRequest(printer, params, choices), 'path') : []),
      ...(query ? fieldsOf(printRequest(printer, query, choices), 'query') : []),
      ...headers.map(({ name, schema }) => parameterOf(name, 'header', true, schema, given?.[name])),
    ]
  }

  function answerOf({ id, answer, basis }: Operation, status: number): OpenApiResponse {
    const schema = printer.print(answer.schema, 'output')
    const content = { 'application/json': { schema, example: options.examples?.operations[id]?.answer } }
    return { description: answer.description, 'x-basis': basis, headers: headersUnder(status), content }
  }

  function headersUnder(status: number): Record<string, ContractHeader> {
    const told = headersOf(status, options.assumptions)
    Object.assign(headersTold, told)
    return Object.fromEntries(Object.keys(told).map((name) => [name, { $ref: `#/components/headers/${name}` }]))
  }

  function callbackOf(
    { schema, description, basis }: Omit<NonNullable<Operation['callback']>, 'url'>,
    source: string,
    operationId: string,
    example: unknown,
  ): ContractCallback {
    const { description: terms, parameters, responses } = callbackTerms(options.assumptions)
    const body = printer.print(schema, 'output')
    return {
      operationId,
      summary: description,
      description: terms,
      'x-basis': basis,
      'x-source': source,
      parameters,
      requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
      responses,
      security: [],
    }
  }

  function refusalsOf(operation: Operation): Record<string, OpenApiResponse> {
    return Object.fromEntries(
      refusalResponses(operation, options.assumptions).map(([status, response]) => {
        const whole = { ...response, headers: headersUnder(Number(status)) }
        return [status, { $ref: `#/components/responses/${nameOf(whole, status)}` }]
      }),
    )
  }

  /** Operations that are refused alike share a response: `ErrorNested400`, `ErrorNested400-2`. */
  function nameOf(response: OpenApiResponse, status: string): string {
    const text = JSON.stringify(response)
    const known = names.get(text)
    if (known !== undefined) return known
    const form = response.content?.['application/json']?.schema.$ref?.split('/').at(-1)
    const alike = Object.keys(refused).filter((name) => name.split('-')[0] === `${form}${status}`).length
    const name = `${form}${status}${alike === 0 ? '' : `-${alike + 1}`}`
    names.set(text, name)
    refused[name] = response
    return name
  }

  function parameterOf(
    name: string,
    place: OpenApiParameter['in'],
    required: boolean,
    field: JsonSchema,
    example: string | undefined,
  ): OpenApiParameter {
    const { description, 'x-basis': basis = 'assumed', ...schema } = field
    return {
      name,
      in: place,
      required,
      description,
      'x-basis': basis,
      schema,
      example,
    }
  }

  return { printOperation, webhooks, components }
}

const signatureHeaders = (
  [
    ['webhook-id', 'msg_0000001'],
    ['webhook-timestamp', '1737736080'],
    ['webhook-signature', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  ] as const
).map(
  ([name, example]): OpenApiParameter => ({
    name,
    in: 'header',
    required: true,
    description: callbackHeaderFacts[name].meaning,
    'x-basis': 'assumed',
    schema: { type: 'string' },
    example,
  }),
)

const info = {
  title: 'mfano: a simulated payments service',
  summary: 'No money moves here.',
  description:
    'Every operation and every field says in x-basis how it is known, and in x-constraints what each of its constraints rests on. specified: the service interface document shows it. ' +
    "published: the provider's published reference shows it. assumed: neither does, and this is the least surprising " +
    'alternative; x-assumptions holds those in force, and a scenario changes them. Answers also carry the headers ' +
    'mfano-request-id and mfano-rule, which the real service does not send. Headers that are too large are answered 431 ' +
    'without a body. ' +
    'This is a sandbox: how a payment ends is chosen by the end of its phone, business or account number, or by its amount, ' +
    'as /docs/outcomes lists them; time, worlds, customers who pay in and what happened are at /_mfano, with a contract of ' +
    'their own at /_mfano/openapi.json.',
}

const bearerAuth = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'The access_token that POST /api/v1/get-token answers; good for its expires_in seconds.',
  'x-basis': 'specified',
}

function callbackTerms(assumptions: Assumptions): Pick<ContractCallback, 'description' | 'parameters' | 'responses'> {
  return {
    ...(assumptions['final-callback'] === 'pending-too' && {
      description: 'Sent with PENDING at creation, too, where the body has such a status.',
    }),
    ...(assumptions['callback-signature'] === 'standard-webhooks' && { parameters: signatureHeaders }),
    responses: {
      [assumptions['callback-success'] === '200' ? '200' : '2XX']: {
        description: 'Received. Anything else, a redirect included, is tried again.',
        'x-basis': 'assumed',
        'x-assumption': { id: 'callback-success', value: assumptions['callback-success'] },
      },
      '4XX': { description: 'Not received: it is tried again.', 'x-basis': 'assumed' },
    },
  }
}

const tagDescriptions: Readonly<Record<string, string>> = {
  Tokens: 'Access tokens, with which everything else is called.',
  'Sub-accounts': 'Organisations below the caller: made, activated, subscribed and listed.',
  Allocations: 'Money from an organisation to one of its sub-accounts.',
  'De-allocations': 'Money from a sub-account back to its organisation.',
  Checkout: 'Hosted pages on which a customer pays.',
  'Mobile money payouts': "Payouts to a subscriber's wallet.",
  Tanzania: 'Payouts and collections by the paths of Tanzania.',
  'Till payouts': 'Payouts to a till number of a business.',
  'Paybill payouts': 'Payouts to an account of a paybill number.',
  'Bank payouts': 'Payouts to bank accounts, and whose account one is.',
  'Mobile collections': 'Collections that a subscriber approves on the phone.',
  'Bank collections': 'Payments that came in through a bank.',
  Wallet: 'The wallets of the caller, and what is in them.',
}

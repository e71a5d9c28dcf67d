/**
 * Generates a TypeScript client from the service's contract: a type for every schema, a method for every operation, each with
 * its words and its basis. (openapi-typescript drives the compiler API that TypeScript 7 no longer has, and has no
 * place for a basis.)
 */
import { defaultsOf } from '../../src/core/model/assumption.ts'
import type { Contract, OpenApiOperation, OpenApiParameter } from '../../src/http/contract.ts'
import type { JsonSchema } from '../../src/http/json-schema.ts'
import type { HttpService } from '../../src/http/operation.ts'
import { paymentsService } from '../../src/service/service.ts'

/** The whole of `src/client/service.gen.ts`. */
export function serviceClientText(service: HttpService = paymentsService): string {
  // All operations, those that an assumption turns on included: a client cannot know the world that it will meet.
  const assumptions = {
    ...defaultsOf(service.assumptions),
    'refresh-token': 'on',
    'unlisted-operations': 'on',
  } as const
  const contract = service.contract({ baseUrl: 'http://localhost:8080', version: '', assumptions })
  return [
    '/**',
    ' * The service as a client sees it: made from the contract that mfano validates with, by install/generate/client.ts.',
    ' * Every operation and field says how it is known: specified, published or assumed; see the fidelity table of the README.',
    ' */',
    "import { type CallOptions, type Envelope, type ServiceAnswer, ServiceCaller } from './service-client.ts'",
    '',
    '/** The kinds of payment. */',
    `export type PaymentKind = ${service.kinds.names.map((name) => `'${name}'`).join(' | ')}`,
    '',
    '/** The currencies of wallets, as requests may write them. */',
    `export type Currency = ${service.countries.spellings.map((spelling) => `'${spelling}'`).join(' | ')}`,
    '',
    ...Object.entries(contract.components.schemas).flatMap(([name, schema]) => namedType(name, schema)),
    '/**',
    ' * A method for every operation of the service. They resolve with what was answered, typed, and reject with a',
    ' * `ServiceError` when the service refuses; `request` sends whatever else a test wants to try.',
    ' */',
    'export class ServiceClient extends ServiceCaller {',
    operations(contract)
      .map(({ path, method, operation }) => methodText(path, method, operation))
      .join('\n\n'),
    '}',
    '',
  ].join('\n')
}

interface Place {
  path: string
  method: string
  operation: OpenApiOperation
}

function operations({ paths }: Contract): Place[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

function namedType(name: string, schema: JsonSchema): string[] {
  const words = comment([schema.description, basisOf(schema)], '')
  const needed = neededByChoice(schema)
  const type = typeText(schema, '')
  if (!needed)
    return [...words, type.startsWith('{') ? `export interface ${name} ${type}` : `export type ${name} = ${type}`, '']
  const fields = `${name}Fields`
  return [
    ...comment([`All fields of ${name}.`, basisOf(schema)], ''),
    `interface ${fields} ${typeText(schema, '')}`,
    '',
    ...words,
    `export type ${name} = ${fields} &`,
    '  (',
    ...needed.map(
      ({ field, value, optional, required }) =>
        `    | ({ ${field}${optional ? '?' : ''}: ${value} } & Required<Pick<${fields}, ${required.map((one) => `'${one}'`).join(' | ')}>>)`,
    ),
    '  )',
    '',
  ]
}

/** Fields that the value of another needs: `oneOf` of the schema. */
function neededByChoice({ oneOf }: JsonSchema) {
  return oneOf?.map(({ properties = {}, required = [] }) => {
    const { currencyCode = {} } = properties
    const value = literal(currencyCode.const ?? currencyCode.enum?.[0])
    const optional = !required.includes('currencyCode')
    return { field: 'currencyCode', value, optional, required: required.filter((one) => one !== 'currencyCode') }
  })
}

function typeText(schema: JsonSchema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((one) => typeText(one, indent)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type }, indent)).join(' | ')
  if (schema.type === 'array') return arrayText(schema, indent)
  if (schema.type === 'object') return objectText(schema, indent)
  if (schema.type === 'integer') return 'number'
  if (schema.type === undefined) return 'unknown'
  return schema.type
}

function arrayText({ items = {}, minItems, maxItems }: JsonSchema, indent: string): string {
  const inner = typeText(items, indent)
  if (minItems === 1 && maxItems === 1) return `[${inner}]`
  return inner.includes('|') ? `(${inner})[]` : `${inner}[]`
}

function objectText({ properties = {}, required = [], additionalProperties }: JsonSchema, indent: string): string {
  if (typeof additionalProperties === 'object' && additionalProperties !== null)
    return `Record<string, ${typeText(additionalProperties as JsonSchema, indent)}>`
  const { status, message, data } = properties
  if (Object.keys(properties).join() === 'status,message,data' && status && message && data)
    return `Envelope<${[status, message, data].map((one) => typeText(one, indent)).join(', ')}>`
  const deeper = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, field]) => [
    ...comment([[field.description, basisOf(field), defaultOf(field)].filter(Boolean).join(' ')], deeper),
    `${deeper}${name}${required.includes(name) ? '' : '?'}: ${typeText(field, deeper)}`,
  ])
  return `{\n${lines.join('\n')}\n${indent}}`
}

function methodText(path: string, method: string, operation: OpenApiOperation): string {
  const { operationId, parameters = [], requestBody, responses } = operation
  const own = parameters.filter(({ in: place }) => place !== 'header')
  if (requestBody && own.length > 0)
    throw new Error(`${operationId} has a body and parameters: how shall it be called?`)
  const [answered = ''] = Object.keys(responses)
  const body = typeText(responses[answered]?.content?.['application/json']?.schema ?? {}, '  ')
  const given = requestBody
    ? [`given: ${typeText(requestBody.content['application/json']?.schema ?? {}, '  ')}`]
    : own.length > 0
      ? [`given: ${givenText(own)}`]
      : []
  const header = parameters.find(({ in: place }) => place === 'header')
  const options = header ? 'options: CallOptions & { deviceId: string }' : 'options?: CallOptions'
  return [
    ...methodComment(path, method, operation),
    `  ${operationId}(${[...given, options].join(', ')}): Promise<ServiceAnswer<${body}>> {`,
    `    return this.call('${method.toUpperCase()}', '${path}', ${sentText(own, header, requestBody !== undefined)}, options)`,
    '  }',
  ].join('\n')
}

function givenText(parameters: readonly OpenApiParameter[]): string {
  const lines = parameters.flatMap((one) => [
    ...comment([[one.description, basisOf(one)].filter(Boolean).join(' ')], '    '),
    `    ${one.name}${one.required ? '' : '?'}: ${typeText(one.schema, '    ')}`,
  ])
  return `{\n${lines.join('\n')}\n  }`
}

function sentText(own: readonly OpenApiParameter[], header: OpenApiParameter | undefined, hasBody: boolean): string {
  const [first] = own
  const parts = [
    ...(hasBody ? ['body: given'] : []),
    ...(first ? [`${first.in}: given`] : []),
    ...(header ? [`headers: { '${header.name}': options.deviceId }`] : []),
  ]
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}'
}

function methodComment(path: string, method: string, operation: OpenApiOperation): string[] {
  const { summary, description, responses, callbacks } = operation
  const refusals = Object.keys(responses).filter((status) => status >= '4' && status !== 'default')
  const told = Object.values(callbacks ?? {})
    .flatMap((one) => Object.values(one))
    .map(({ post }) => typeText(post.requestBody.content['application/json'].schema, ''))
  const assumption = operation['x-assumption']
  return comment(
    [
      `${summary}: \`${method.toUpperCase()} ${path}\`.`,
      description,
      assumption && `Answers only while the assumption ${assumption.id} is ${assumption.value}.`,
      `Basis: ${operation['x-basis']} (${operation['x-source']}). May be refused with ${refusals.join(', ')}.`,
      ...told.map((type) => `The callback's body is a {@link ${type}}.`),
    ],
    '  ',
  )
}

const basisOf = (known: { 'x-basis'?: string | undefined }) => known['x-basis'] && `Basis: ${known['x-basis']}.`
const defaultOf = (schema: JsonSchema) =>
  schema['x-default'] !== undefined && `Default: ${literal(schema['x-default'])}.`
const literal = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value))

/** A doc comment of one line where it fits, else of one line per text. */
function comment(texts: readonly (string | false | undefined)[], indent: string): string[] {
  const lines = texts.filter((text) => typeof text === 'string' && text !== '') as string[]
  if (lines.length === 0) return []
  const single = `${indent}/** ${lines.join(' ')} */`
  if (single.length <= 120) return [single]
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`]
}

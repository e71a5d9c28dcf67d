/** Compares recorded answers with mfano's contract: status, code, fields, types, forms, and values that it fixes. */
import { asJson } from '../../core/model/json.ts'
import { isRecord } from '../../core/model/must.ts'
import type { Contract } from '../../http/contract.ts'
import { type JsonSchema, resolved } from '../../http/json-schema.ts'
import { isMasked } from '../traffic/har.ts'
import { belowBase, type HarRecord, operationOf } from '../traffic/read-traffic.ts'

export interface ContractDifference {
  operation: string
  /** Such as `data[].channel`; empty for the whole answer. */
  path: string
  sort: 'status' | 'code' | 'media-type' | 'missing' | 'extra' | 'type' | 'form' | 'value'
  recorded: string
  /** As the contract has it. */
  expected: string
  times: number
}

type Found = Omit<ContractDifference, 'operation' | 'times'>
type Schemas = Readonly<Record<string, JsonSchema>>

/** Temporary refusals (overload, no funds). They say nothing about the request. */
const PASSING = [402, 423, 429]
const JSON_TYPE = 'application/json'
const TOLD_CHARACTERS = 120

export function contractDifferences(recorded: readonly HarRecord[], contract: Contract): ContractDifference[] {
  const operations = Object.values(contract.paths).flatMap((methods) => Object.values(methods))
  const origins = new Set(recorded.flatMap((one) => (operationOf(one) ? one.origin : [])))
  const found = recorded.flatMap((one) => {
    const { method, path, origin, status } = one
    const id = operationOf(one)?.id
    const responses = operations.find(({ operationId }) => operationId === id)?.responses
    const isPassing = status === 0 || status >= 500 || PASSING.includes(status)
    if (isPassing || !origins.has(origin)) return []
    if (id !== undefined && responses)
      return answerDifferences(one, responses, contract).map((difference) => ({ operation: id, ...difference }))
    const name = belowBase(path).split('?')[0] ?? ''
    const isUnknown = name.startsWith('/api/') && status < 400 && method !== 'OPTIONS'
    const unknown = { sort: 'status' as const, path: '', recorded: String(status), expected: 'no such operation' }
    return isUnknown ? [{ operation: `${method} ${name}`, ...unknown }] : []
  })
  return Array.from(
    Map.groupBy(found, ({ operation, path, sort }) => `${operation} ${path} ${sort}`).values(),
    ([first, ...rest]) => ({ ...first, times: 1 + rest.length }) as ContractDifference,
  )
}

function answerDifferences(
  { status, mediaType, answer, unrecorded }: HarRecord,
  responses: Contract['paths'][string][string]['responses'],
  { components }: Contract,
): Found[] {
  const named = responses[status]
  const response = named?.$ref === undefined ? named : components.responses[named.$ref.split('/').at(-1) ?? '']
  if (!response) {
    const expected = Object.keys(responses).filter((one) => one !== 'default')
    return [{ sort: 'status', path: '', recorded: String(status), expected: expected.join(', ') }]
  }
  const schema = response.content?.[JSON_TYPE]?.schema
  if (!schema || unrecorded.has('answer')) return []
  if (mediaType !== JSON_TYPE && !unrecorded.has('media-type'))
    return [{ sort: 'media-type', path: '', recorded: mediaType, expected: JSON_TYPE }]
  const body = asJson(answer)
  const [code, codes] = [codeIn(body), response['x-codes']]
  if (code !== undefined && codes && !codes.includes(code))
    return [{ sort: 'code', path: '', recorded: `${status} ${code}`, expected: codes.join(', ') }]
  return bodyDifferences(body, schema, components.schemas, '')
}

/** Looks in all published error forms. */
function codeIn(body: unknown): string | undefined {
  const { error, code, errorCode }: Record<string, unknown> = isRecord(body) ? body : {}
  return [isRecord(error) ? error['code'] : undefined, errorCode, code].find((one) => typeof one === 'string')
}

function bodyDifferences(value: unknown, schema: JsonSchema, schemas: Schemas, path: string): Found[] {
  const { anyOf, oneOf, ...own } = resolved(schema, schemas)
  const forms = anyOf ?? oneOf
  if (forms) {
    const each = forms.map((form) => bodyDifferences(value, { ...own, ...resolved(form, schemas) }, schemas, path))
    return each.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  const found = (sort: Found['sort'], expected: string): Found[] => [{ sort, path, recorded: printed(value), expected }]
  const types = [own.type ?? []].flat()
  if (types.length > 0 && !types.some((type) => isOf(type, value))) return found('type', types.join(' or '))
  if (typeof value === 'string' && isMasked(value)) return []
  const values = own.const === undefined ? own.enum : [own.const]
  if (values && !values.includes(value)) return found('value', values.map((one) => JSON.stringify(one)).join(', '))
  if (typeof value === 'string' && own.pattern !== undefined && !new RegExp(own.pattern).test(value))
    return found('form', own.pattern)
  if (Array.isArray(value)) {
    const { items } = own
    return items ? value.flatMap((item) => bodyDifferences(item, items, schemas, `${path}[]`)) : []
  }
  return isRecord(value) ? fieldDifferences(value, own, schemas, path) : []
}

function fieldDifferences(
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  schemas: Schemas,
  path: string,
): Found[] {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const missing = required.filter((name) => !Object.hasOwn(value, name))
  return [
    ...missing.map((name): Found => ({ sort: 'missing', path: at(name), recorded: '(nothing)', expected: 'a field' })),
    ...Object.entries(value).flatMap(([name, inner]): Found[] => {
      const field = properties[name]
      if (field) return bodyDifferences(inner, field, schemas, at(name))
      if (additionalProperties !== false) return []
      return [{ sort: 'extra', path: at(name), recorded: printed(inner), expected: 'no such field' }]
    }),
  ]
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  return type === 'null' ? value === null : typeof value === type
}

function printed(value: unknown): string {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value)
  return text.length > TOLD_CHARACTERS ? `${text.slice(0, TOLD_CHARACTERS)}…` : text
}

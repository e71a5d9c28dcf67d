import type { Contract, ContractCallback, OpenApiOperation, OpenApiResponse } from '../../../src/http/contract.ts'
import type { JsonSchema } from '../../../src/http/json-schema.ts'

/** A place in the document where a schema stands: requests, answers, callbacks, parameters and components. */
export interface Place {
  where: string
  schema: JsonSchema
  example?: unknown
  required?: boolean
}

/** Every schema of the document. */
export function places(contract: Contract): Place[] {
  const found: Place[] = []
  const media = (where: string, holder: Pick<OpenApiResponse, 'content'> | undefined) => {
    const json = holder?.content?.['application/json']
    if (json) found.push({ where, ...json })
  }
  const all = (where: string, { parameters, requestBody, responses }: OpenApiOperation | ContractCallback) => {
    for (const one of parameters ?? []) found.push({ where: `${where} ${one.in} ${one.name}`, ...one })
    media(`${where} request`, requestBody)
    for (const [status, response] of Object.entries(responses)) media(`${where} ${status}`, response)
  }
  for (const operation of operationsOf(contract)) {
    all(operation.operationId, operation)
    for (const { post } of Object.values(operation.callbacks ?? {}).flatMap((one) => Object.values(one))) {
      all(`${operation.operationId} callback`, post)
    }
  }
  for (const [name, { post }] of Object.entries(contract.webhooks ?? {})) all(`webhook ${name}`, post)
  for (const [name, response] of Object.entries(contract.components.responses)) media(`response ${name}`, response)
  for (const [id, schema] of Object.entries(contract.components.schemas)) found.push({ where: id, schema })
  return found
}

export function operationsOf(contract: Contract): OpenApiOperation[] {
  return Object.values(contract.paths).flatMap((methods) => Object.values(methods))
}

/** Everything that does not say how it is known: operations, callbacks, parameters, named schemas and fields. A field says
 * besides what it is, but `data`, which its own fields tell. */
export function withoutBasis(contract: Contract): string[] {
  const missing: string[] = []
  const say = (where: string, known: { 'x-basis'?: string | undefined }) => {
    if (!/^(?:specified|published|assumed)$/.test(known['x-basis'] ?? '')) missing.push(where)
  }
  const fields = (where: string, schema: JsonSchema) => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const id = field.$ref?.split('/').pop() ?? ''
      say(`${where}.${name}`, field['x-basis'] ? field : (contract.components.schemas[id] ?? field))
      if (!field.description && !field.$ref && name !== 'data') missing.push(`${where}.${name} description`)
      fields(`${where}.${name}`, field)
    }
    for (const inner of [schema.items, ...(schema.anyOf ?? [])]) if (inner) fields(`${where}[]`, inner)
  }
  for (const operation of operationsOf(contract)) {
    say(operation.operationId, operation)
    for (const one of operation.parameters ?? []) say(`${operation.operationId} ${one.name}`, one)
    for (const { post } of Object.values(operation.callbacks ?? {}).flatMap((one) => Object.values(one))) {
      say(`${operation.operationId} callback`, post)
    }
  }
  for (const [name, { post }] of Object.entries(contract.webhooks ?? {})) say(`webhook ${name}`, post)
  for (const [name, response] of Object.entries(contract.components.responses)) say(name, response)
  for (const [id, schema] of Object.entries(contract.components.schemas)) say(id, schema)
  for (const { where, schema } of places(contract)) fields(where, schema)
  return missing
}

/** The names of the schemas that these values refer to, and of those below them. */
export function schemasBelow(contract: Contract, values: unknown, known = new Set<string>()): Set<string> {
  for (const name of refsOf(values).map((ref) => ref.split('/').at(-1) ?? ''))
    if (!known.has(name)) schemasBelow(contract, contract.components.schemas[name], known.add(name))
  return known
}

/** Every `$ref` of the document. */
export function refsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : refsOf(inner)))
}

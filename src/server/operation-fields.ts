/** Operations by their names, for doors that are no HTTP: what each takes, and what it is asked for with. */
import { type JsonSchema, SchemaPrinter } from '../http/json-schema.ts'
import { operationInContract } from './control/control-contract.ts'
import type { AnyOperation } from './control/declared-operation.ts'
import { type OperationParameters, placed } from './control/placed.ts'
import { controlOperations } from './control-operations.ts'

export { cellsOf } from './control/csv-answer.ts'
export type { AnyOperation } from './control/declared-operation.ts'
export type { OperationParameters } from './control/placed.ts'

export const operations: ReadonlyMap<string, AnyOperation> = new Map(controlOperations.map((one) => [one.id, one]))

/** Called at the server's own address, whatever world is meant. */
export function isOfServer(id: string): boolean {
  return /^(?:world\.(?!reset|verify|wait)|population\.)/.test(id)
}

/** A client's call of an operation: `control(method, path, given)`. */
export function requestFor(declared: AnyOperation, parameters: OperationParameters) {
  return [declared.method, declared.path, placed(declared, parameters)] as const
}

/** A parameter, wherever it goes. `body`: all of a body that has no fields. */
export interface OperationField {
  name: string
  in: 'path' | 'query' | 'body'
  required: boolean
  description: string
  schema: JsonSchema
}

/** Parameters of an operation, with words at each. */
export function operationFields(declared: AnyOperation): OperationField[] {
  const printer = new SchemaPrinter()
  const { parameters = [], requestBody } = operationInContract(declared, printer)
  const named = printer.components()
  const whole = (schema: JsonSchema = {}): JsonSchema =>
    schema.$ref === undefined ? schema : whole(named[schema.$ref.split('/').at(-1) ?? ''])
  const fields: OperationField[] = parameters.map((one) => ({ description: '', ...one, schema: whole(one.schema) }))
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
    const forms = [whole(schema), ...(whole(schema).anyOf ?? [])].map(whole).filter(({ properties }) => properties)
    const [first = {}, ...others] = forms
    const properties: Record<string, JsonSchema> = Object.assign({}, ...forms.map((form) => form.properties))
    for (const [name, { description = '', ...rest }] of Object.entries(properties)) {
      const required = [first, ...others].every((form) => form.required?.includes(name))
      fields.push({ name, in: 'body', required, description, schema: whole(rest) })
    }
    if (declared.body === undefined)
      fields.push({
        ...{ name: 'body', in: 'body', required: true, description: `${schema.description}` },
        schema: { contentMediaType: type },
      })
  }
  return fields.filter(({ name }, i) => fields.findIndex((one) => one.name === name) === i)
}

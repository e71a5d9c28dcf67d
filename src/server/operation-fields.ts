import type { OpenApiParameter } from '../http/contract.ts'
import { type JsonSchema, SchemaPrinter } from '../http/json-schema.ts'
import { operationInContract } from './control/control-contract.ts'
import type { AnyOperation, Screen as DeclaredScreen, Form } from './control/declared-operation.ts'
import { type OperationParameters, placed } from './control/placed.ts'
import { controlOperations } from './control-operations.ts'

export type { AnyOperation, Form } from './control/declared-operation.ts'
export type { OperationParameters } from './control/placed.ts'

export const operations: ReadonlyMap<string, AnyOperation> = new Map(controlOperations.map((one) => [one.id, one]))

/** Called at the server's own address, whatever world is meant. */
export function isOfServer(id: string): boolean {
  return /^world\.(?!reset|verify|wait)/.test(id)
}

export function requestFor(declared: AnyOperation, parameters: OperationParameters) {
  return [declared.method, declared.path, placed(declared, parameters)] as const
}

export interface OperationField {
  name: string
  in: OpenApiParameter['in'] | 'body'
  required: boolean
  description: string
  schema: JsonSchema
}

export interface OperationDescription extends Pick<AnyOperation, 'id' | 'method' | 'path' | 'summary'> {
  description: string | undefined
  fields: readonly OperationField[]
  hasFields: boolean
  isOfServer: boolean
  isFile: boolean
  isJson: boolean
  /** It may take as long as it needs. */
  isPatient: boolean
  list:
    | (Omit<NonNullable<AnyOperation['list']>, 'name' | 'columns' | 'picks'> & {
        name: string
        columns: Columns
        picks: boolean
      })
    | undefined
  screen: Screen | undefined
}

export type Columns = Readonly<Record<string, Form | readonly [form: Form, title: string]>>

export interface Screen extends Pick<DeclaredScreen<never>, 'words' | 'verdict' | 'examples'> {
  columns?: Columns | undefined
  facts?: Columns | undefined
  parts?: Readonly<Record<string, readonly [title: string, columns?: Columns]>> | undefined
  says: boolean
}

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

const texts = new Set([
  ...['name', 'note', 'email', 'url', 'collectionCallbackUrl', 'sentTo', 'path', 'text', 'says', 'why', 'todo'],
  ...['error', 'problem', 'by', 'rule', 'scenario', 'on', 'when', 'debit', 'credit', 'forwarder', 'merchant'],
  ...['referenceId', 'request', 'apiKeys', 'answers', 'untried', 'unreadFields', 'warnings', 'assumed', 'fault'],
])

const forms: readonly (readonly [Form, RegExp])[] = [
  ['number', /^(?:id|number|seed|hits|total|count|found|attempts|payments|requests|prompts|messages)$/],
  ['money', /^(?:amount|balance|reserved|incoming|available|remaining)$/],
  ['time', /^(?:at|now|from|until|\w+At)$/],
  ['state', /^(?:state|status)$/],
  ['ms', /Ms$/],
  ['size', /^bytes$/],
]

/** How people see a field of this name, where a column does not say. */
function formOf(name: string): Form {
  const [form] = forms.find(([, names]) => names.test(name)) ?? []
  return form ?? (texts.has(name) ? 'text' : 'word')
}

function looksOf(columns: readonly string[]): Columns {
  const looks = columns.map((column) => {
    const [, path = '', title, form] = /^([\w.]+)(?:=([^:]+))?(?::(\w+))?$/.exec(column) ?? []
    const shown = (form as Form | undefined) ?? formOf(path.replace(/^.*\./, ''))
    return [path, title === undefined ? shown : ([shown, title] as const)] as const
  })
  return Object.fromEntries(looks)
}

/** The operations that are commands. A command reads them from a generated file, because this one takes long to load. */
export const toldOperations: readonly OperationDescription[] = [...operations.values()].flatMap((declared) =>
  declared.internal ? [] : [describeOperation(declared)],
)

function describeOperation(declared: AnyOperation): OperationDescription {
  const { id, method, path, summary, description, list, screen, answers = {} } = declared
  const types = Object.keys(answers)
  return {
    ...{ id, method, path, summary, description },
    fields: operationFields(declared),
    hasFields: declared.body !== undefined,
    isOfServer: isOfServer(id),
    isJson: declared.answer !== undefined,
    isFile: types.some((type) => type.startsWith('application/vnd.')),
    isPatient: method !== 'GET' || types.length > 0,
    list: list && {
      ...list,
      name: list.name ?? list.rows,
      columns: looksOf(list.columns),
      picks: list.picks !== undefined,
    },
    screen: screen && describeScreen(screen),
  }
}

function describeScreen({ columns, facts, parts, says, ...rest }: DeclaredScreen<never>): Screen {
  const below = Object.entries(parts ?? {}).map(([path, [title, inner]]) => {
    return [path, inner ? ([title, looksOf(inner)] as const) : ([title] as const)] as const
  })
  return {
    ...rest,
    columns: columns && looksOf(columns),
    facts: facts && looksOf(facts),
    parts: parts && Object.fromEntries(below),
    says: says !== undefined,
  }
}

import { asJson } from '../../../core/model/json.ts'

export interface Schema {
  $ref?: string
  title?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  allOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
}

export interface FormContract {
  paths: Readonly<
    Record<string, Readonly<Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>>
  >
  components?: { schemas?: Readonly<Record<string, Schema>> }
}

export interface Field {
  name: string
  type: 'text' | 'number' | 'switch' | 'choice' | 'json'
  choices: readonly string[]
  required: boolean
  about: string
}

export interface Form {
  fields: readonly Field[]
  /** Fields that each currency adds, if a request takes several. Default: the first currency. */
  currencies: readonly Schema[]
}

export function sendForm(contract: FormContract, operation: string): Form {
  const [method = '', path = ''] = operation.split(' ')
  const body = contract.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema
  if (!body) return { fields: [], currencies: [] }
  const { properties = {}, required = [], oneOf = [] } = opened(contract, body)
  const fields = Object.entries(properties).map(([name, schema]) => {
    const { description = '', ...open } = opened(contract, schema)
    return { ...fieldOf(name, open, required.includes(name)), about: withoutCurrencies(description) }
  })
  return { fields, currencies: oneOf.map((one) => opened(contract, one)) }
}

export function fieldOf(name: string, schema: Schema, required: boolean, about = ''): Field {
  return { name, ...typeOf(schema), required, about }
}

function withoutCurrencies(description: string): string {
  const about = description.replace(/Required when [^.;]*[.;]\s*/, '')
  return `${about.charAt(0).toUpperCase()}${about.slice(1)}`
}

/** Leaves out what only other currencies need. A callback can be asked for in each. */
export function fieldsFor({ fields, currencies }: Form, texts: Readonly<Record<string, string>>): Field[] {
  const chosen = currencies.find(({ title }) => title === texts['currencyCode']) ?? currencies[0]
  if (!chosen) return [...fields]
  const needs = ({ required = [] }: Schema, name: string) => required.includes(name)
  return fields
    .filter(({ name, required }) => {
      const isOfOthers = currencies.some((one) => one !== chosen && needs(one, name))
      return required || !isOfOthers || needs(chosen, name) || ['currencyCode', 'callbackUrl'].includes(name)
    })
    .map((field) => {
      const { enum: choices } = chosen.properties?.[field.name] ?? {}
      return {
        ...field,
        ...(field.type === 'text' && choices && typeOf({ enum: choices })),
        required: field.required || needs(chosen, field.name),
      }
    })
}

export function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/\b(url|id)\b/gi, (short) => short.toUpperCase())
}

export function toRequest(fields: readonly Field[], texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = fields.flatMap(({ name, type }) => {
    const text = texts[name]?.trim() ?? ''
    return text === '' ? [] : [[name, readValue(type, text)] as const]
  })
  return Object.fromEntries(given)
}

export function toTexts(request: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

/** A value of the wrong type is sent as text, so that the service says what is wrong. */
function readValue(type: Field['type'], text: string): unknown {
  return type === 'text' || type === 'choice' ? text : asJson(text)
}

function opened(contract: FormContract, { $ref, allOf = [], ...own }: Schema): Schema {
  const parts = [...($ref ? [contract.components?.schemas?.[$ref.split('/').at(-1) ?? ''] ?? {}] : []), ...allOf]
  const open = [...parts.map((one) => opened(contract, one)), own]
  return Object.assign({}, ...open, { properties: Object.assign({}, ...open.map(({ properties }) => properties)) })
}

function typeOf({ type, enum: all, anyOf }: Schema): Pick<Field, 'type' | 'choices'> {
  const choices = all?.filter((one) => one !== null)
  if (choices?.every((one) => typeof one === 'string')) return { type: 'choice', choices }
  const plain = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  const types: Record<string, Field['type']> = {
    string: 'text',
    number: 'number',
    integer: 'number',
    boolean: 'switch',
  }
  const isText = anyOf?.every((one) => one.type !== 'object')
  return { type: types[plain ?? ''] ?? (isText ? 'text' : 'json'), choices: [] }
}

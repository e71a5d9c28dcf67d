/** Reads the fields of a request from the published contract. */

interface Schema {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  allOf?: readonly Schema[]
  anyOf?: readonly Schema[]
}

export interface FormContract {
  paths: Readonly<
    Record<string, Readonly<Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>>
  >
  components?: { schemas?: Readonly<Record<string, Schema>> }
}

export interface Field {
  name: string
  /** `json`: lists and objects, written as JSON. */
  type: 'text' | 'number' | 'switch' | 'choice' | 'json'
  choices: readonly string[]
  required: boolean
  about: string
}

/** `operation`: `POST /path`. In the order of the contract. */
export function formFieldsOf(contract: FormContract, operation: string): Field[] {
  const [method = '', path = ''] = operation.split(' ')
  const body = contract.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema
  if (!body) return []
  const { properties = {}, required = [] } = opened(contract, body)
  return Object.entries(properties).map(([name, schema]) => {
    const { type, choices } = formOf(opened(contract, schema))
    return { name, type, choices, required: required.includes(name), about: opened(contract, schema).description ?? '' }
  })
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
  if (type === 'text' || type === 'choice') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function opened(contract: FormContract, { $ref, allOf = [], ...own }: Schema): Schema {
  const parts = [...($ref ? [contract.components?.schemas?.[$ref.split('/').at(-1) ?? ''] ?? {}] : []), ...allOf]
  const open = [...parts.map((one) => opened(contract, one)), own]
  return Object.assign({}, ...open, { properties: Object.assign({}, ...open.map(({ properties }) => properties)) })
}

function formOf({ type, enum: choices, anyOf }: Schema): Pick<Field, 'type' | 'choices'> {
  if (choices?.every((one) => typeof one === 'string')) return { type: 'choice', choices }
  const plain = Array.isArray(type) ? type.find((one) => one !== 'null') : type
  const forms: Record<string, Field['type']> = {
    string: 'text',
    number: 'number',
    integer: 'number',
    boolean: 'switch',
  }
  const form = forms[plain ?? ''] ?? (anyOf ? 'text' : 'json')
  return { type: form, choices: [] }
}

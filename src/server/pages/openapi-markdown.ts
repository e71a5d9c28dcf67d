/** Prints an OpenAPI document as Markdown, for agents and pages. */
import type { Basis } from '../../core/model/assumption.ts'
import type { ContractCallback } from '../../http/contract.ts'
import { type JsonSchema, resolved } from '../../http/json-schema.ts'

export interface OpenApiParameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
  'x-basis'?: Basis
}
interface Media {
  schema: JsonSchema
  example?: unknown
}
export interface OpenApiResponse {
  $ref?: string
  description?: string
  content?: Record<string, Media>
  'x-codes'?: string[]
}
export interface OpenApiOperation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  'x-basis'?: Basis
  'x-source'?: string
  'x-assumption'?: { id: string; value: string }
  parameters?: OpenApiParameter[]
  requestBody?: { content: Record<string, Media | undefined> }
  responses: Record<string, OpenApiResponse>
  callbacks?: Record<string, Record<string, { post: ContractCallback }>>
  security?: Record<string, string[]>[]
}

export interface OpenApi {
  info: { title: string; description: string; version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, JsonSchema>; responses?: Record<string, OpenApiResponse> }
}

const DEPTH = 4

export function openApiMarkdown(document: OpenApi): string {
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const tags = [...new Set(listed.flatMap(({ operation }) => operation.tags))]
  const printer = new Printer(document)
  return [
    `# ${document.info.title}`,
    document.info.description,
    `Base URL: \`${document.servers[0]?.url}\``,
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      ...listed
        .filter(({ operation }) => operation.tags.includes(tag))
        .map(({ method, path, operation }) => printer.operation(method, path, operation)),
    ]),
    '## Shared records',
    ...Object.entries(document.components.schemas)
      .filter(([, schema]) => schema.properties)
      .map(([name, schema]) => `### ${name}\n\n${printer.fields(schema)}`),
    '',
  ].join('\n\n')
}

class Printer {
  readonly #schemas: Record<string, JsonSchema>
  readonly #responses: Record<string, OpenApiResponse>

  constructor({ components }: OpenApi) {
    this.#schemas = components.schemas
    this.#responses = components.responses ?? {}
  }

  operation(method: string, path: string, operation: OpenApiOperation): string {
    const { summary, description, parameters = [], requestBody, responses } = operation
    const basis = operation['x-basis']
    const answers = Object.entries(responses).map(([status, response]): [string, OpenApiResponse] => [
      status,
      this.#known(response),
    ])
    const [status = '200', answer] = answers.find(([key]) => key < '300') ?? []
    return [
      `### ${summary}`,
      `\`${method.toUpperCase()} ${path}\` · \`${operation.operationId}\`${basis === undefined ? '' : ` · ${basis}`}`,
      ...(description === undefined ? [] : [description]),
      ...(parameters.length === 0
        ? []
        : [parameters.map((one) => parameterLine(one, this.#type(one.schema))).join('\n')]),
      ...mediaParts('Request', requestBody?.content, this),
      ...mediaParts(`Answer ${status}`, answer?.content, this),
      `Errors: ${answers
        .filter(([key, { 'x-codes': codes }]) => codes && key !== 'default')
        .map(([key, { 'x-codes': codes }]) => `${key} ${codes?.map((code) => `\`${code}\``).join(' or ')}`)
        .join(', ')}.`,
    ].join('\n\n')
  }

  fields(schema: JsonSchema, indent = '', depth = 0): string {
    const it = resolved(schema, this.#schemas)
    const lines = Object.entries(it.properties ?? {}).flatMap(([name, field]) => {
      const need = it.required?.includes(name) ? '' : ', optional'
      const said = resolved(field, this.#schemas).description
      const line = `${indent}- \`${name}\` (${this.#type(field)}${need})${said === undefined ? '' : `: ${said}`}`
      const inner = field.items ?? field
      const nested = inner.$ref === undefined && inner.properties && depth < DEPTH
      return nested ? [line, this.fields(inner, `${indent}  `, depth + 1)] : [line]
    })
    return lines.join('\n')
  }

  body({ schema, example }: Media): string[] {
    const told = schema.$ref === undefined ? this.fields(schema) : ''
    return [
      told === '' ? `${this.#type(schema)}${schema.description === undefined ? '' : `: ${schema.description}`}` : told,
      ...(example === undefined ? [] : [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``]),
    ]
  }

  #known(response: OpenApiResponse): OpenApiResponse {
    return response.$ref === undefined ? response : (this.#responses[nameOf(response.$ref)] ?? response)
  }

  #type(schema: JsonSchema): string {
    const { $ref, type, enum: words, const: only, items, anyOf, oneOf } = schema
    if ($ref !== undefined) return nameOf($ref)
    if (only !== undefined) return `\`${JSON.stringify(only)}\``
    if (words !== undefined) return words.map((word) => `\`${JSON.stringify(word)}\``).join(' or ')
    if (items !== undefined) return `array of ${this.#type(items)}`
    const either = anyOf ?? oneOf
    if (either !== undefined) return [...new Set(either.map((one) => this.#type(one)))].join(' or ')
    return [type ?? 'any'].flat().join(' or ')
  }
}

function parameterLine({ name, in: place, required, description }: OpenApiParameter, type: string): string {
  return `- \`${name}\` (${type}, in the ${place}${required ? '' : ', optional'})${description === undefined ? '' : `: ${description}`}`
}

function mediaParts(title: string, content: Record<string, Media | undefined> | undefined, printer: Printer): string[] {
  return Object.entries(content ?? {}).flatMap(([type, media]) =>
    media ? [`${title}${type === 'application/json' ? '' : `, ${type}`}:`, ...printer.body(media)] : [],
  )
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

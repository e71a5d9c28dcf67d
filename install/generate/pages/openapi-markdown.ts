/** Prints an OpenAPI document as Markdown, for agents and pages. */
import type { Media, OpenApi, OpenApiOperation, OpenApiParameter, OpenApiResponse } from '../../../src/http/contract.ts'
import { type JsonSchema, resolved } from '../../../src/http/json-schema.ts'

export interface ListedOperation {
  method: string
  path: string
  operation: OpenApiOperation
}

export function operationsOf({ paths }: OpenApi): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
}

export function taggedOperations(document: OpenApi): [tag: string, listed: ListedOperation[]][] {
  const all = operationsOf(document)
  const tags = [...new Set(all.flatMap(({ operation }) => operation.tags))]
  return tags.map((tag) => [tag, all.filter(({ operation }) => operation.tags.includes(tag))])
}

/** Answers by status, those that operations share among them. */
export function answersOf({ components }: OpenApi, { responses }: OpenApiOperation): [string, OpenApiResponse][] {
  return Object.entries(responses).map(([status, response]) => [
    status,
    response.$ref === undefined ? response : (components.responses?.[nameOf(response.$ref)] ?? response),
  ])
}

/** Each with what a heading says of its type, which for JSON is nothing. */
export function mediaOf(content: OpenApiResponse['content'] = {}): [type: string, Media][] {
  return Object.entries(content).map(([type, media]) => [type === 'application/json' ? '' : `, ${type}`, media])
}

/** The choice that switches the operation or callback on, such as `refresh-token=on`. */
export function conditionOf({ 'x-assumption': only }: Pick<OpenApiOperation, 'x-assumption'>): string | undefined {
  return only && `${only.id}=${only.value}`
}

/** That of a tag whose operations all have the same one. */
export function conditionOfAll(listed: readonly ListedOperation[]): string | undefined {
  const [first, ...others] = new Set(listed.map(({ operation }) => conditionOf(operation)))
  return others.length === 0 ? first : undefined
}

const DEPTH = 4

export function openApiMarkdown(document: OpenApi): string {
  const printer = new Printer(document)
  return [
    `# ${document.info.title}`,
    document.info.description,
    `Base URL: \`${document.servers[0]?.url}\``,
    ...taggedOperations(document).flatMap(([tag, listed]) => [
      only(conditionOfAll(listed), `## ${tag}`),
      ...listed.map((one) => only(conditionOf(one.operation), printer.operation(one))),
    ]),
    '## Shared records',
    ...Object.entries(document.components.schemas)
      .filter(([, schema]) => schema.properties)
      .map(([name, schema]) => `### ${name}\n\n${printer.fields(schema)}`),
    '',
  ]
    .join('\n\n')
    .replaceAll('<!--end-->\n\n', '\n\n<!--end-->')
}

function only(condition: string | undefined, text: string): string {
  return condition === undefined ? text : `<!--if ${condition}-->${text}<!--end-->`
}

class Printer {
  readonly #document: OpenApi
  readonly #schemas: Record<string, JsonSchema>

  constructor(document: OpenApi) {
    this.#document = document
    this.#schemas = document.components.schemas
  }

  operation({ method, path, operation }: ListedOperation): string {
    const { summary, description, parameters = [], requestBody } = operation
    const basis = operation['x-basis']
    const answers = answersOf(this.#document, operation)
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

function mediaParts(title: string, content: OpenApiResponse['content'], printer: Printer): string[] {
  return mediaOf(content).flatMap(([type, media]) => [`${title}${type}:`, ...printer.body(media)])
}

function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

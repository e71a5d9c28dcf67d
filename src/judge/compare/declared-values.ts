/** Finds the values that a contract fixes: constants and enumerations. */

type Schema = { readonly [word: string]: unknown }

interface Document {
  paths?: Readonly<Record<string, Readonly<Record<string, Schema>>>>
  [part: string]: unknown
}

export class DeclaredValues {
  readonly #document: Document
  readonly #answers = new Map<string, Schema>()

  constructor(document: unknown) {
    this.#document = document as Document
    for (const item of Object.values(this.#document.paths ?? {}))
      for (const operation of Object.values(item) as Schema[]) {
        const responses = (operation['responses'] ?? {}) as Record<string, Schema>
        const good: unknown = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
        const schema = reach(good, ['content', 'application/json', 'schema'])
        if (typeof operation['operationId'] === 'string' && schema) this.#answers.set(operation['operationId'], schema)
      }
  }

  /** `path` has the form `data[].channel` and refers to a successful answer. */
  has(operation: string, path: string): boolean {
    const parts = path.split(/\.|(?=\[)/).filter((part) => part !== '')
    let schemas: Schema[] = this.#parts(this.#answers.get(operation) ?? {})
    for (const part of parts) {
      const step = part.startsWith('[') ? ['items'] : ['properties', part]
      const reached = schemas.map((schema) => reach(schema, step)).filter((schema) => schema !== undefined)
      schemas = reached.flatMap((schema) => this.#parts(schema))
    }
    return schemas.some((schema) => schema['const'] !== undefined || schema['enum'] !== undefined)
  }

  #parts(schema: Schema, depth = 0): Schema[] {
    if (depth > 5) return []
    const reference = schema['$ref']
    const target =
      typeof reference === 'string'
        ? reach(this.#document as unknown, reference.replace(/^#\//, '').split('/'))
        : undefined
    const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => (schema[word] ?? []) as Schema[])
    return [schema, ...[...(target ? [target] : []), ...inner].flatMap((one) => this.#parts(one, depth + 1))]
  }
}

function reach(from: unknown, path: readonly string[]): Schema | undefined {
  let value = from
  for (const part of path) value = (value as Schema | undefined)?.[part]
  return typeof value === 'object' && value !== null ? (value as Schema) : undefined
}

/** Finds the values that a contract fixes: constants, enumerations, and the only value that the specification shows. */
import { isRecord } from '../../core/model/must.ts'

type Schema = { readonly [word: string]: unknown }

export class DeclaredValues {
  readonly #document: unknown
  readonly #answers = new Map<string, Schema>()

  constructor(document: unknown) {
    this.#document = document
    for (const item of recordsIn(reach(document, ['paths'])))
      for (const operation of recordsIn(item)) {
        const responses = reach(operation, ['responses']) ?? {}
        const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
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
    return schemas.some(
      (schema) =>
        schema['const'] !== undefined ||
        schema['enum'] !== undefined ||
        reach(schema, ['x-constraints', 'x-usual'])?.['x-basis'] === 'specified',
    )
  }

  #parts(schema: Schema, depth = 0): Schema[] {
    if (depth > 5) return []
    const reference = schema['$ref']
    const target =
      typeof reference === 'string' ? reach(this.#document, reference.replace(/^#\//, '').split('/')) : undefined
    const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => recordsIn(schema[word]))
    return [schema, ...[...(target ? [target] : []), ...inner].flatMap((one) => this.#parts(one, depth + 1))]
  }
}

function reach(from: unknown, path: readonly string[]): Schema | undefined {
  let value = from
  for (const part of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined
  return isRecord(value) ? value : undefined
}

/** Accepts a list or an object. */
function recordsIn(value: unknown): Schema[] {
  return Object.values(value ?? {}).filter(isRecord)
}

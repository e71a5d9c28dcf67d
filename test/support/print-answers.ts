/**
 * Prints what the control plane answers as JSON Schema, read off the types that the compiler inferred of its routes:
 * the same types that typed clients see, with the words that stand at their fields.
 */
import { join } from 'node:path'
import {
  API,
  type Checker,
  type Symbol as Declared,
  type Project,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync'
import type { JsonSchema } from '../../src/http/json-schema.ts'
import type { PrintedAnswers } from '../../src/server/control/control-contract.ts'

const root = join(import.meta.dirname, '../..')
/** Types that these files export under a name are shown under that name. */
const NAMED_IN = /^src\/(?!apps\/|judge\/|core\/(?:clock|engine|store)\/)/

/** Asks the compiler; takes about as long as a type check. */
export function printAnswers(): PrintedAnswers {
  const api = new API({ cwd: root })
  try {
    const config = join(root, 'tsconfig.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error('the compiler does not open tsconfig.json')
    return new AnswerPrinter(project).print()
  } finally {
    api.close()
  }
}

class AnswerPrinter {
  readonly #project: Project
  readonly #checker: Checker
  /** By the ids of types. */
  readonly #names = new Map<number, string>()
  readonly #taken = new Set(['Error'])
  readonly #components: Record<string, JsonSchema> = {}
  /** Types that are being printed. */
  readonly #open = new Set<number>()

  constructor(project: Project) {
    this.#project = project
    this.#checker = project.checker
    for (const file of [...project.program.getSourceFileNames()].sort()) this.#nameTypesOf(file)
  }

  print(): PrintedAnswers {
    const answers: PrintedAnswers['answers'] = {}
    const words: PrintedAnswers['words'] = {}
    const routes = this.#typeNamed(join(root, 'src/client/control.ts'), 'Routes')
    for (const path of this.#checker.getPropertiesOfType(routes)) {
      for (const method of this.#checker.getPropertiesOfType(this.#typeOf(path))) {
        const route = `${method.name.slice(1).toUpperCase()} ${path.name}`
        const byStatus = this.#byStatus(this.#typeOf(method))
        if (Object.keys(byStatus).length > 0) answers[route] = byStatus
        const said = this.#wordsOf(this.#typeOf(method))
        if (Object.keys(said).length > 0) words[route] = said
      }
    }
    return { answers: sorted(answers), components: sorted(this.#components), words: sorted(words) }
  }

  /** What is said of the fields that a route takes, by the way to them. */
  #wordsOf(route: Type): Record<string, string> {
    const found: Record<string, string> = {}
    const input = this.#checker.getPropertyOfType(alternatives(route)[0] as Type, 'input')
    for (const part of input ? this.#checker.getPropertiesOfType(this.#typeOf(input)) : [])
      if (part.name !== 'param') this.#addWords(found, part.name, this.#typeOf(part))
    return found
  }

  #addWords(found: Record<string, string>, at: string, type: Type): void {
    if (this.#open.has(type.id)) return
    this.#open.add(type.id)
    for (const one of alternatives(type)) {
      if (this.#checker.isArrayType(one)) {
        const [items] = one.isTypeReference() ? this.#checker.getTypeArguments(one) : []
        if (items) this.#addWords(found, at, items)
      } else if (one.isObjectType() || one.isIntersectionType()) {
        for (const field of this.#checker.getPropertiesOfType(one)) {
          const said = oneLine(this.#checker.getDocumentationCommentOfSymbol(field))
          if (said !== '') found[`${at}.${field.name}`] ??= said
          this.#addWords(found, `${at}.${field.name}`, this.#typeOf(field))
        }
      }
    }
    this.#open.delete(type.id)
  }

  /** A route may have several ways to answer. */
  #byStatus(type: Type): Record<string, JsonSchema> {
    const found: Record<string, Type[]> = {}
    for (const one of alternatives(type)) {
      const [status, output, format] = ['status', 'output', 'outputFormat'].map((name) =>
        this.#checker.getPropertyOfType(one, name),
      )
      const isJson =
        format && alternatives(this.#typeOf(format)).some((it) => it.isStringLiteralType() && it.value === 'json')
      if (!status || !output || !isJson) continue
      for (const code of alternatives(this.#typeOf(status)))
        if (code.isNumberLiteralType())
          found[code.value] = [...(found[code.value] ?? []), ...alternatives(this.#typeOf(output))]
    }
    return Object.fromEntries(Object.entries(found).map(([code, types]) => [code, this.#oneOf(types)]))
  }

  #nameTypesOf(file: string): void {
    if (!NAMED_IN.test(file.slice(root.length + 1))) return
    const source = this.#project.program.getSourceFile(file)
    const module = source && this.#checker.getSymbolAtLocation(source)
    if (!module) return
    for (const symbol of this.#checker.getExportsOfModule(module)) {
      const isType = symbol.flags & (SymbolFlags.TypeAlias | SymbolFlags.Interface)
      if (!isType) continue
      const type = this.#checker.getDeclaredTypeOfSymbol(symbol)
      const isTaken = this.#names.has(type.id) || this.#taken.has(symbol.name)
      if (!type.isObjectType() || isTaken) continue
      this.#names.set(type.id, symbol.name)
      this.#taken.add(symbol.name)
    }
  }

  #typeNamed(file: string, name: string): Type {
    const source = this.#project.program.getSourceFile(file)
    const module = source && this.#checker.getSymbolAtLocation(source)
    const found = module && this.#checker.getExportsOfModule(module).find((symbol) => symbol.name === name)
    if (!found) throw new Error(`${file} exports no ${name}`)
    return this.#checker.getDeclaredTypeOfSymbol(found)
  }

  #typeOf(symbol: Declared): Type {
    const type = this.#checker.getTypeOfSymbol(symbol)
    if (!type) throw new Error(`the compiler knows no type of ${symbol.name}`)
    return type
  }

  /** A type without a name that holds itself is some JSON, of any depth. */
  #schema(type: Type): JsonSchema {
    if (this.#open.has(type.id)) return {}
    this.#open.add(type.id)
    try {
      return this.#printed(type)
    } finally {
      this.#open.delete(type.id)
    }
  }

  #printed(type: Type): JsonSchema {
    if (type.flags & TypeFlags.Boolean) return { type: 'boolean' }
    if (type.isUnionType()) return this.#oneOf(type.getTypes())
    if (type.isStringLiteralType() || type.isNumberLiteralType() || type.isBooleanLiteralType())
      return { type: typeof type.value, const: type.value }
    const { flags } = type
    if (flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) return { type: 'string' }
    if (flags & TypeFlags.Number) return { type: 'number' }
    if (flags & TypeFlags.Null) return { type: 'null' }
    if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return {}
    if (flags & TypeFlags.NonPrimitive) return { type: 'object' }
    if (type.isObjectType() || type.isIntersectionType()) return this.#object(type)
    throw new Error(`no JSON Schema for ${this.#checker.typeToString(type)}`)
  }

  #object(type: Type): JsonSchema {
    if (this.#checker.isArrayType(type) || this.#checker.isTupleType(type)) {
      const items = type.isTypeReference() ? this.#checker.getTypeArguments(type) : []
      return { type: 'array', items: this.#oneOf([...items]) }
    }
    const name = this.#names.get(type.id)
    if (name === undefined) return this.#fields(type)
    // Set before its fields are looked at, because they may lead back to it.
    if (!(name in this.#components)) {
      this.#components[name] = {}
      this.#components[name] = this.#fields(type)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  #fields(type: Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {}
    const required: string[] = []
    for (const field of this.#checker.getPropertiesOfType(type)) {
      const types = alternatives(this.#typeOf(field)).filter((one) => !(one.flags & TypeFlags.Undefined))
      // Left out everywhere else where it is never there: `callback?: undefined` of another sort of event.
      if (types.length === 0) continue
      const description = oneLine(this.#checker.getDocumentationCommentOfSymbol(field))
      properties[field.name] = { ...(description !== '' && { description }), ...this.#oneOf(types) }
      const mayLack = field.flags & SymbolFlags.Optional || types.length < alternatives(this.#typeOf(field)).length
      if (!mayLack) required.push(field.name)
    }
    const [others] = this.#checker.getIndexInfosOfType(type)
    return {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: others ? this.#schema(others.valueType) : false,
    }
  }

  #oneOf(types: readonly Type[]): JsonSchema {
    const schemas = [...new Map(types.map((one) => [one.id, one])).values()].map((one) => this.#schema(one))
    const words = schemas.filter(({ const: word }) => word !== undefined)
    const rest = schemas.filter(({ const: word }) => word === undefined)
    const isEither = words.length === 2 && words.every(({ type }) => type === 'boolean')
    const enumerated: JsonSchema[] = isEither
      ? [{ type: 'boolean' }]
      : words.length > 1
        ? [{ enum: words.map(({ const: word }) => word).sort() }]
        : words
    const distinct = [...new Map([...enumerated, ...rest].map((one) => [JSON.stringify(one), one])).values()]
    return distinct.length === 1 ? (distinct[0] as JsonSchema) : { anyOf: distinct }
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function alternatives(type: Type): readonly Type[] {
  return type.isUnionType() ? type.getTypes() : [type]
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The text of `src/server/control/answers.gen.ts`: a line for each route and each shared type. */
export function answersModule(printed: PrintedAnswers): string {
  const parts = Object.entries(printed).map(([part, record]) => `${JSON.stringify(part)}:{\n${lines(record)}\n}`)
  const text = `{${parts.join(',')}}`.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&')
  return [
    '/** What the control plane answers; `test/house/printed.test.ts` makes it of the types of its routes. */',
    `export const controlAnswers = \`${text}\``,
    '',
  ].join('\n')
}

function lines(record: object): string {
  return Object.entries(record)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',\n')
}

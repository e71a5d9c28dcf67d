/** Turns every control operation into a command, from its declaration. */

import { readFileSync } from 'node:fs'
import { wholeCsv } from '../../client/whole-csv.ts'
import { must } from '../../core/model/must.ts'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import type { JsonSchema } from '../../http/json-schema.ts'
import {
  type AnyOperation,
  cellsOf,
  type OperationField,
  operationFields,
  operations,
  requestFor,
} from '../../server/operation-fields.ts'
import {
  type Arguments,
  CLEAN,
  type CliCommand,
  type CommandEntry,
  type CommandGroup,
  csvFlag,
  type Flag,
  jsonFlag,
  UsageError,
  urlFlag,
  worldFlag,
} from './command.ts'
import type { Output } from './output.ts'
import { serverOf } from './server.ts'
import { table } from './table.ts'
import { fileToSend, saveTo } from './world-files.ts'

const common = [urlFlag, worldFlag, jsonFlag]
const saving: readonly Flag[] = [
  { name: 'out', value: 'file', help: 'The file to write.', names: 'files' },
  { name: 'replace', help: 'Overwrite the file.' },
]

/** Such as `mfano control float.fund`. */
export async function controlGroup(): Promise<CommandGroup> {
  const commands = [...operations.values()].map((one) => commandOf(one, ['control', one.id]))
  return { commands, flags: common, otherwise: 'operation.list' }
}

/** Such as `mfano float fund`. */
export async function declaredEntries(): Promise<CommandEntry[]> {
  const byNoun = Map.groupBy(operations.values(), ({ id }) => id.split('.', 1).join())
  return [...byNoun].map(([name, all]) => {
    const commands = all.map((one) => commandOf(one, [name, one.id.slice(name.length + 1)]))
    const names = commands.map((one) => one.name)
    const otherwise = must(['list', 'show', ...names].find((verb) => names.includes(verb)))
    const summary = `${all.map((one) => one.summary).join('. ')}.`
    return { name, summary, load: async () => ({ commands, otherwise }) }
  })
}

/** The help is printed from the schemas on demand, because reading them takes time. */
function commandOf(declared: AnyOperation, path: readonly [group: string, name: string]): CliCommand {
  let fields: readonly OperationField[] | undefined
  const taken = () => {
    fields ??= operationFields(declared).filter((field) => !(declared.list && field.name === 'format'))
    return fields
  }
  const csv = declared.list ? [csvFlag] : []
  const files = isFile(declared) ? saving : []
  return {
    name: path[1],
    summary: `${declared.summary}.`,
    get examples() {
      return [
        [
          'mfano',
          ...path,
          ...taken()
            .filter(({ required }) => required)
            .map(example),
        ].join(' '),
      ]
    },
    get words() {
      return taken().filter(isWord).map(wordOf).join(' ')
    },
    get flags() {
      return [
        ...taken()
          .filter((field) => !isWord(field))
          .map(flagOf),
        ...files,
        ...common,
        ...csv,
      ]
    },
    ...(declared.description !== undefined && { about: declared.description }),
    run: (given, output) => ask(declared, taken(), given, output),
  }
}

function isWord(field: OperationField): boolean {
  return field.in === 'path' || common.some(({ name }) => name === field.name)
}

function wordOf({ name, required }: OperationField): string {
  return required ? name.toUpperCase() : `[${name.toUpperCase()}]`
}

function flagOf({ name, description, required, schema }: OperationField): Flag {
  const { enum: choices, type } = schema
  const value = valueName(schema)
  return {
    name: flagName(name),
    field: name,
    value,
    help: `${description || `The ${name}.`}${required ? ' Required.' : ''}`,
    expected: value,
    ...(type === 'boolean' && { alone: 'true', example: '' }),
    ...(schemaTypes(schema).includes('array') && { many: true }),
    ...(choices?.every((one) => typeof one === 'string') && { choices }),
  }
}

function example(field: OperationField): string {
  const { in: place, name, schema } = field
  const value = schema.enum?.[0] ?? (/^(?:number|integer)$/.test(String(schema.type)) ? 1 : name.toUpperCase())
  return place === 'path' || isWord(field) ? name.toUpperCase() : `--${flagName(name)} ${value}`
}

/** `collectionCallbackUrl` becomes `collection-callback-url`. */
function flagName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

async function ask(
  declared: AnyOperation,
  fields: readonly OperationField[],
  given: Arguments,
  output: Output,
): Promise<number> {
  const words = fields.filter(isWord)
  const parameters = Object.fromEntries(
    fields.flatMap((field) => {
      const at = words.indexOf(field)
      const typed = at < 0 ? given.all(flagName(field.name)) : given.words.slice(at, at + 1)
      return typed.length === 0 ? [] : [[field.name, typedField(field, typed, output)]]
    }),
  )
  const [method, path, request] = requestFor(declared, parameters)
  const { control } = serverOf(given).within('for-ever')
  if (declared.list && given.has('csv')) {
    if (given.has('json')) throw new UsageError('--json and --csv contradict each other. Remove one of them.')
    output.out(await wholeCsv(control, { list: path, ...request }))
    return CLEAN
  }
  const open = () => control.open(method as 'GET', path as '/clock', request as object)
  if (isFile(declared)) {
    const { file, bytes } = await saveTo(given.get('out') ?? `${declared.id}.mfano`, given, output, open)
    output.out(given.has('json') ? `${JSON.stringify({ file, bytes })}\n` : `${file} is written.\n`)
    return CLEAN
  }
  const response = await open()
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) await copy(response, output)
  else output.out(shown(declared, JSON.parse(await response.text()), given, output))
  return CLEAN
}

function isFile({ answers = {} }: AnyOperation): boolean {
  return Object.keys(answers).some((type) => type.startsWith('application/vnd.'))
}

/** Also copies streams that do not end. */
async function copy({ body }: Response, output: Output): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) output.out(decoder.decode(chunk, { stream: true }))
}

function shown({ list }: AnyOperation, answer: object, given: Arguments, output: Output): string {
  if (!list || given.has('json')) return `${JSON.stringify(answer, null, 2)}\n`
  const rows = cellsOf(list, answer)
  if (rows.length === 0) return `No ${list.name}.\n`
  const paths: readonly string[] = list.columns
  const columns = paths.map((path, i) => ({
    title: path.replaceAll(/\.|(?=[A-Z])/g, ' ').toUpperCase(),
    of: (row: unknown[]) => (row[i] == null ? null : String(row[i])),
    least: 12,
    spare: i,
    ...(rows.every((row) => typeof row[i] === 'number') && { right: true as const }),
  }))
  return table(rows, columns, output)
}

// Reads typed values of parameters by the types of their schemas.

/** Such as `number`, `true|false` or `json`, for the help. */
export function valueName(schema: JsonSchema): string {
  const types = schemaTypes(schema)
  if (schema.enum) return schema.enum.join('|')
  if (types.length === 0) return 'text|@file'
  return types.map((type) => NAMES[type] ?? type).join('|')
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'number',
  object: 'json',
  array: 'values',
  boolean: 'true|false',
}

/** Empty if the schema allows any type. */
export function schemaTypes({
  type = [],
  anyOf = [],
  oneOf = [],
  enum: known = [],
  const: only,
}: JsonSchema): string[] {
  const said = typeof type === 'string' ? [type] : type
  const literal = [...known, ...(only === undefined ? [] : [only])].map(typeOf)
  return [...new Set([...said, ...[...anyOf, ...oneOf].flatMap(schemaTypes), ...(said.length > 0 ? [] : literal)])]
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

export function typedField(field: OperationField, typed: readonly string[], output: Output): unknown {
  const { schema } = field
  const types = schemaTypes(schema)
  const values = typed.map((text) => readValue(field, types, text, output))
  const listed =
    types.includes('array') && (typed.length > 1 || (!types.includes('string') && !Array.isArray(values[0])))
  if (!listed) return values.at(-1)
  return typed.map((text) => readValue(field, schemaTypes(schema.items ?? {}), text, output))
}

function readValue({ name, schema }: OperationField, types: readonly string[], typed: string, output: Output): unknown {
  const inFile = typed.startsWith('@') && types.every((type) => type !== 'string' || types.length > 1)
  if (inFile && String(schema['contentMediaType']).includes('vnd')) return fileToSend(typed.slice(1), output)
  const text = inFile ? textIn(typed.slice(1)) : typed
  const value = asValue(text)
  const type = typeOf(value)
  const fits = types.length === 0 || types.includes(type) || (type === 'number' && types.includes('integer'))
  if (fits) return value
  if (types.includes('string') || types.includes('array')) return text
  throw new UsageError(`--${name}: expected ${valueName({ type: [...types] })}, got ${JSON.stringify(text)}.`)
}

function asValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${whyUnreadable(error)}.`)
  }
}

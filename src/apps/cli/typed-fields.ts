/** Values of parameters as they are typed: by the types of their schemas. */
import { readFileSync } from 'node:fs'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import type { JsonSchema } from '../../http/json-schema.ts'
import type { OperationField } from '../../server/operation-fields.ts'
import { UsageError } from './command.ts'
import type { Output } from './output.ts'
import { fileToSend } from './world-files.ts'

/** Stands for the value in the help: `number`, `true|false`, `json`. */
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

/** The types that a schema allows; none where it allows any. */
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

/** What was typed for a parameter, once or more often. */
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

/** A text that is no JSON is itself. */
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

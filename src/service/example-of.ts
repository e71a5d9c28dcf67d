/** Example answers of the contract, made from the schemas. */
import { type JsonSchema, resolved } from '../http/json-schema.ts'
import { float } from '../model/wire.ts'
import { localPhone } from './phone-forms.ts'

const UUID = '7d0c1c8e-3a54-4c0e-9f5b-2f1d1f4f8a10'

/** What an example is made from besides its schema. */
export interface ExampleSource {
  /** What readers recognise, by name. */
  values: Readonly<Record<string, unknown>>
  components: Record<string, JsonSchema>
  /** The request that is answered: the example repeats its values. */
  request?: object | undefined
}

/** A value that a schema allows: what a reader would expect under that name, or the simplest there is. */
export function exampleOf(schema: JsonSchema, source: ExampleSource, name = '', within = ''): unknown {
  const it = resolved(schema, source.components)
  if (it.const !== undefined) return asPrinted(it, it.const)
  if (it.enum !== undefined) return it.enum[0]
  if (it.properties !== undefined) {
    const fields = Object.entries(it.properties)
    return Object.fromEntries(fields.map(([key, field]) => [key, exampleOf(field, source, key, name)]))
  }
  if (it.items !== undefined) return [exampleOf(it.items, source, name, within)]
  if ((it.anyOf !== undefined && it.type === undefined) || Array.isArray(it.type)) return null
  if (it.type === 'boolean') return true
  const asked = (source.request as Record<string, unknown> | undefined)?.[name]
  const known = asked ?? source.values[`${within}.${name}`] ?? source.values[name]
  if (it.type === 'number' || it.type === 'integer') return asPrinted(it, typeof known === 'number' ? known : 0)
  if (it.pattern?.startsWith('^\\d{4}-\\d\\d-\\d\\dT')) return '2025-01-24T16:28:00.319643'
  if (known === undefined || typeof known === 'object')
    return it.format === 'uuid' || name === 'requestId' ? UUID : 'text'
  if (name === 'id') return UUID
  return it.description?.includes('07…') ? localPhone(String(known)) : String(known)
}

/** Amounts that carry one decimal on the wire carry it in examples, too; the field's own words say which do. */
function asPrinted({ type, description = '' }: JsonSchema, value: unknown): unknown {
  if (type !== 'number' || typeof value !== 'number' || !/one decimal|0\.0/.test(description)) return value
  return float(Math.round(value * 100))
}

/** One wrong answer of the service on purpose, to see whether a test suite notices. */
import * as z from 'zod'

export const MUTATION = 'MFANO_MUTATION'
export type ForKit = { tell: Mutation } | { keepIn: string }

/** Names joined by dots, `[]` for the items of a list: `data.records[].amount`. */
export type FieldPath = string

interface ChangeRecord<How> {
  schema: z.ZodType<How>
  /** Without it, the change is made elsewhere: where a field is left out, or a callback signed. */
  value?(value: unknown, how: How): unknown
}

function change<How>(record: ChangeRecord<How>): ChangeRecord<How> {
  return record
}

/** How a field is told instead. To add a change, add a record. */
export const mutationChanges = {
  multiply: change({ schema: z.number(), value: multiplied }),
  anotherOf: change({
    schema: z.array(z.unknown()).min(1),
    value: (value, others) => others.find((other) => other !== value) ?? value,
  }),
  map: change({
    schema: z.record(z.string(), z.unknown()),
    value: (value, to) => (Object.hasOwn(to, String(value)) ? to[String(value)] : value),
  }),
  remove: change({ schema: z.literal(true) }),
  reverse: change({
    schema: z.literal(true),
    value: (value) => (Array.isArray(value) ? value.toReversed() : value),
  }),
  signature: change({ schema: z.literal('wrong') }),
}

type ChangeName = keyof typeof mutationChanges
export type Change = {
  [Name in ChangeName]: { [Key in Name]: z.output<(typeof mutationChanges)[Name]['schema']> }
}[ChangeName]

const entries = Object.entries<ChangeRecord<unknown>>(mutationChanges)
const changes = entries.map(([name, { schema }]) => z.strictObject({ [name]: schema }))
export const changeSchema = z.union(changes) as z.ZodType<unknown> as z.ZodType<Change>

export interface Mutation {
  in: 'answer' | 'callback'
  of: string
  at: FieldPath
  change: Change
}

export function mutated(body: unknown, { at, change }: Mutation): unknown {
  return 'signature' in change ? body : changedAt(body, at === '' ? [] : at.split('.'), change)
}

function changedAt(value: unknown, path: readonly string[], change: Change): unknown {
  const [step, ...rest] = path
  if (step === undefined) return changed(value, change)
  const name = step.replace(/\[\]$/, '')
  const inList = step !== name
  if (name === '') return Array.isArray(value) ? value.map((item) => changedAt(item, rest, change)) : value
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value
  const { [name]: inner, ...others } = value
  if ('remove' in change && rest.length === 0 && !inList) return others
  const told = changedAt(inner, inList ? ['[]', ...rest] : rest, change)
  return { ...value, [name]: told }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function changed(value: unknown, change: Readonly<Record<string, unknown>>): unknown {
  return entries.reduce(
    (told, [name, record]) => (name in change && record.value ? record.value(told, change[name]) : told),
    value,
  )
}

function multiplied(value: unknown, by: number): unknown {
  if (typeof value === 'number') return value * by
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return String(Number(value) * by)
  return value
}

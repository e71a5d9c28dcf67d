import * as z from 'zod'
import { localTime } from './model/calendar.ts'
import type { Directory } from './model/directory.ts'
import type { Fields, FieldType, Kind, Kinds } from './model/kind.ts'
import { isRecord, madeOnce, must } from './model/must.ts'
import type { JsonObject } from './model/payment.ts'
import { numberOf, textOf } from './model/text.ts'
import {
  type CommonFacts,
  type Facts,
  type PastMethod,
  PaymentHistory,
  pastMethods,
} from './scenarios/decisions/payment-facts.ts'
import { timeFields, timeWords } from './scenarios/keys/hours.ts'

const party = { known: 'bool', name: 'string', network: 'string', balance: 'double' } as const

type SeenFacts = CommonFacts & Partial<Pick<Facts, 'walletAvailable' | 'history'>>

type Look = (facts: SeenFacts, kind: Kind | undefined, directory: Directory | undefined) => object

interface Thing extends Variable {
  about: string
  look: Look
  known?(kind: Kind): boolean
}

function thing(name: string, { fields, words, ...about }: Omit<Thing, 'name' | 'create' | 'methods'>): Thing {
  return { ...variable(name, fields, { ...(words && { words }) }), ...about }
}

const subscriber: Look = ({ request }, kind, directory) =>
  must(directory).subscriber(textIn(request, kind?.party?.field))

function textIn(request: JsonObject, field: string | undefined): string {
  const value = field === undefined ? undefined : request[field]
  return typeof value === 'string' ? value : ''
}

/** A missing instant is the start of 1970. */
const missingOf: Record<FieldType, unknown> = {
  string: '',
  double: 0,
  bool: false,
  'list<string>': [],
  dyn: {},
  'google.protobuf.Timestamp': new Date(0),
}

export const things = {
  organisation: thing('organisation', {
    fields: { uuid: 'string', name: 'string', parent: 'bool' },
    about: 'The organisation that sends the request. `parent` is false for a sub-account.',
    look: ({ organisation = {} }) => organisation,
  }),
  wallet: thing('wallet', {
    fields: { available: 'double' },
    about: "The money that the organisation can spend in the payment's currency, in shillings.",
    look: ({ walletAvailable }) => ({ available: walletAvailable }),
  }),
  time: thing('time', {
    fields: timeFields,
    words: timeWords,
    about: "The time of the request, in the scenario's time zone.",
    look: ({ nowUs, zoneUs = 0 }) => localTime(nowUs, zoneUs),
  }),
  payee: thing('payee', {
    fields: party,
    about: 'The payee, by the directory.',
    look: subscriber,
    known: (kind) => kind.party?.type === 'phone' && kind.direction === 'out',
  }),
  payer: thing('payer', {
    fields: party,
    about: 'The payer, by the directory.',
    look: subscriber,
    known: (kind) => kind.party?.type === 'phone' && kind.direction === 'in',
  }),
  account: thing('account', {
    fields: { known: 'bool', holder: 'string' },
    about: 'The bank account, by the directory.',
    look: ({ request }, kind, directory) =>
      must(directory).bankAccount(textIn(request, kind?.party?.bank), textIn(request, kind?.party?.field)),
    known: (kind) => kind.party?.type === 'account',
  }),
  business: thing('business', {
    fields: { known: 'bool', name: 'string' },
    about: 'The till or paybill, by the directory.',
    look: ({ request }, kind, directory) => must(directory).business(textIn(request, kind?.party?.field)),
    known: (kind) => kind.party?.type === 'business',
  }),
}

export const HISTORY = 'history'

const past: Omit<Thing, 'about'> = {
  name: HISTORY,
  fields: {},
  methods: pastMethods,
  create: PaymentHistory,
  look: ({ history }) => must(history),
  known: ({ party }) => party !== null,
}

const allThings: readonly Omit<Thing, 'about'>[] = [...Object.values(things), past]

/** `has(request.x)` is rewritten to this: the request without defaults of absent fields. */
export const SENT_FIELDS = '_given'

export interface Variable {
  name: string
  fields: Fields
  words?: Readonly<Record<string, readonly string[]>>
  methods?: Readonly<Record<string, PastMethod>>
  create: new (row: never, core: never) => object
}

export interface RowVariable<Row, Core> extends Variable {
  create: new (row: Row | undefined, core: Core) => Readonly<Record<string, unknown>>
}

type Line<Row, Core> = readonly [type: FieldType, read: (row: Row, core: Core) => unknown, missing?: unknown]

/** A field is one line: its type in CEL, how it is read, and what it is when there is nothing to read. */
export function rowVariable<Row, Core>(
  name: string,
  lines: Readonly<Record<string, Line<Row, Core>>>,
  absent: (field: string, type: FieldType) => unknown = (_, type) => missingOf[type],
): RowVariable<Row, Core> {
  // CEL knows values by their class, and nothing else of them is to be seen.
  const create = class Value {
    readonly #row: Row | undefined
    readonly #core: Core
    readonly #known: Record<string, unknown> = {}
    constructor(row: Row | undefined, core: Core) {
      this.#row = row
      this.#core = core
    }
    static {
      for (const [field, [type, read, missing = absent(field, type)]] of Object.entries(lines))
        Object.defineProperty(Value.prototype, field, {
          get(this: Value) {
            this.#known[field] ??= this.#row === undefined ? missing : read(this.#row, this.#core)
            const value = this.#known[field]
            // A body may be the null of JSON.
            return type === 'dyn' ? value : (value ?? missing)
          },
        })
    }
  }
  const fields = Object.fromEntries(Object.entries(lines).map(([field, [type]]) => [field, type]))
  return { name, fields, create: create as unknown as RowVariable<Row, Core>['create'] }
}

export function variable(
  name: string,
  fields: Fields,
  { defaults = {}, ...more }: Pick<Variable, 'words'> & { defaults?: Readonly<Record<string, unknown>> } = {},
): Variable {
  return { ...rowVariable(name, linesOf(fields), (field, type) => defaults[field] ?? missingOf[type]), ...more }
}

export function givenVariable(fields: Fields): Variable {
  return rowVariable(SENT_FIELDS, linesOf(fields), () => undefined)
}

function linesOf(fields: Fields): Record<string, Line<unknown, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, lineOf(name, type)]))
}

function lineOf(name: string, type: FieldType): Line<unknown, unknown> {
  const read = (row: unknown) => {
    const value = isRecord(row) ? row[name] : undefined
    if (value === undefined || value === null) return undefined
    if (type === 'string') return textOf(value)
    if (type === 'double') return Number.isFinite(numberOf(value)) ? numberOf(value) : undefined
    if (type === 'bool') return value === true
    return Array.isArray(value) ? value.map(textOf) : undefined
  }
  return [type, read]
}

export const vocabularyOf = madeOnce((kind: Kind): ReadonlyMap<string, Variable> => {
  const { fields: sent, words, defaults } = requestFields(kind.request)
  // Every payment has an amount, 0 where its request has none.
  const fields: Fields = { amount: 'double', ...sent }
  const variables = [
    variable('request', fields, { words, defaults }),
    givenVariable(fields),
    ...allThings.filter(({ known }) => known?.(kind) ?? true),
  ]
  return new Map(variables.map((one) => [one.name, one]))
})

export function kindsThatKnow(name: string, kinds: Kinds): string[] {
  const thing = allThings.find((one) => one.name === name)
  return thing ? kinds.filter((kind) => thing.known?.(kind) ?? true).map((kind) => kind.name) : []
}

interface About {
  variables: ReadonlyMap<string, Variable>
  kind?: Kind
  directory?: Directory
}

/** A variable that CEL sees, made of what `look` finds in the facts. */
function seen(name: string, look: Look): [string, Line<SeenFacts, About>] {
  const read = (facts: SeenFacts, { variables, kind, directory }: About) => {
    const create = must(variables.get(name)).create as new (row: object) => object
    return new create(look(facts, kind, directory))
  }
  return [name, ['dyn', read]]
}

const { create: Context } = rowVariable<SeenFacts, About>('context', {
  now: ['google.protobuf.Timestamp', ({ nowUs }) => new Date(Math.floor(nowUs / 1000))],
  nth: ['dyn', ({ nth }) => BigInt(nth)],
  headers: ['dyn', ({ headers = {} }) => headers],
  ...Object.fromEntries(['request', SENT_FIELDS].map((name) => seen(name, ({ request }) => request))),
  ...Object.fromEntries(allThings.map(({ name, look }) => seen(name, look))),
})

export function contextOf(facts: Facts, directory: Directory, kinds: Kinds): object {
  const kind = kinds.of(facts.kind)
  return new Context(facts, { variables: vocabularyOf(kind), kind, directory })
}

export function contextWith(facts: SeenFacts, variables: ReadonlyMap<string, Variable>): object {
  return new Context(facts, { variables })
}

// The fields that conditions can use, derived from the schema of a request, so that both agree.

/** `type` is undefined for a field with parts, which conditions cannot use. */
interface Field {
  type?: FieldType
  words?: readonly string[]
  fallback?: unknown
}

export function requestFields(...schemas: readonly (z.ZodType | undefined)[]) {
  const fields: Record<string, FieldType> = {}
  const words: Record<string, readonly string[]> = {}
  const defaults: Record<string, unknown> = {}
  const shapes = schemas.flatMap((schema) => (schema instanceof z.ZodObject ? Object.entries(schema.shape) : []))
  for (const [name, one] of shapes) {
    const field = readField(one)
    if (field.type) fields[name] = field.type
    if (field.words) words[name] = field.words
    if (field.fallback !== undefined) defaults[name] = field.fallback
  }
  return { fields, words, defaults }
}

function readField(schema: unknown): Field {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return readField(schema.unwrap())
  if (schema instanceof z.ZodDefault) return { ...readField(schema.unwrap()), fallback: schema.def.defaultValue }
  // The validated schema is behind a preprocessing step, or before a transformation.
  if (schema instanceof z.ZodPipe) return readField(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  if (schema instanceof z.ZodObject) return {}
  if (schema instanceof z.ZodNumber) return { type: 'double' }
  if (schema instanceof z.ZodBoolean) return { type: 'bool' }
  if (schema instanceof z.ZodArray) return schema.element instanceof z.ZodObject ? {} : { type: 'list<string>' }
  return schema instanceof z.ZodEnum ? { type: 'string', words: schema.options.map(String) } : { type: 'string' }
}

/** The names, fields and CEL types that conditions of each kind of payment can use. */

import type { Fields, FieldType, Kind, Kinds } from './model/kind.ts'
import { isRecord } from './model/must.ts'
import { numberOf, textOf } from './model/text.ts'
import { hasHistory, type PastMethod, PaymentHistory, pastMethodsOf } from './scenarios/decide/payment-history.ts'
import { timeFields, timeWords } from './scenarios/language/hours.ts'
import { requestFields } from './scenarios/language/request-fields.ts'

const party = { known: 'bool', name: 'string', network: 'string', balance: 'double' } as const

interface Thing {
  fields: Fields
  words?: Variable['words']
  about: string
  known?(kind: Kind): boolean
}

export const things: Readonly<Record<string, Thing>> = {
  organisation: {
    fields: { uuid: 'string', name: 'string', parent: 'bool' },
    about: 'The organisation that sends the request. `parent` is false for a sub-account.',
  },
  wallet: {
    fields: { available: 'double' },
    about: "The money that the organisation can spend in the payment's currency, in shillings.",
  },
  time: {
    fields: timeFields,
    words: timeWords,
    about: "The time of the request, in the scenario's time zone.",
  },
  payee: {
    fields: party,
    about: 'The payee, by the directory.',
    known: (kind) => kind.party?.type === 'phone' && kind.direction === 'out',
  },
  payer: {
    fields: party,
    about: 'The payer, by the directory.',
    known: (kind) => kind.party?.type === 'phone' && kind.direction === 'in',
  },
  account: {
    fields: { known: 'bool', holder: 'string' },
    about: 'The bank account, by the directory.',
    known: (kind) => kind.party?.type === 'account',
  },
  business: {
    fields: { known: 'bool', name: 'string' },
    about: 'The till or paybill, by the directory.',
    known: (kind) => kind.party?.type === 'business',
  },
}

export const HISTORY = 'history'

/** `has(request.x)` is rewritten to this: the request without defaults of absent fields. */
export const GIVEN = '_given'

/** The prototype holds the defaults, because CEL knows values by their class. */
export type ValueClass = new (values: object) => object

function valueClass(fields: Fields, defaults: Readonly<Record<string, unknown>>): ValueClass {
  const typed = Object.entries(fields)
  const Value = class {
    [name: string]: unknown
    constructor(values: object) {
      if (!isRecord(values)) return
      for (const [name, type] of typed) {
        const value = fit(values[name], type)
        if (value !== undefined) this[name] = value
      }
    }
  }
  Object.assign(Value.prototype, defaults)
  return Value
}

function fit(value: unknown, type: FieldType): unknown {
  if (value === undefined || value === null) return undefined
  if (type === 'string') return textOf(value)
  if (type === 'double') return Number.isFinite(numberOf(value)) ? numberOf(value) : undefined
  if (type === 'bool') return value === true
  return Array.isArray(value) ? value.map(textOf) : undefined
}

/** The default of an absent field, or "", 0, false, []. */
function absent(fields: Fields, defaults: Variable['defaults'] = {}): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(fields)) {
    values[name] = type === 'string' ? '' : type === 'double' ? 0 : type === 'bool' ? false : []
  }
  return { ...values, ...defaults }
}

export interface Variable {
  name: string
  fields: Fields
  words?: Readonly<Record<string, readonly string[]>>
  defaults?: Readonly<Record<string, unknown>>
  methods?: Readonly<Record<string, PastMethod>>
  create: new (from: never) => object
}

const shared: readonly Variable[] = Object.entries(things).map(([name, { fields, words }]) =>
  variable(name, fields, { ...(words && { words }) }),
)

export function variable(name: string, fields: Fields, more: Pick<Variable, 'words' | 'defaults'> = {}): Variable {
  return { name, fields, ...more, create: valueClass(fields, absent(fields, more.defaults)) }
}

export function givenVariable(fields: Fields): Variable {
  return { name: GIVEN, fields, create: valueClass(fields, {}) }
}

function historyVariable({ direction }: Kind): Variable {
  return { name: HISTORY, fields: {}, methods: Object.fromEntries(pastMethodsOf(direction)), create: PaymentHistory }
}

const vocabularies = new WeakMap<Kind, ReadonlyMap<string, Variable>>()

export function vocabularyOf(kind: Kind): ReadonlyMap<string, Variable> {
  const known = vocabularies.get(kind)
  if (known) return known
  const made = new Map(variablesOf(kind).map((variable) => [variable.name, variable]))
  vocabularies.set(kind, made)
  return made
}

function variablesOf(kind: Kind): Variable[] {
  const { fields: sent, words, defaults } = requestFields(kind.request)
  // Every payment has an amount, 0 where its request has none.
  const fields: Fields = { amount: 'double', ...sent }
  return [
    variable('request', fields, { words, defaults }),
    givenVariable(fields),
    ...shared.filter(({ name }) => things[name]?.known?.(kind) ?? true),
    ...(hasHistory(kind) ? [historyVariable(kind)] : []),
  ]
}

export function kindsThatKnow(name: string, kinds: Kinds): string[] {
  const thing = Object.hasOwn(things, name) ? things[name] : undefined
  if (name !== HISTORY && !thing) return []
  const known = name === HISTORY ? hasHistory : (thing?.known ?? (() => true))
  return kinds.filter(known).map((kind) => kind.name)
}

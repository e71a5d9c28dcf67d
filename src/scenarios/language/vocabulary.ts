/** What a condition can speak of, for each kind of payment: names, fields and their CEL types. */
import { numberOf, textOf } from '../../model/as-text.ts'
import { currencies, mobileCurrency } from '../../model/money.ts'
import { type PaymentKind, paymentKinds } from '../../model/payment.ts'
import type { Fields, FieldType } from './field-types.ts'
import { kindsWithHistory, Past } from './payment-history.ts'
import { timeFields, timeWords } from './time-of-day.ts'

const texts = <const Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, 'string'])) as Record<Name, 'string'>
const business = {
  amount: 'double',
  ...texts('businessNumber', 'accountNumber', 'remarks', 'occasion', 'callbackUrl', 'referenceId'),
} as const
const allocation = { amount: 'double', ...texts('fromOrganisationId', 'toOrganisationId') } as const

/** The request of each kind. An account verification has the amount 0, as its answer shows. */
const requestFields: Record<PaymentKind, Fields> = {
  'send-money': {
    amount: 'double',
    ...texts('phoneNumber', 'currencyCode', 'remarks', 'occasion', 'narration', 'firstName', 'lastName'),
    ...texts('serviceCode', 'customerName', 'callbackUrl', 'referenceId'),
  },
  till: business,
  paybill: business,
  'bank-payout': {
    amount: 'double',
    ...texts('bankCode', 'beneficiaryName', 'creditAccountNumber', 'narration', 'callbackUrl', 'referenceId'),
  },
  'account-verification': { amount: 'double', ...texts('bankCode', 'accountNumber', 'callbackUrl') },
  stk: {
    amount: 'double',
    ...texts('phoneNumber', 'currencyCode', 'description', 'accountReference', 'channel', 'narration', 'customerName'),
    ...texts('callbackUrl', 'referenceId'),
  },
  'bank-collection': { amount: 'double', ...texts('accountNumber', 'description', 'organisationId') },
  checkout: {
    amount: 'double',
    paymentMethods: 'list<string>',
    ...texts('currency', 'description', 'successUrl', 'cancelUrl', 'externalReference', 'customerEmail'),
    ...texts('customerPhone', 'paymentReference', 'callbackUrl'),
  },
  allocation,
  'de-allocation': allocation,
}

const party = { known: 'bool', name: 'string', network: 'string', balance: 'double' } as const

/** Things besides the request, and which kinds know them. */
const things: Readonly<Record<string, { fields: Fields; words?: Variable['words']; kinds?: readonly PaymentKind[] }>> =
  {
    organisation: { fields: { uuid: 'string', name: 'string', parent: 'bool' } },
    wallet: { fields: { available: 'double' } },
    time: { fields: timeFields, words: timeWords },
    payee: { fields: party, kinds: ['send-money'] },
    payer: { fields: party, kinds: ['stk', 'checkout'] },
    account: { fields: { known: 'bool', holder: 'string' }, kinds: ['bank-payout', 'account-verification'] },
    business: { fields: { known: 'bool', name: 'string' }, kinds: ['till', 'paybill'] },
  }

/** The name that earlier payments are asked by. */
export const HISTORY = 'history'

/** The name that `has(request.x)` is rewritten to: the request without the defaults of absent fields. */
export const GIVEN = '_given'

/** A class whose prototype holds the defaults, because CEL knows values by their class. */
export type ValueClass = new (values: Readonly<Record<string, unknown>>) => object

function valueClass(fields: Fields, defaults: Readonly<Record<string, unknown>>): ValueClass {
  const Value = class {
    constructor(values: Readonly<Record<string, unknown>>) {
      for (const name in fields) {
        const value = fit(values[name], fields[name] as FieldType)
        if (value !== undefined) Object.defineProperty(this, name, { value, enumerable: true })
      }
    }
  }
  Object.assign(Value.prototype, defaults)
  return Value
}

/** A request's value as its CEL type; undefined when there is none. */
function fit(value: unknown, type: FieldType): unknown {
  if (value === undefined || value === null) return undefined
  if (type === 'string') return textOf(value)
  if (type === 'double') return Number.isFinite(numberOf(value)) ? numberOf(value) : undefined
  if (type === 'bool') return value === true
  return Array.isArray(value) ? value.map(textOf) : undefined
}

/** What stands for an absent field: "", 0, false, []; the published default for a currency. */
function absent(fields: Fields): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(fields)) {
    values[name] = type === 'string' ? '' : type === 'double' ? 0 : type === 'bool' ? false : []
  }
  if (fields.currencyCode) values.currencyCode = 'KSH'
  return values
}

/** One thing that a condition can name. */
export interface Variable {
  name: string
  fields: Fields
  /** Fields that have one of a few words. */
  words?: Readonly<Record<string, readonly string[]>>
  /** Makes its value, from whatever its values are made of. */
  create: new (
    from: never,
  ) => object
}

const shared: readonly Variable[] = Object.entries(things).map(([name, { fields, words }]) =>
  variable(name, fields, words),
)

/** A name with fields of its own. */
export function variable(name: string, fields: Fields, words?: Variable['words']): Variable {
  return { name, fields, ...(words && { words }), create: valueClass(fields, absent(fields)) }
}

/** The name that `has(request.x)` asks, for such fields. */
export function givenVariable(fields: Fields): Variable {
  return { name: GIVEN, fields, create: valueClass(fields, {}) }
}

/** Its methods are functions of CEL. */
const history: Variable = { name: HISTORY, fields: {}, create: Past }

/** The names with fields that a condition of this kind can use. */
export function variablesOf(kind: PaymentKind): Variable[] {
  const fields = requestFields[kind]
  return [
    variable('request', fields, currencyWords(fields)),
    { name: GIVEN, fields, create: valueClass(fields, {}) },
    ...shared.filter(({ name }) => kindsThatKnow(name).includes(kind)),
    ...(kindsWithHistory.includes(kind) ? [history] : []),
  ]
}

/** Every endpoint spells currencies in its own way. */
function currencyWords({ currencyCode, currency }: Fields): Variable['words'] {
  return {
    ...(currencyCode && { currencyCode: currencies.map(mobileCurrency) }),
    ...(currency && { currency: ['KES'] }),
  }
}

/** The kinds whose conditions can use a name; none when nobody knows it. */
export function kindsThatKnow(name: string): readonly PaymentKind[] {
  if (name === HISTORY) return kindsWithHistory
  const thing = Object.hasOwn(things, name) ? things[name] : undefined
  return thing ? (thing.kinds ?? paymentKinds) : []
}

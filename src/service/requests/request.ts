/** Declares requests, whose fields and rules are functions of the choices of assumptions, and reads them. */
import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import type { Country } from '../../core/model/country.ts'
import type { Currency } from '../../core/model/money.ts'
import { keysIn } from '../../core/model/must.ts'
import { type Refuse, refused } from '../../core/model/refusal.ts'
import type { Basis, ConstraintWord } from '../../http/json-schema.ts'
import { check, type FieldRule, type FoundProblem, unmet, validationRefusal } from '../../http/validate.ts'
import { type AssumptionId, type Chosen, chosen, reason, usualChoices } from '../assumed/assumptions.ts'
import type { Conventional } from '../assumed/conventions.ts'
import { countries, type Spelling, spellings } from '../countries/countries.ts'
import { openObject, type RequestFields, requestFields, type Source } from '../fields.ts'

interface Declared<Shape extends z.ZodRawShape = z.ZodRawShape> {
  id?: string
  basis?: Basis
  fields(fields: RequestFields, choices: Chosen): Shape
  /** Rules that need more than one field, or an assumption. */
  rules?(choices: Chosen): readonly RequestRule[]
}

/** By the schema under the usual choices, which stands for the request in declarations of operations. */
const declarations = new WeakMap<z.ZodType, Declared>()

export function request<Shape extends z.ZodRawShape>(declared: Declared<Shape>): z.ZodObject<Shape, z.core.$strip> {
  const schema = schemaOf(declared, usualChoices)
  declarations.set(schema, declared)
  return schema
}

function schemaOf<Shape extends z.ZodRawShape>({ id, basis, fields }: Declared<Shape>, choices: Chosen) {
  const schema = openObject(() => fields(requestFields(choices), choices))
  return id === undefined ? schema : schema.meta({ id, 'x-basis': basis })
}

interface RequestUnder<S extends z.ZodType> {
  schema: S
  rules: readonly RequestRule[]
}

interface Under {
  /** No form of a request differs from the usual, so that the usual schemas hold. */
  isUsual: boolean
  requests: Map<z.ZodType, RequestUnder<z.ZodType>>
}

/** Cached, because the assumptions are the same for many requests. */
const made = new WeakMap<Chosen, Under>()

/** Those that fields depend on. */
const usual = [
  'blank-text',
  'null-fields',
  'number-forms',
  'decimals',
  'url-rules',
  'required-fields',
  'published-company-id',
  'reference-lookup',
  'list-pages',
] as const

function underOf(choices: Chosen): Under {
  let under = made.get(choices)
  if (!under) {
    under = { isUsual: usual.every((id) => choices[id] === usualChoices[id]), requests: new Map() }
    made.set(choices, under)
  }
  return under
}

export function requestUnder<S extends z.ZodType>(usualSchema: S, choices: Chosen): RequestUnder<S> {
  const under = underOf(choices)
  let known = under.requests.get(usualSchema)
  if (!known) {
    const declared = declarations.get(usualSchema)
    const schema = under.isUsual || !declared ? usualSchema : schemaOf(declared, choices)
    known = { schema, rules: declared?.rules?.(choices) ?? [] }
    under.requests.set(usualSchema, known)
  }
  return known as RequestUnder<S>
}

// Reads the parts of a request by their schemas and the assumptions in force.

export function readRequest<T>(usual: z.ZodType<T>, sent: unknown, chosen: Chosen): T {
  const { schema, rules } = requestUnder(usual, chosen)
  const told: FoundProblem[] = []
  const meant = underOf(chosen).isUsual ? sent : asMeant(schema, sent, chosen, (problem) => told.push(problem))
  const checked = check(schema, meant)
  const found = 'data' in checked ? told : [...checked.problems, ...told]
  const broken = unmet(rules, meant, (field) => found.some((one) => one.field === field))
  const problems = [...found, ...broken]
  if ('data' in checked && problems.length === 0) return checked.data
  throw validationRefusal(problems, 'data' in checked ? 0 : checked.more)
}

export const fieldUnknown = reason('fields', 'REQ_INVALID_FIELD', 'a field is unknown', 'unknown-fields', 'refuse')

export function refuseUnknown(names: readonly string[], choice: 'ignore' | 'refuse'): void {
  if (choice === 'ignore' || names.length === 0) return
  throw refused(fieldUnknown, names.map((name) => `${name}: is not known here`).join('; '), {
    fields: names.map((name) => ({ field: name, message: `${name} is not known` })),
  })
}

type Tell = (problem: FoundProblem) => void

function asMeant(schema: z.ZodType, sent: unknown, chosen: Chosen, tell: Tell, at = ''): unknown {
  const { type, optional } = unwrapped(schema)
  if (!(type instanceof z.ZodObject))
    return leafAsMeant(schema, type, optional, sent, chosen, (why) =>
      tell({ field: at, missing: false, message: `${at} ${why}`, text: `${at}: ${why}` }),
    )
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  const meant: Record<string, unknown> = { ...sent }
  const fields: [string, z.ZodType][] = Object.entries(type.shape)
  for (const [name, inner] of fields) {
    if (!Object.hasOwn(meant, name)) continue
    // Undefined rather than deleted, so that a field that is taken as absent is no unknown one.
    meant[name] = asMeant(inner, meant[name], chosen, tell, at === '' ? name : `${at}.${name}`)
  }
  return meant
}

function leafAsMeant(
  schema: z.ZodType,
  type: z.ZodType,
  optional: boolean,
  sent: unknown,
  chosen: Chosen,
  tell: (why: string) => void,
): unknown {
  const isText = type instanceof z.ZodString || type instanceof z.ZodEmail || type instanceof z.ZodEnum
  const isNumber = type instanceof z.ZodNumber
  if (sent === null && optional && chosen['null-fields'] === 'refuse') {
    tell('must not be null')
    return undefined
  }
  const isProse = isText && !(type instanceof z.ZodEnum)
  if (typeof sent === 'string' && sent.trim() === '' && isProse && chosen['blank-text'] === 'absent') return undefined
  const value = chosen['number-forms'] === 'convert' ? converted(sent, isText, isNumber) : sent
  if (typeof value === 'number' && assumptionOf(schema, 'multipleOf') === 'decimals')
    return inCents(value, chosen.decimals)
  const https = chosen['url-rules'] === 'https-only' && assumptionOf(schema, 'pattern') === 'url-rules'
  if (https && typeof value === 'string' && /^http:/i.test(value)) tell('must be an https URL')
  return value
}

/** Longer whole numbers change when they are read as numbers. */
export const LONGEST_DIGITS = 15

function converted(sent: unknown, isText: boolean, isNumber: boolean): unknown {
  if (isNumber && typeof sent === 'string' && /^(?:0|[1-9]\d{0,11})(?:\.\d{1,2})?$/.test(sent)) return Number(sent)
  const isWhole = typeof sent === 'number' && Number.isInteger(sent) && sent >= 0 && sent < 10 ** LONGEST_DIGITS
  return isText && isWhole ? String(sent) : sent
}

/** Uses the shortest decimal text, as the check of amounts does, so that binary fractions do not matter. */
function inCents(amount: number, choice: Chosen['decimals']): number {
  const [, whole, cents, more] = /^(\d{1,12})\.(\d\d)(\d+)$/.exec(String(amount)) ?? []
  if (choice === 'refuse' || whole === undefined || cents === undefined || more === undefined) return amount
  const up = choice === 'round' && more >= '5' ? 1 : 0
  return (Number(whole + cents) + up) / 100
}

/** Looks through wrappers of a schema at what it takes. */
function unwrapped(schema: z.ZodType, optional = false): { type: z.ZodType; optional: boolean } {
  const inner = wrapped(schema)
  if (!inner) return { type: schema, optional }
  return unwrapped(inner, optional || !(schema instanceof z.ZodPipe))
}

function wrapped(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return asZodType(schema.def.innerType)
  if (!(schema instanceof z.ZodPipe)) return undefined
  const { in: before, out } = schema.def
  return asZodType(before instanceof z.ZodTransform ? out : before)
}

/** zod gives the parts of a schema in a type without methods, which its small edition has too. */
function asZodType(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema
  throw new Error('A defect of mfano: a schema has a part of another edition of zod.')
}

function assumptionOf(schema: z.ZodType, word: ConstraintWord): string | undefined {
  for (let one: z.ZodType | undefined = schema; one; one = wrapped(one)) {
    const grounds = one.meta()?.['x-constraints']?.[word]
    if (grounds) return grounds['x-assumption']
  }
  return undefined
}

// Values that example requests share. A test sends every example.

export const EXAMPLE_REFERENCE = 'INV-2041'
export const EXAMPLE_UUID = '7d0c1c8e-3a54-4c0e-9f5b-2f1d1f4f8a10'
export const EXAMPLE_COMPANY = '00000000-0000-4000-8000-000000000001'

/** The world's own inbox, so that examples work unchanged. */
export function exampleCallbackUrl(baseUrl: string): string {
  return `${baseUrl}/_mfano/inbox/docs`
}

// Rules of bodies that need more than one field or an assumption.

export type RequestRule = Omit<FieldRule, 'ground'> & { ground: Source | AssumptionId | Conventional }

/** A body without a currency means the home currency. */
function within(currency: Spelling): NonNullable<FieldRule['when']> {
  return { field: 'currencyCode', is: currency === spellings[0] ? [currency, undefined] : [currency] }
}

export function forCurrency(currency: Spelling, rule: Omit<RequestRule, 'when'>): RequestRule {
  return { ...rule, when: within(currency) }
}

export function neededBy(
  needed: Readonly<Partial<Record<Spelling, readonly string[]>>>,
  ground: RequestRule['ground'],
) {
  return keysIn(needed).flatMap((currency) =>
    (needed[currency] ?? []).map((field) =>
      forCurrency(currency, { field, required: true, expected: `a text (needed for ${currency})`, ground }),
    ),
  )
}

export function atMost(field: string, maxLength: number, ground: RequestRule['ground']): RequestRule {
  return { field, maxLength, expected: `must be at most ${maxLength} characters`, ground }
}

export function phoneRules(field: string, chosen: Chosen): RequestRule[] {
  return spellings.map((spelling) => {
    const country = countries.ofCurrency(countries.currencyOf(spelling) ?? countries.home.currency)
    const pattern = phonePattern(country, chosen['phone-format'] === 'lenient')
    return forCurrency(spelling, {
      field,
      pattern,
      expected: `must be ${country.phone.form} for ${spelling}`,
      ground: 'phone-format',
    })
  })
}

const BANK_CODES = {
  '00-and-two-digits': { pattern: /^00\d{2}$/, expected: 'must be 00 and two digits' },
  '00-and-digits': { pattern: /^00\d+$/, expected: 'must be 00 and digits' },
  'four-digits': { pattern: /^\d{4}$/, expected: 'must be four digits' },
} as const

export function bankCodeRules(chosen: Chosen): RequestRule[] {
  const choice = chosen['bank-code-format']
  return choice === 'any' ? [] : [{ field: 'bankCode', ...BANK_CODES[choice], ground: 'bank-code-format' }]
}

// Phone numbers in requests and records.

export const phoneForm = reason(
  'fields',
  'REQ_INVALID_FIELD',
  'a phone number cannot be one of the country',
  'phone-format',
  { international: {}, lenient: {} },
)

export function phoneOf(
  { core, refuse }: { core: Core; refuse: Refuse<typeof phoneForm> },
  phoneNumber: string,
  currency: Currency,
): string {
  const country = countries.ofCurrency(currency)
  const found = mobileNumber(phoneNumber, country, chosen(core)['phone-format'] === 'lenient')
  if (found !== undefined) return found
  const expected = `must be ${country.phone.form} for ${country.spelling}`
  throw refuse(phoneForm, `phoneNumber: ${expected}, got "${phoneNumber.slice(0, 40)}"`, `phoneNumber ${expected}`)
}

function mobileNumber(text: string, country: Country, lenient: boolean): string | undefined {
  // The core gets it without what was only tolerated.
  if (country.phone.pattern.test(text)) return text
  if (!lenient || !phonePattern(country, lenient).test(text)) return undefined
  return text.replace(/[\s+-]/g, '').replace(/^0/, country.phone.prefix)
}

const GAP = '[\\s-]*'

/** Lenient: accepts a plus, the zero of home numbers, and groups of digits. */
function phonePattern({ phone: { pattern, prefix } }: Country, lenient: boolean): RegExp {
  if (!lenient) return pattern
  const own = pattern.source.slice(1 + prefix.length, -1)
  const digits = own.replaceAll(
    /(\[\d+\]|\\d|\d)(?:\{(\d+)\}|(?![\d\]}]))/g,
    (_, digit, times = 1) => `(?:${digit}${GAP}){${times}}`,
  )
  return new RegExp(`^${GAP}\\+?${GAP}(?:${[...prefix].join(GAP)}|0)${GAP}${digits}$`)
}

/** `254700000001` becomes `0700000001`, as in STK answers. Foreign numbers stay. */
export function localPhone(phoneNumber: string): string {
  const { prefix } = countries.home.phone
  return phoneNumber.startsWith(prefix) && phoneNumber.length === prefix.length + 9
    ? `0${phoneNumber.slice(prefix.length)}`
    : phoneNumber
}

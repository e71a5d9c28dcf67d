import type * as z from 'zod'
import type { Core } from '../../core/core.ts'
import type { Assumptions } from '../../core/model/assumption.ts'
import type { Country } from '../../core/model/country.ts'
import type { Currency } from '../../core/model/money.ts'
import { keysIn } from '../../core/model/must.ts'
import { type Refuse, refused } from '../../core/model/refusal.ts'
import { type Basis, grounded, type JsonSchema, type Printing, type SchemaPrinter } from '../../http/json-schema.ts'
import { type FieldRule, validate } from '../../http/validate.ts'
import { type AssumptionId, asChosen, type Chosen, chosen, reason, usualChoices } from '../assumptions/assumptions.ts'
import type { Conventional } from '../assumptions/conventions.ts'
import { countries, type Spelling, spellings } from '../countries/countries.ts'
import { LONGEST_DIGITS, openObject, type RequestFields, requestFields, type Source } from '../fields.ts'

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

/** Cached, because the assumptions are the same for many requests. */
const made = new WeakMap<Assumptions, Map<z.ZodType, RequestUnder<z.ZodType>>>()

export function requestUnder<S extends z.ZodType>(usualSchema: S, inForce: Assumptions): RequestUnder<S> {
  const requests = made.get(inForce) ?? new Map<z.ZodType, RequestUnder<z.ZodType>>()
  made.set(inForce, requests)
  let known = requests.get(usualSchema)
  if (!known) {
    const declared = declarations.get(usualSchema)
    const choices = asChosen(inForce)
    const isUsual = keysIn(usualChoices).every((id) => choices[id] === usualChoices[id])
    const schema = isUsual || !declared ? usualSchema : schemaOf(declared, choices)
    known = { schema, rules: declared?.rules?.(choices) ?? [] }
    requests.set(usualSchema, known)
  }
  return known as RequestUnder<S>
}

export function readRequest<T>(usualSchema: z.ZodType<T>, sent: unknown, inForce: Assumptions): T {
  const { schema, rules } = requestUnder(usualSchema, inForce)
  return validate(schema, sent, rules)
}

export const fieldUnknown = reason('fields', 'REQ_INVALID_FIELD', 'a field is unknown', 'unknown-fields', 'refuse')

export function refuseUnknown(names: readonly string[], inForce: Assumptions): void {
  if (asChosen(inForce)['unknown-fields'] === 'ignore') return
  throw refused(fieldUnknown, names.map((name) => `${name}: is not known here`).join('; '), {
    fields: names.map((name) => ({ field: name, message: `${name} is not known` })),
  })
}

export const EXAMPLE_REFERENCE = 'INV-2041'
export const EXAMPLE_UUID = '7d0c1c8e-3a54-4c0e-9f5b-2f1d1f4f8a10'
export const EXAMPLE_COMPANY = '00000000-0000-4000-8000-000000000001'

/** The world's own inbox, so that examples work unchanged. */
export function exampleCallbackUrl(baseUrl: string): string {
  return `${baseUrl}/_mfano/inbox/docs`
}

export type RequestRule = Omit<FieldRule, 'ground'> & { ground: Source | AssumptionId | Conventional }

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

/** Finds the fields of a request that were sent and only other currencies need. */
export function neededElsewhere<Field extends string>(needed: Readonly<Record<Spelling, readonly Field[]>>) {
  const all = [...new Set(Object.values(needed).flat())]
  return (request: Readonly<{ currencyCode: Spelling } & Partial<Record<Field, unknown>>>): Field[] =>
    all.filter((field) => request[field] !== undefined && !needed[request.currencyCode].includes(field))
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
  if (country.phone.pattern.test(phoneNumber)) return phoneNumber
  const isLenient = chosen(core)['phone-format'] === 'lenient'
  // The core gets it without what was only tolerated.
  if (isLenient && phonePattern(country, isLenient).test(phoneNumber))
    return phoneNumber.replace(/[\s+-]/g, '').replace(/^0/, country.phone.prefix)
  const expected = `must be ${country.phone.form} for ${country.spelling}`
  throw refuse(phoneForm, `phoneNumber: ${expected}, got "${phoneNumber.slice(0, 40)}"`, `phoneNumber ${expected}`)
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

// Prints schemas of requests with their rules, so that the contract is as strict as the checks.

export function printBody(printer: SchemaPrinter, usual: z.ZodType, choices: Chosen): JsonSchema {
  return printRequest(printer, usual, choices, (printed) => asSent(printed, choices))
}

export function printRequest(
  printer: SchemaPrinter,
  usual: z.ZodType,
  choices: Chosen,
  adapt = (printed: JsonSchema) => printed,
): JsonSchema {
  const { schema, rules } = requestUnder(usual, choices)
  const plain = rules.filter(({ when }) => !when)
  const add: Printing['add'] = ({ zodSchema, jsonSchema, path }) => {
    const own = plain.filter(({ field }) => `properties/${field}` === path.join('/'))
    if (own.length > 0) Object.assign(jsonSchema, ...own.map(wordsOf), groundedBy(own, jsonSchema))
    if (zodSchema === schema && plain.length < rules.length)
      jsonSchema.oneOf = oneOfCurrencies(jsonSchema, rules, choices)
  }
  return printer.print(schema, 'input', { add, adapt })
}

function groundedBy(rules: readonly RequestRule[], { 'x-constraints': before }: JsonSchema): JsonSchema {
  return { 'x-constraints': Object.assign({}, before, ...rules.map(groundsOf)) }
}

function wordsOf({ maxLength, pattern, enum: words, minimum, multipleOf, differsFrom }: RequestRule): JsonSchema {
  return {
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern && { pattern: pattern.source }),
    ...(words && { enum: [...words] }),
    ...(minimum !== undefined && { minimum }),
    ...(multipleOf !== undefined && { multipleOf }),
    ...(differsFrom !== undefined && { 'x-differs-from': differsFrom }),
  }
}

function groundsOf(rule: RequestRule): NonNullable<JsonSchema['x-constraints']> {
  const words = [...Object.keys(wordsOf(rule)), ...(rule.required ? ['required'] : [])]
  return Object.fromEntries(words.map((word) => [word, grounded(rule.ground)]))
}

/** So that a request must fit exactly one currency. */
function oneOfCurrencies(
  { properties = {} }: JsonSchema,
  rules: readonly RequestRule[],
  choices: Chosen,
): JsonSchema[] {
  const orNull = choices['null-fields'] === 'absent'
  const { enum: listed = grounded('published') } = properties['currencyCode']?.['x-constraints'] ?? {}
  return spellings.map((spelling) => {
    const own = rules.filter(({ when }) => when?.is.includes(spelling))
    const needed = own.flatMap(({ field, required }) => (required ? [field] : []))
    const isHome = spelling === spellings[0]
    const code: JsonSchema = isHome && orNull ? { enum: [spelling, null] } : { const: spelling }
    // Without a code it is the home currency, which is published.
    const grounds = { enum: listed, const: listed, required: grounded('published') }
    const fields: Record<string, JsonSchema> = { currencyCode: { ...code, 'x-constraints': grounds } }
    for (const rule of own) {
      const types = [properties[rule.field]?.type].flat()
      const word = types[0] ?? 'string'
      const nullable = types.includes('null') && !needed.includes(rule.field)
      const said = ofRounded(wordsOf(rule), choices)
      if (nullable && said.enum) said.enum.push(null)
      const { 'x-constraints': before, ...others } = fields[rule.field] ?? {}
      fields[rule.field] = {
        type: nullable ? [word, 'null'] : word,
        ...others,
        ...said,
        'x-constraints': { ...before, ...groundsOf(rule) },
      }
    }
    return { title: spelling, properties: fields, required: isHome ? needed : ['currencyCode', ...needed] }
  })
}

function ofRounded(said: JsonSchema, { decimals }: Chosen): JsonSchema {
  const { multipleOf, minimum, ...others } = said
  if (decimals === 'refuse') return said
  return { ...others, ...(minimum !== undefined && { minimum: decimals === 'round' ? minimum - 0.005 : minimum }) }
}

function asSent(schema: JsonSchema, chosen: Chosen): JsonSchema {
  const { properties, items, oneOf, anyOf, ...own } = schema
  const within = (one: JsonSchema) => asSent(one, chosen)
  if (!properties && !items && !oneOf) return chosen['number-forms'] === 'convert' ? inEitherForm(schema) : schema
  return {
    ...own,
    ...(anyOf && { anyOf }),
    ...(items && { items: within(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, within(one)])),
    }),
    ...(oneOf && { oneOf: oneOf.map(within) }),
    ...(own.type === 'object' && chosen['unknown-fields'] === 'refuse' && { additionalProperties: false }),
  }
}

function inEitherForm(schema: JsonSchema): JsonSchema {
  const { description, 'x-basis': basis, 'x-default': otherwise, 'x-constraints': grounds = {}, ...rest } = schema
  const { required, 'x-default': ofDefault, ...ofForm } = grounds
  const form: JsonSchema = { ...rest, ...(Object.keys(ofForm).length > 0 && { 'x-constraints': ofForm }) }
  const ofField = { ...(required && { required }), ...(ofDefault && { 'x-default': ofDefault }) }
  const types = [form.type].flat()
  const others =
    types.includes('number') || types.includes('integer')
      ? [{ type: 'string', pattern: numberText(form), 'x-constraints': { pattern: grounded('number-forms') } }]
      : types.includes('string')
        ? numbersAsText(form)
        : []
  if (others.length === 0) return schema
  return {
    ...(description !== undefined && { description }),
    ...(basis && { 'x-basis': basis }),
    ...(otherwise !== undefined && { 'x-default': otherwise }),
    ...(Object.keys(ofField).length > 0 && { 'x-constraints': ofField }),
    anyOf: [form, ...others],
  }
}

function numberText({ type, minimum = 0, multipleOf }: JsonSchema): string {
  const isWhole = [type].flat().includes('integer') || multipleOf === 1
  const least = String(Math.ceil(Math.max(1, minimum))).length - 1
  const cents = isWhole ? '(?:\\.0{1,2})?' : '(?:\\.\\d{1,2})?'
  const whole = `[1-9]\\d{${least},11}${cents}`
  return isWhole || minimum >= 1 ? `^${whole}$` : `^(?:${whole}|0\\.(?:0[1-9]|[1-9]\\d?))$`
}

function numbersAsText({ pattern = '\\S', maxLength, format, enum: words, const: only }: JsonSchema): JsonSchema[] {
  // These formats need characters that no number has.
  if (words || only !== undefined || format === 'uuid' || format === 'email') return []
  const longest = Math.min(maxLength ?? LONGEST_DIGITS, LONGEST_DIGITS)
  const ranges = pattern === '\\S' ? [{ minimum: 0, maximum: 10 ** longest - 1 }] : digitRanges(pattern, longest)
  return ranges.map((range) => ({
    type: 'integer',
    ...range,
    'x-constraints': { minimum: grounded('number-forms'), maximum: grounded('number-forms') },
  }))
}

// Finds the ranges of whole numbers that match a text pattern, because JSON Schema applies patterns to texts only.

interface DigitRange {
  minimum: number
  maximum: number
}

/** No pattern of ours looks at single digits behind these. */
const LEADING_DIGITS = 4

export function digitRanges(pattern: string, longest = LONGEST_DIGITS): DigitRange[] {
  const takes = new RegExp(pattern)
  const ranges: DigitRange[] = []
  for (let digits = 1; digits <= longest; digits++) {
    const leading = Math.min(digits, LEADING_DIGITS)
    const step = 10 ** (digits - leading)
    for (let head = digits === 1 ? 0 : 10 ** (leading - 1); head < 10 ** leading; head++) {
      const minimum = head * step
      if (!takes.test(String(minimum))) continue
      const last = ranges.at(-1)
      if (last?.maximum === minimum - 1) last.maximum += step
      else ranges.push({ minimum, maximum: minimum + step - 1 })
    }
  }
  return ranges
}

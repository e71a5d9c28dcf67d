/** Prints schemas of requests with their rules, so that the contract is as strict as the checks. */
import type * as z from 'zod'
import { grounded, type JsonSchema, type Printing, type SchemaPrinter } from '../../http/json-schema.ts'
import type { Chosen } from '../assumptions/assumptions.ts'
import { spellings } from '../countries/countries.ts'
import { LONGEST_DIGITS } from '../fields.ts'
import { type RequestRule, requestUnder } from './request.ts'

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

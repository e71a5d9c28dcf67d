/** Prints the forms of bodies that assumptions accept. */
import { grounded } from '../../core/model/assumption.ts'
import type { JsonSchema } from '../../http/json-schema.ts'
import type { Chosen } from '../assumed/assumptions.ts'
import { digitRanges, LONGEST_DIGITS } from './digit-ranges.ts'

export function asSent(schema: JsonSchema, chosen: Chosen): JsonSchema {
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
  const ranges = pattern === '\\S' ? [{ minimum: 0, maximum: 10 ** longest - 1 }] : digitRanges(pattern)
  return ranges
    .filter(({ minimum }) => String(minimum).length <= longest)
    .map(({ minimum, maximum }) => ({
      type: 'integer',
      minimum,
      maximum: Math.min(maximum, 10 ** longest - 1),
      'x-constraints': { minimum: grounded('number-forms'), maximum: grounded('number-forms') },
    }))
}

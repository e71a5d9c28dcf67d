/** Prints schemas of requests under the assumptions in force, so that the contract is as strict as the checks. */
import * as z from 'zod'
import { grounded } from '../../core/model/assumption.ts'
import type { JsonSchema } from '../../http/json-schema.ts'
import type { Chosen } from '../assumed/assumptions.ts'
import { spellings } from '../countries/countries.ts'
import { HTTPS_PATTERN, INVENTED_LIMITS, UUID_WORDS } from '../fields.ts'
import { loosened, remade } from './loosen.ts'
import { grown } from './more-fields.ts'
import { type RequestRule, rulesOf } from './request-rules.ts'
import { assumptionOf, asZodType, within } from './within.ts'

export function asked<S extends z.ZodType>(declared: S, chosen: Chosen): S {
  const schema = grown(declared, chosen)
  const under = loosened(schema, chosen)
  const rules = rulesOf(schema, chosen)
  const plain = rules.filter(({ when }) => !when)
  const printed = withRules(under, plain, chosen)
  const choices = oneOfCurrencies(under, rules, chosen)
  return described(printed, { requestRules: undefined, moreFields: undefined, ...(choices && { oneOf: choices }) }) as S
}

function withRules(schema: z.ZodType, rules: readonly RequestRule[], chosen: Chosen, at = ''): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const named = schema._zod.parent
    // A named object keeps its name when a field adds something to it.
    if (named instanceof z.ZodObject && schema.meta()?.id === undefined)
      return withRules(named, rules, chosen, at).meta({ ...schema.meta() })
    const fields: [string, z.ZodType][] = Object.entries(schema.shape)
    const shape = fields.map(([name, one]) => [name, withRules(one, rules, chosen, at === '' ? name : `${at}.${name}`)])
    return remade(schema, { shape: Object.fromEntries(shape) })
  }
  if (schema instanceof z.ZodOptional && schema.def.innerType instanceof z.ZodArray)
    return remade(schema, { innerType: withRules(asZodType(schema.def.innerType), rules, chosen, at) })
  if (schema instanceof z.ZodArray) {
    return remade(schema, { element: withRules(asZodType(schema.element), rules, chosen, `${at}.*`) })
  }
  const own = rules.filter(({ field }) => field === at)
  const said: object = Object.assign({}, readAs(schema, chosen), ...own.map(wordsOf))
  return Object.keys(said).length === 0 ? schema : described(schema, said, own)
}

function readAs(schema: z.ZodType, chosen: Chosen): JsonSchema {
  const { type, optional } = within(schema)
  const orNull = schema instanceof z.ZodPipe && optional && chosen['null-fields'] === 'absent'
  const isBlank = schema instanceof z.ZodPipe && optional && chosen['blank-text'] === 'absent'
  return {
    ...(assumptionOf(schema, 'format') === 'reference-lookup' && idOrReference(schema, chosen)),
    ...(orNull && { type: [type instanceof z.ZodNumber ? 'number' : 'string', 'null'] }),
    ...(orNull && type instanceof z.ZodEnum && { enum: [...type.options, null] }),
    ...(isBlank && assumptionOf(schema, 'pattern') === 'blank-text' && { pattern: undefined, minLength: undefined }),
    ...(schema instanceof z.ZodPipe && within(schema).type instanceof z.ZodEnum && { default: undefined }),
    ...(assumptionOf(schema, 'multipleOf') === 'decimals' && inCents(schema, chosen)),
    ...(chosen['url-rules'] === 'https-only' &&
      assumptionOf(schema, 'pattern') === 'url-rules' && { pattern: HTTPS_PATTERN }),
  }
}

/** A source that requires an id says in the same place that it is a uuid. */
function idOrReference(schema: z.ZodType, chosen: Chosen): JsonSchema {
  const grounds = schema.meta()?.['x-constraints'] ?? {}
  const { required: source = grounded('reference-lookup') } = grounds
  const isUuid = { format: source, pattern: source }
  return chosen['reference-lookup'] === 'off'
    ? { ...UUID_WORDS, 'x-constraints': { ...grounds, ...isUuid } }
    : { anyOf: [{ ...UUID_WORDS, 'x-constraints': isUuid }, { title: 'referenceId' }] }
}

/** Less than a cent is rounded or cut, and the rest must still be a valid amount. */
function inCents(schema: z.ZodType, { decimals }: Chosen): JsonSchema {
  if (decimals === 'refuse') return {}
  const grounds = { minimum: grounded('decimals'), exclusiveMaximum: grounded(INVENTED_LIMITS) }
  return {
    multipleOf: undefined,
    exclusiveMinimum: undefined,
    maximum: undefined,
    minimum: decimals === 'round' ? 0.005 : 0.01,
    exclusiveMaximum: decimals === 'round' ? 999_999_999_999.995 : 1e12,
    'x-constraints': { ...schema.meta()?.['x-constraints'], ...grounds },
  }
}

function ofRounded(said: JsonSchema, { decimals }: Chosen): JsonSchema {
  const { multipleOf, minimum, ...others } = said
  if (decimals === 'refuse') return said
  return { ...others, ...(minimum !== undefined && { minimum: decimals === 'round' ? minimum - 0.005 : minimum }) }
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

/** As `oneOf`, so that a request must fit exactly one currency. */
function oneOfCurrencies(schema: z.ZodType, rules: readonly RequestRule[], chosen: Chosen): JsonSchema[] | undefined {
  if (!(schema instanceof z.ZodObject) || !rules.some(({ when }) => when)) return undefined
  const orNull = chosen['null-fields'] === 'absent'
  const { enum: listed = grounded('published') } =
    asZodType(schema.shape['currencyCode']).meta()?.['x-constraints'] ?? {}
  const codeGrounds = { enum: listed, const: listed }
  return spellings.map((spelling) => {
    const own = rules.filter(({ when }) => when?.is.includes(spelling))
    const needed = own.flatMap(({ field, required }) => (required ? [field] : []))
    const isHome = spelling === spellings[0]
    const code: JsonSchema = isHome && orNull ? { enum: [spelling, null] } : { const: spelling }
    // Without a code it is the home currency, which is published.
    const grounds = { ...codeGrounds, required: grounded('published') }
    const properties: Record<string, JsonSchema> = { currencyCode: { ...code, 'x-constraints': grounds } }
    for (const rule of own) {
      const { type, optional } = within(schema.shape[rule.field])
      const word = type instanceof z.ZodNumber ? 'number' : 'string'
      const nullable = optional && orNull && !needed.includes(rule.field)
      const said = ofRounded(wordsOf(rule), chosen)
      if (nullable && said.enum) said.enum.push(null)
      const { 'x-constraints': before, ...others } = properties[rule.field] ?? {}
      properties[rule.field] = {
        type: nullable ? [word, 'null'] : word,
        ...others,
        ...said,
        'x-constraints': { ...before, ...groundsOf(rule) },
      }
    }
    return { title: spelling, properties, required: isHome ? needed : ['currencyCode', ...needed] }
  })
}

function groundsOf(rule: RequestRule): NonNullable<JsonSchema['x-constraints']> {
  const words = [...Object.keys(wordsOf(rule)), ...(rule.required ? ['required'] : [])]
  return Object.fromEntries(words.map((word) => [word, grounded(rule.ground)]))
}

function described(schema: z.ZodType, more: object, rules: readonly RequestRule[] = []): z.ZodType {
  const copy = remade(schema, {}, z.any())
  const meta = schema.meta()
  const said: object = Object.assign({}, ...rules.map(groundsOf))
  const inner = within(schema).type.meta()
  const constraints = { ...inner?.['x-constraints'], ...meta?.['x-constraints'], ...said }
  const grounds = Object.keys(said).length > 0 ? { 'x-constraints': constraints } : {}
  z.globalRegistry.add(copy, { ...meta, ...more, ...grounds })
  return copy
}

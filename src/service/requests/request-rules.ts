/** Rules of request bodies that a schema of single fields does not say, under the choices in force. */
import * as z from 'zod'
import type { Source } from '../../core/model/basis.ts'
import type { FieldRule } from '../../http/validate.ts'
import type { AssumptionId, Chosen } from '../assumed/assumptions.ts'
import { countries, type Spelling, spellings } from '../countries/countries.ts'
import { phonePattern } from './phone-forms.ts'

/** A rule, and what it rests on. */
export type RequestRule = Omit<FieldRule, 'ground'> & { ground: Source | AssumptionId }
export type RequestRules = (chosen: Chosen) => readonly RequestRule[]

/** The rules of a schema go with it, and with its copies: they are part of its meaning. */
export function ruled<S extends z.ZodType>(schema: S, requestRules: RequestRules): S {
  // In place: a copy would have the same name, which may stand for one schema only.
  z.globalRegistry.add(schema, { ...schema.meta(), requestRules })
  return schema
}

/** Made once for the choices in force, which are the same for many requests. */
const made = new WeakMap<Chosen, Map<z.ZodType, readonly RequestRule[]>>()

export function rulesOf(schema: z.ZodType, chosen: Chosen): readonly RequestRule[] {
  let bySchema = made.get(chosen)
  if (!bySchema) {
    bySchema = new Map()
    made.set(chosen, bySchema)
  }
  let rules = bySchema.get(schema)
  if (!rules) {
    rules = (schema.meta()?.['requestRules'] as RequestRules | undefined)?.(chosen) ?? []
    bySchema.set(schema, rules)
  }
  return rules
}

/** Where the body names a currency, or leaves it out and means that at home. */
function within(currency: Spelling): NonNullable<FieldRule['when']> {
  return { field: 'currencyCode', is: currency === spellings[0] ? [currency, undefined] : [currency] }
}

/** A rule that holds for one currency of mobile money. */
export function forCurrency(currency: Spelling, rule: Omit<RequestRule, 'when'>): RequestRule {
  return { ...rule, when: within(currency) }
}

/** Fields that each currency needs. */
export function neededBy(needed: Readonly<Record<Spelling, readonly string[]>>, ground: RequestRule['ground']) {
  return Object.entries(needed).flatMap(([currency, fields]) =>
    fields.map((field) =>
      forCurrency(currency as Spelling, { field, required: true, expected: `a text (needed for ${currency})`, ground }),
    ),
  )
}

/** How long a text may be. */
export function atMost(field: string, maxLength: number, ground: RequestRule['ground']): RequestRule {
  return { field, maxLength, expected: `must be at most ${maxLength} characters`, ground }
}

/** What phone numbers look like in each country. */
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

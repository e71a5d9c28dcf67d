/** Rules of bodies that need more than one field or an assumption. */

import { keysIn } from '../../core/model/must.ts'
import type { FieldRule } from '../../http/validate.ts'
import type { AssumptionId, Chosen } from '../assumed/assumptions.ts'
import type { Conventional } from '../assumed/conventions.ts'
import { countries, type Spelling, spellings } from '../countries/countries.ts'
import type { Source } from '../fields.ts'
import { phonePattern } from './phone-forms.ts'

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

/** Small schemas that several parts of a scenario file share. */
import * as z from 'zod'
import { spread } from '../../model/delay-schemas.ts'
import { delayOrNeverPattern, settlementOrNeverPattern, settlementPattern } from '../../model/delays.ts'
import type { Kinds } from '../../model/kind.ts'
import { LONGEST_FIELD } from '../../model/record-fields.ts'

export const digits = (shortest: number, longest: number) =>
  z.string().regex(new RegExp(`^\\d{${shortest},${longest}}$`))
export const shortText = (longest = 1000) => z.string().check(z.minLength(1), z.maxLength(longest))
export const delayOrNever = z.union([z.string().regex(delayOrNeverPattern), spread]).meta({
  description: 'a duration such as 4s, a range such as 30s..2m, or never',
  examples: ['4s', '30s..2m', 'never', { median: '20s', p95: '3m' }],
})
const bankingDescription =
  'a duration such as 4s, a range such as 30s..2m, or banking time such as 1..3 banking days or 4 banking hours'
export const settlement = z.union([z.string().regex(settlementPattern), spread]).meta({
  description: bankingDescription,
  examples: ['2d', '1..3 banking days', '4 banking hours', { median: '20s', p95: '3m' }],
})
export const settlementOrNever = z.union([z.string().regex(settlementOrNeverPattern), spread]).meta({
  description: `${bankingDescription}, or never`,
  examples: ['4s', '30s..2m', '1..3 banking days', 'never', { median: '20s', p95: '3m' }],
})
// The kind decides which ends are possible, so they are checked with the kind. Editors offer all.
export const endOf = (kinds: Kinds) => {
  const ends = new Set([...kinds].flatMap((kind) => kind.ends))
  return z.string().meta({ description: 'the state that the payment ends in', enum: [...ends] })
}
/** As an enum, so that editors and messages list them. */
export const kindOrAny = (kinds: Kinds) => z.enum([...kinds.names, 'any'])
export const fieldsOf = (kinds: Kinds) =>
  z.record(z.string(), z.union([z.string().max(LONGEST_FIELD), z.number(), z.null()])).meta({
    description: 'fields of the record to set; the simulated rails fill in the others',
    examples: [{ errorCode: 'NAME_MISMATCH', errorDesc: 'Beneficiary name does not match' }],
    propertyNames: { enum: [...new Set([...kinds].flatMap((kind) => Object.keys(kind.fields)))] },
  })

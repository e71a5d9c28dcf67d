import * as z from 'zod'
import type { Countries } from '../../core/model/country.ts'
import { must } from '../../core/model/must.ts'
import type { Json } from '../../core/model/payment.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { textOf } from '../../core/model/text.ts'
import { clockModes, parseDuration, parseInstant, parseWorldInstant, WORLD_INSTANT } from '../../core/model/time.ts'
import { NAME_RULES } from '../../core/new-world.ts'
import { shape } from '../../inspect/view.ts'
import { paymentsService } from '../../service/service.ts'

const typedWhole = z.coerce.number().int('must be a whole number')

/** In a query, where numbers are texts. */
export function typedNumber(least: number, most: number) {
  return typedWhole.min(least, `must be at least ${least}`).max(most, `must be at most ${most}`)
}

export const listLimit = typedNumber(1, 1000).default(100).describe('At most so many.')

export const pageBefore = typedWhole.optional().describe('`next` of the page before.')

export const searched = (description: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .transform((text) => searchTexts(paymentsService.countries, text))
    .optional()
    .describe(description)

export const oneOf = (names: string[]) =>
  z.enum(names, {
    error: ({ input }) => `must be one of ${names.join(', ')}${nearestTo(textOf(input), names)}`,
  })

function nearestTo(given: string, names: readonly string[]): string {
  const guess = (didYouMean(given, names) || didYouMean(given.toUpperCase(), names)).trim()
  return guess === '' ? '' : ` (${guess.charAt(0).toLowerCase()}${guess.slice(1)})`
}

const WRITTEN_NUMBER = /^\+?[\d\s().-]{3,}$/

const WRITTEN_AMOUNT = /^(?:[a-z]{3}\s*)?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})?$/i

/**
 * Adds other spellings of a phone number or amount: `0712…`, `+254 712…` and `254712…` find the same, and so do `KES
 * 1,500.00` and `1500`.
 */
export function searchTexts(countries: Countries, typed: string): string[] {
  const text = typed.trim()
  const [, whole, decimals = ''] = WRITTEN_AMOUNT.exec(text) ?? []
  if (whole !== undefined && whole + decimals !== text.replace(/\D/g, ''))
    return [...new Set([text, String(Number(whole.replaceAll(',', '') + decimals))])]
  if (!WRITTEN_NUMBER.test(text)) return [text]
  const digits = text.replace(/\D/g, '')
  return [...new Set([text, digits, ...otherSpellings(countries, digits)].filter((one) => one !== ''))]
}

function otherSpellings({ phonePrefixes }: Countries, digits: string): string[] {
  if (digits.startsWith('0')) return digits.length < 3 ? [] : phonePrefixes.map((prefix) => prefix + digits.slice(1))
  const prefix = phonePrefixes.find((one) => digits.startsWith(one) && digits.length > one.length)
  return prefix === undefined ? [] : [`0${digits.slice(prefix.length)}`]
}

export function wholeNumber(least: number, most?: number) {
  const number = z.int('must be a whole number').min(least, `must be at least ${least}`)
  return most === undefined ? number : number.max(most, `must be at most ${most}`)
}

export const titleField = z.string().trim().min(1, 'must not be empty').max(200, 'must be at most 200 characters')

export const addressField = z.string().min(1, 'must not be empty').max(2000, 'must have at most 2000 characters')

export const rateField = z
  .number()
  .gt(0, 'must be greater than 0')
  .max(1_000_000, 'must be at most 1000000')
  .optional()
  .describe('World seconds per real second.')

export const seedField = z.int().min(0, 'must be 0 or more').max(0xffff_ffff, 'must be at most 4294967295').optional()

/** An object becomes text, which is what libraries read. */
export const scenarioField = z
  .union([z.string(), z.looseObject({})])
  .transform((given) => (typeof given === 'string' ? given : JSON.stringify(given)))
  .optional()

export const organisationField = z.string().optional().describe('Uuid of the organisation. Default: the first.')

export const parametersField = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .optional()
  .describe("Values for the scenario's parameters.")

export const nameField = z
  .string()
  .meta(NAME_RULES)
  .optional()
  .describe('1 to 63 lower-case letters, digits and inner hyphens. Default: a free one.')

/**
 * Any JSON value. It was parsed from JSON, so it is not checked. `z.json()` is recursive, and tools that generate types
 * from a contract cannot read that.
 */
export const anyJson: z.ZodType<Json> = z.any()

export const instant = z
  .string()
  // In a query that was not encoded, the plus sign of an offset arrives as a space.
  .transform((text) => text.replace(/ (?=\d\d:\d\d$)/, '+'))
  .refine((text) => parseInstant(text) !== undefined, 'must be an ISO 8601 date and time such as 2025-01-24T16:28:00')
  .transform((text) => must(parseInstant(text)))

/** An instant in the scenario's zone unless it has its own. */
export const startingInstant = z
  .string()
  .refine((text) => parseWorldInstant(text) !== undefined, `must be ${WORLD_INSTANT}`)

export const durationField = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as 90s, 5m, 1h30m or 2d')
  .transform((text) => must(parseDuration(text)))

export const worldClockShape = shape('WorldClock', () =>
  z.object({ mode: z.enum(clockModes), rate: z.number(), now: z.string() }),
)

export const clockRateShape = shape('ClockRate', () => z.object({ mode: z.enum(clockModes), rate: z.number() }))

export const problemShape = shape('Problem', () =>
  z.object({
    message: z.string(),
    file: z.string(),
    line: z.number().describe('From 1.'),
    column: z.number().describe('From 1.'),
    path: z.string().describe('The place in the scenario: `rules[2].then.end`; empty for the file as a whole.'),
  }),
)

/** Reads the parts of a request by their schemas and the assumptions in force. */
import * as z from 'zod'
import { refused } from '../../core/model/refusal.ts'
import type { ConstraintWord } from '../../http/json-schema.ts'
import { check, type FoundProblem, unmet, validationRefusal } from '../../http/validate.ts'
import { type Chosen, reason } from '../assumed/assumptions.ts'
import { isUsual, requestUnder } from './request.ts'

export function readRequest<T>(usual: z.ZodType<T>, sent: unknown, chosen: Chosen): T {
  const { schema, rules } = requestUnder(usual, chosen)
  const asUsual = isUsual(chosen)
  const told: FoundProblem[] = []
  const meant = asUsual ? sent : asMeant(schema, sent, chosen, (problem) => told.push(problem))
  const checked = check(asUsual ? compiled(schema) : schema, meant)
  const found = 'data' in checked ? told : [...checked.problems, ...told]
  const broken = unmet(rules, meant, (field) => found.some((one) => one.field === field))
  const problems = [...found, ...broken]
  if ('data' in checked && problems.length === 0) return checked.data
  throw validationRefusal(problems, 'data' in checked ? 0 : checked.more)
}

const compilations = new WeakMap<z.ZodType, z.ZodType>()

/** Several times as fast for valid requests. Hosts that forbid generated code get the schema itself. */
function compiled<T>(schema: z.ZodType<T>): z.ZodType<T> {
  let made = compilations.get(schema)
  if (made === undefined) {
    // To a compiler, fields that nobody has read yet might lead back to the schema.
    if (schema instanceof z.ZodObject) void schema.shape
    made = z.compile(schema)
    compilations.set(schema, made)
  }
  return made as z.ZodType<T>
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
  const { type, optional } = within(schema)
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
function within(schema: z.ZodType, optional = false): { type: z.ZodType; optional: boolean } {
  const inner = wrapped(schema)
  if (!inner) return { type: schema, optional }
  return within(inner, optional || !(schema instanceof z.ZodPipe))
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

// Finds the ranges of whole numbers that match a text pattern, because JSON Schema applies patterns to texts only.

export interface DigitRange {
  minimum: number
  maximum: number
}

/** Longer whole numbers change when they are read as numbers. */
export const LONGEST_DIGITS = 15

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

/** Reads the parts of a request by their schemas and the assumptions in force. */

import * as z from 'zod'
import { keysIn } from '../../core/model/must.ts'
import { refused } from '../../core/model/refusal.ts'
import { check, type FoundProblem, unmet, validationRefusal } from '../../http/validate.ts'
import { type Chosen, reason } from '../assumed/assumptions.ts'
import { requestAssumptions } from '../assumed/groups.ts'
import { LONGEST_DIGITS } from './digit-ranges.ts'
import { loosened } from './loosen.ts'
import { grown } from './more-fields.ts'
import { rulesOf } from './request-rules.ts'
import { assumptionOf, within } from './within.ts'

const usual = keysIn(requestAssumptions).map((id) => [id, requestAssumptions[id].alternatives[0]] as const)

export function readRequest<T>(declared: z.ZodType<T>, sent: unknown, chosen: Chosen): T {
  const schema = grown(declared, chosen)
  const asUsual = isUsual(chosen)
  const told: FoundProblem[] = []
  const meant = asUsual ? sent : asMeant(schema, sent, chosen, (problem) => told.push(problem))
  const checked = check(asUsual ? compiled(schema) : loosened(schema, chosen), meant)
  const found = 'data' in checked ? told : [...checked.problems, ...told]
  const broken = unmet(rulesOf(schema, chosen), meant, (field) => found.some((one) => one.field === field))
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

/** Cached, because the assumptions are the same for many requests. */
const judged = new WeakMap<Chosen, boolean>()

function isUsual(chosen: Chosen): boolean {
  let is = judged.get(chosen)
  if (is === undefined) {
    is = usual.every(([id, choice]) => chosen[id] === choice)
    judged.set(chosen, is)
  }
  return is
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

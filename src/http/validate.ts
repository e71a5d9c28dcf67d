/** Checks values against schemas, and words what is wrong. */
import type * as z from 'zod'
import { didYouMean } from '../core/model/did-you-mean.ts'
import type { FieldProblem, Refusal } from '../core/model/refusal.ts'
import { commonReasons, refused } from '../core/model/refusal-reasons.ts'
import { safeParse } from '../core/model/safe-parse.ts'
import { MOST_ENTRIES } from './limits.ts'
import { findTooMany } from './road/bounds.ts'

/** Who made more mistakes than this has one to mend that made them all. */
const MOST_TOLD = 20
/** Names of fields that nothing reads are kept up to here. */
const MOST_UNREAD = 100
const SENSITIVE = /secret|password|token|card|cvc|cvv|pin/i

/** One thing that is wrong with a value. */
export interface Problem {
  field: string
  missing: boolean
  /** As error forms that list fields say it. */
  message: string
  /** What was wrong, what was expected and what came. */
  text: string
}

/** What a value is by its schema, or what is wrong with it: the first of many problems, and how many there are besides. */
export type Checked<T> = { data: T } | { problems: Problem[]; more: number }

/**
 * Checks a value against a schema; throws the refusal that names every wrong field, what was expected and what came.
 * Of many wrong fields it names the first and counts the others.
 * Schemas word their checks as the second half of a sentence: `must be greater than 0`.
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const checked = check(schema, value)
  if ('data' in checked) return checked.data
  throw refusalOf(checked.problems, checked.more)
}

/** Checks a value against a schema. */
export function check<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  const bound = beyondBound(schema, value)
  if (bound) return { problems: [bound], more: 0 }
  const result = safeParse(schema, value)
  if (result.success) return { data: result.data }
  const { issues } = result.error
  const wrong = issues.reduce((count, issue) => count + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
  const problems = issues
    .slice(0, MOST_TOLD)
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, MOST_TOLD).map((key) => unknownKey(schema, issue, key))
        : toProblem(issue, value),
    )
    .slice(0, MOST_TOLD)
  return { problems, more: wrong - problems.length }
}

/** All that is wrong, in one refusal. `missing`: whether its code says that fields are missing; only where all are, unless told. */
export function refusalOf(
  problems: readonly Problem[],
  more: number,
  missing = problems.every((problem) => problem.missing),
): Refusal {
  const fields: FieldProblem[] = problems.map(({ field, message }) => ({ field, message }))
  if (more > 0) fields.push({ field: 'body', message: `body has ${more} more problems` })
  return refused(
    missing ? commonReasons.fieldMissing : commonReasons.fieldInvalid,
    [...problems.map(({ text }) => text), ...(more > 0 ? [`and ${more} more`] : [])].join('; '),
    { fields },
  )
}

/** Before anything else is looked at: to find and word a mistake in each of many takes longer than anybody waits. */
function beyondBound(schema: z.ZodType, value: unknown): Problem | undefined {
  const found = findTooMany(schema, value)
  if (!found) return undefined
  const { path, count } = found
  const field = path || 'body'
  const expected = `must have at most ${MOST_ENTRIES} entries`
  return { field, missing: false, message: `${field} ${expected}`, text: `${field}: ${expected}, got ${count}` }
}

function toProblem(issue: z.core.$ZodIssue, root: unknown): Problem {
  const field = issue.path.map(String).join('.') || 'body'
  const found = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    root,
  )
  const missing = found === undefined || found === null
  const expected = missing ? `must be ${article(wanted(issue))}` : phrase(issue)
  // A check of a part of it has said what it found there.
  const got = expected.includes(', got ') ? '' : `, got ${shown(field, found)}`
  return {
    field,
    missing,
    message: missing ? `${field} is required` : `${field} ${expected}`,
    text: missing
      ? `${field}: is required, expected ${article(wanted(issue))}, got nothing`
      : `${field}: ${expected}${got}`,
  }
}

/** A field that is not among those of an object that takes no others. */
function unknownKey<T>(schema: z.ZodType<T>, issue: z.core.$ZodIssue, key: string): Problem {
  const known = Object.keys(shapeAt(schema, issue.path) ?? {})
  const list = known.length > 0 ? `; known: ${known.join(', ')}.${didYouMean(key, known)}` : ''
  const field = [...issue.path, key].map(String).join('.').slice(0, 80)
  return { field, missing: false, message: `${field} is not known`, text: `${field}: is not known here${list}` }
}

/** A schema as it is walked into: optional and other wrappers, lists, objects. */
interface Walkable {
  shape?: Record<PropertyKey, Walkable>
  element?: Walkable
  unwrap?(): Walkable
}

/** The fields of the object at a path of a schema. */
function shapeAt(schema: z.ZodType, path: readonly PropertyKey[]): Walkable['shape'] {
  const unwrapped = (one: Walkable | undefined): Walkable | undefined =>
    one?.unwrap && !one.shape && !one.element ? unwrapped(one.unwrap()) : one
  let at = unwrapped(schema as Walkable)
  for (const key of path) at = unwrapped(typeof key === 'number' ? at?.element : at?.shape?.[key])
  return at?.shape
}

/** The check as `must …`: the schema's own words, or the type that was expected. */
function phrase(issue: z.core.$ZodIssue): string {
  if (issue.message.startsWith('must ')) return issue.message
  return `must be ${article(wanted(issue))}`
}

function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return TYPE_WORDS[issue.expected] ?? issue.expected
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'custom' && typeof issue.params?.['expected'] === 'string') return issue.params['expected']
  return 'valid value'
}

const TYPE_WORDS: Record<string, string> = { int: 'whole number', record: 'object' }

function article(noun: string): string {
  if (/^(one of|a |an )/.test(noun)) return noun
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

/** A value as it came, cut short; nothing of a field that may hold a secret. */
function shown(field: string, value: unknown): string {
  if (SENSITIVE.test(field)) return 'something else'
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'an array' : 'an object'
}

/** The names of fields that came and that the schema does not know, dotted; only as deep as the schema goes, and the first of many. */
export function unknownFields(sent: unknown, known: unknown): string[] {
  const names: string[] = []
  findUnknown(names, '', sent, known)
  return names.slice(0, MOST_UNREAD)
}

function findUnknown(names: string[], prefix: string, sent: unknown, known: unknown): void {
  if (!isObject(sent) || !isObject(known)) return
  for (const key of Object.keys(sent)) {
    const value = sent[key]
    if (Object.hasOwn(known, key)) {
      if (typeof value === 'object') findUnknown(names, `${prefix}${key}.`, value, known[key])
    } else if (value !== null) names.push(`${prefix}${key}`)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One requirement, as data: what checks it also prints it. Only the words that are given are looked at. */
export interface FieldRule {
  /** The field; `.*` stands for every entry of a list: `user.roles.*`. */
  field: string
  /** Holds only where another field has one of these values; undefined where it may be left out. */
  when?: { field: string; is: readonly (string | undefined)[] }
  /** It has to be there; not so for other values of `when`. */
  required?: true
  maxLength?: number
  pattern?: RegExp
  enum?: readonly string[]
  minimum?: number
  multipleOf?: number
  /** The field that it must differ from. JSON Schema has no word for that: the contract says `x-differs-from`. */
  differsFrom?: string
  /** The second half of a sentence: `must be at most 13 characters`. */
  expected: string
  /** What it rests on: a source, or the id of an assumption. */
  ground: string
}

/** The rules that a body breaks. `isWrong`: what its schema has found wrong already is not said twice. */
export function unmet(rules: readonly FieldRule[], body: unknown, isWrong: (field: string) => boolean): Problem[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const found: Problem[] = []
  // Most rules of a body hold by the same field of it.
  let decider: string | undefined
  let decides: string | undefined
  for (const rule of rules) {
    const { when } = rule
    if (when && when.field !== decider) {
      decider = when.field
      decides = (ownOf(body, decider) ?? undefined) as string | undefined
    }
    if (when && !when.is.includes(decides)) continue
    // Most fields are the body's own: nothing is made for them unless something is wrong.
    if (!rule.field.includes('.')) judge(rule, rule.field, ownOf(body, rule.field))
    else for (const [field, value] of valuesAt(body, rule.field.split('.'))) judge(rule, field, value)
  }
  return found

  function judge(rule: FieldRule, field: string, value: unknown) {
    if (isMet(rule, value, body as object) || isWrong(field) || found.some((one) => one.field === field)) return
    found.push(problemOf(rule, field, value))
  }
}

function ownOf(body: object, name: string): unknown {
  return Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined
}

function isMet(rule: FieldRule, value: unknown, body: object): boolean {
  return value === undefined || value === null ? !rule.required : meets(rule, value, body)
}

function problemOf(rule: FieldRule, field: string, value: unknown): Problem {
  const { expected } = rule
  if (value === undefined || value === null) {
    return {
      field,
      message: `${field} is required`,
      text: `${field}: is required, expected ${expected}, got nothing`,
      missing: true,
    }
  }
  return {
    field,
    message: `${field} ${expected}`,
    text: `${field}: ${expected}, got ${brokenValue(rule, value)}`,
    missing: false,
  }
}

function meets(
  { maxLength, pattern, enum: words, minimum, multipleOf, differsFrom }: FieldRule,
  value: unknown,
  body: object,
) {
  if (differsFrom !== undefined) return (body as Record<string, unknown>)[differsFrom] !== value
  if (typeof value === 'number')
    return (minimum === undefined || value >= minimum) && (multipleOf === undefined || value % multipleOf === 0)
  if (typeof value !== 'string') return true
  // No text has more characters than units.
  if (maxLength !== undefined && value.length > maxLength && [...value].length > maxLength) return false
  if (pattern && !pattern.test(value)) return false
  return !words || words.includes(value)
}

function brokenValue({ maxLength }: FieldRule, value: unknown): string {
  if (typeof value !== 'string') return String(value)
  return maxLength === undefined ? JSON.stringify(value.slice(0, 60)) : `${[...value].length} characters`
}

/** The values at a path, each with its place. */
function valuesAt(body: object, [name = '', ...rest]: string[], at = ''): [string, unknown][] {
  const within = (key: string, value: unknown): [string, unknown][] => {
    const place = at === '' ? key : `${at}.${key}`
    if (rest.length === 0) return [[place, value]]
    return typeof value === 'object' && value !== null ? valuesAt(value, rest, place) : []
  }
  if (name === '*') return Array.isArray(body) ? body.flatMap((value, index) => within(String(index), value)) : []
  return within(name, ownOf(body, name))
}

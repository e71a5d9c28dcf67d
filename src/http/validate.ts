import * as z from 'zod'
import { safeParse } from '../core/model/json.ts'
import { inText, isSecretName } from '../core/model/mask.ts'
import { isRecord, valueAt } from '../core/model/must.ts'
import { didYouMean } from '../core/model/problems.ts'
import { commonReasons, type FieldProblem, refused } from '../core/model/refusal.ts'
import { bare, knownKeys, partAt } from '../core/schema-problems.ts'
import { MOST_ENTRIES } from './read-body.ts'

/** With more mistakes than this, one mistake in the caller's code made them all. */
const MOST_TOLD = 20
const MOST_UNREAD = 100
const NONE = [] as const

export interface FoundProblem {
  field: string
  missing: boolean
  message: string
  text: string
}

type Checked<T> = { data: T; problems: readonly [] } | { problems: readonly FoundProblem[]; more: number }

/**
 * Throws a refusal that names the first wrong fields and counts the others. Checks of schemas complete a sentence:
 * `must be greater than 0`.
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown, rules?: readonly FieldRule[]): T {
  const checked = check(schema, value, rules)
  if ('data' in checked) return checked.data
  const { problems, more } = checked
  const missing = problems.every((problem) => problem.missing)
  const fields: FieldProblem[] = problems.map(({ field, message }) => ({ field, message }))
  if (more > 0) fields.push({ field: 'body', message: `body has ${more} more problems` })
  throw refused(
    missing ? commonReasons.fieldMissing : commonReasons.fieldInvalid,
    [...problems.map(({ text }) => text), ...(more > 0 ? [`and ${more} more`] : [])].join('; '),
    { fields },
  )
}

export function check<T>(schema: z.ZodType<T>, value: unknown, rules: readonly FieldRule[] = []): Checked<T> {
  const bound = holdsTooMany(value) ? beyondBound(schema, value) : undefined
  if (bound) return { problems: [bound], more: 0 }
  const result = safeParse(schema, value)
  const wrong = result.success ? NONE : result.error.issues
  const broken =
    rules.length === 0 ? NONE : unmet(rules, result.success ? result.data : readApart(schema, value), wrong)
  if (result.success && broken.length === 0) return { data: result.data, problems: NONE }
  const issues = [...wrong, ...broken]
  const all = issues.reduce((count, issue) => count + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
  const problems = issues
    .slice(0, MOST_TOLD)
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, MOST_TOLD).map((key) => unknownKey(schema, issue, key))
        : toProblem(issue, schema, value),
    )
    .slice(0, MOST_TOLD)
  return { problems, more: all - problems.length }
}

/**
 * Checked first: to find and word a mistake in each of a million entries would take too long. Few values have so many
 * entries, so that most are never compared with their schema.
 */
function beyondBound(schema: z.ZodType, value: unknown): FoundProblem | undefined {
  const found = findWithin(schema, value, '')
  if (!found) return undefined
  const { path, count } = found
  const field = path || 'body'
  const expected = `must have at most ${MOST_ENTRIES} entries`
  return { field, missing: false, message: `${field} ${expected}`, text: `${field}: ${expected}, got ${count}` }
}

function toProblem(issue: z.core.$ZodIssue, schema: z.ZodType, root: unknown): FoundProblem {
  const field = issue.path.map(String).join('.') || 'body'
  const found = valueAt(root, issue.path)
  const ofRule: { expected?: string; got?: string } = (issue.code === 'custom' && issue.params) || {}
  if (found === null && !ofRule.expected && partAt(schema, issue.path)?._zod.optin === 'optional')
    return { field, missing: false, message: `${field} must not be null`, text: `${field}: must not be null` }
  // A text that is no text to its schema was read as none.
  const isBlank = issue.code === 'invalid_type' && issue.expected === 'string' && typeof found === 'string'
  const missing = found === undefined || found === null || isBlank || ofRule.expected !== undefined
  const expected = missing ? `must be ${article(wanted(issue))}` : phrase(issue)
  // A check of a part has reported it already.
  const got = expected.includes(', got ') ? '' : `, got ${ofRule.got ?? printValue(field, found)}`
  return {
    field,
    missing,
    message: missing ? `${field} is required` : `${field} ${expected}`,
    text: missing
      ? `${field}: is required, expected ${article(wanted(issue))}, got nothing`
      : `${field}: ${expected}${got}`,
  }
}

function unknownKey<T>(schema: z.ZodType<T>, issue: z.core.$ZodIssue, key: string): FoundProblem {
  const known = knownKeys(partAt(schema, issue.path))
  const list = known.length > 0 ? `; known: ${known.join(', ')}.${didYouMean(key, known)}` : ''
  const field = [...issue.path, key].map(String).join('.').slice(0, 80)
  return { field, missing: false, message: `${field} is not known`, text: `${field}: is not known here${list}` }
}

function phrase(issue: z.core.$ZodIssue): string {
  if (issue.message.startsWith('must ')) return issue.message
  return `must be ${article(wanted(issue))}`
}

function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return TYPE_WORDS[issue.expected] ?? issue.expected
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'custom') return issue.params?.['expected'] ?? 'valid value'
  return 'valid value'
}

const TYPE_WORDS: Record<string, string> = { int: 'whole number', record: 'object' }

function article(noun: string): string {
  if (/^(one of|a |an )/.test(noun)) return noun
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

function printValue(field: string, value: unknown): string {
  if (field.split('.').some(isSecretName)) return 'something else'
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'an array' : 'an object'
}

function quote(value: string): string {
  const masked = inText(value)
  return JSON.stringify(masked.length > 60 ? `${masked.slice(0, 60)}…` : masked)
}

export function unknownFields(sent: unknown, known: unknown, prefix = '', names: string[] = []): string[] {
  if (!isRecord(sent) || !isRecord(known)) return names
  for (const key of Object.keys(sent)) {
    const value = sent[key]
    if (Object.hasOwn(known, key)) {
      if (typeof value === 'object') unknownFields(value, known[key], `${prefix}${key}.`, names)
    } else if (names.length < MOST_UNREAD) names.push(inText(`${prefix}${key}`))
  }
  return names
}

/** As data, because validation and the contract share it. Only the keywords that are given apply. */
export interface FieldRule {
  field: string
  when?: { field: string; is: readonly (string | undefined)[] }
  required?: true
  maxLength?: number
  pattern?: RegExp
  enum?: readonly string[]
  minimum?: number
  multipleOf?: number
  /** JSON Schema has no keyword for this, so the contract says `x-differs-from`. */
  differsFrom?: string
  /** Completes a sentence: `must be at most 13 characters`. */
  expected: string
  ground: string
  /** A rule of the scenario refuses it, so that a scenario may answer something else. */
  decidedBy?: 'scenario'
}

/** No rule is looked at for a field that is wrong already, so that nothing is reported twice. */
function unmet(rules: readonly FieldRule[], body: unknown, wrong: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const found: z.core.$ZodIssue[] = []
  if (!isRecord(body)) return found
  for (const rule of rules) {
    const { field, when, expected, decidedBy } = rule
    if (decidedBy || (when && !(when.is as readonly unknown[]).includes(body[when.field] ?? undefined))) continue
    const value = body[field]
    if (meets(rule, value, body) || [...wrong, ...found].some(({ path }) => path[0] === field)) continue
    const params = value === undefined || value === null ? { expected } : { got: brokenValue(rule, value) }
    found.push({ code: 'custom', path: [field], message: expected, params })
  }
  return found
}

/** Each field by itself, where the whole is wrong. */
function readApart(schema: z.ZodType, sent: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || !isRecord(sent)) return sent
  const fields: Readonly<Record<string, z.ZodType>> = schema.shape
  const read = Object.entries(sent).map(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const result = field && safeParse(field, value)
    return [name, result?.success ? result.data : value]
  })
  return Object.fromEntries(read)
}

function meets(
  { required, maxLength, pattern, enum: words, minimum, multipleOf, differsFrom }: FieldRule,
  value: unknown,
  body: Readonly<Record<string, unknown>>,
) {
  if (value === undefined || value === null) return !required
  if (differsFrom !== undefined) return body[differsFrom] !== value
  if (typeof value === 'number')
    return (minimum === undefined || value >= minimum) && (multipleOf === undefined || value % multipleOf === 0)
  if (typeof value !== 'string') return true
  // A text has at most as many characters as UTF-16 units.
  if (maxLength !== undefined && value.length > maxLength && [...value].length > maxLength) return false
  if (pattern && !pattern.test(value)) return false
  return !words || words.includes(value)
}

function brokenValue({ maxLength }: FieldRule, value: unknown): string {
  if (typeof value !== 'string') return String(value)
  return maxLength === undefined ? quote(value) : `${[...value].length} characters`
}

/** Format characters that no editor shows: zero-width spaces, joiners, direction marks, a byte order mark. */
const INVISIBLE = /\p{Cf}/u

/** Warns of each field, because a reference that looks the same as another is another. */
export function invisibleLetters(sent: Readonly<Record<string, unknown>>): string[] {
  const warnings: string[] = []
  for (const field of Object.keys(sent)) {
    const value = sent[field]
    const found = typeof value === 'string' ? INVISIBLE.exec(value) : null
    if (!found) continue
    const code = found[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    warnings.push(
      `${field} has an invisible letter: U+${code} at position ${found.index + 1}. Remove it where the text comes from.`,
    )
  }
  return warnings
}

interface TooMany {
  path: string
  count: number
}

function holdsTooMany(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const entries = Object.values(value)
  if (entries.length > MOST_ENTRIES) return true
  for (const entry of entries) if (typeof entry === 'object' && holdsTooMany(entry)) return true
  return false
}

function findWithin(schema: z.core.$ZodType, value: unknown, path: string): TooMany | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const here = bare(schema)
  if (here instanceof z.ZodUnion) return first(here.options, (option) => findWithin(option, value, path))
  const entries = Object.entries(value)
  const each = entrySchema(here, value)
  if (each && entries.length > MOST_ENTRIES) return { path, count: entries.length }
  return first(entries, ([key, one]) => {
    const part = each ?? (here instanceof z.ZodObject ? here.shape[key] : undefined)
    return part && findWithin(part, one, path === '' ? key : `${path}.${key}`)
  })
}

function entrySchema(schema: z.core.$ZodType, value: object): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray && Array.isArray(value)) return schema.element
  return schema instanceof z.ZodRecord ? schema.valueType : undefined
}

function first<T>(all: readonly T[], look: (one: T) => TooMany | undefined): TooMany | undefined {
  for (const one of all) {
    const found = look(one)
    if (found) return found
  }
  return undefined
}

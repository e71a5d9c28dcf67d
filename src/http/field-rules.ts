/** What is required of fields beyond their types: checked with the schema of a body, and printed in the contract. */
import type { Problem } from './validate.ts'

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
    text: `${field}: ${expected}, got ${shown(rule, value)}`,
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

function shown({ maxLength }: FieldRule, value: unknown): string {
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

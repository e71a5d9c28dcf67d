/** Turns zod's issues into problems that name the place in the file, what was found and what to write. */
import * as z from 'zod'
import { textOf } from './model/as-text.ts'
import { didYouMean } from './model/did-you-mean.ts'
import { describeValue, type Path, printPath, quote } from './model/problems.ts'
import { safeParse } from './model/safe-parse.ts'
import type { SourceText } from './source-text.ts'

interface Issue {
  code?: string
  path: PropertyKey[]
  message: string
  expected?: string
  keys?: string[]
  values?: unknown[]
  minimum?: number | bigint
  maximum?: number | bigint
  inclusive?: boolean
  origin?: string
  errors?: Issue[][]
}

/** More problems than this are one mistake made everywhere, and wording each takes too long. */
const MOST_WORDED = 500

export function reportShapeProblems(source: SourceText, schema: z.ZodType): Path[] {
  const result = safeParse(schema, source.value)
  if (result.success) return []
  const issues = flatten(result.error.issues as Issue[], [], source.value)
  let worded = 0
  for (const issue of issues) {
    worded += issue.keys?.length ?? 1
    if (worded > MOST_WORDED) {
      source.report(
        source.offsetOf(issue.path as Path),
        '',
        `More than ${MOST_WORDED} problems. Mend the others first.`,
      )
      return [[]]
    }
    if (issue.code !== 'unrecognized_keys') {
      source.report(source.offsetOf(issue.path as Path), printPath(issue.path as Path), explain(issue, source, schema))
      continue
    }
    for (const key of issue.keys ?? []) {
      const path = [...(issue.path as Path), key]
      const message = explainKey(key, issue, source, schema)
      source.report(source.keyOffsetOf(path), printPath(path), message)
    }
  }
  return issues.flatMap((issue) =>
    (issue.keys ?? [undefined]).map((key) => [...issue.path, ...(key === undefined ? [] : [key])] as Path),
  )
}

function explainKey(key: string, issue: Issue, source: SourceText, schema: z.ZodType): string {
  const known = knownKeys(schemaAt(schema, issue.path as Path))
  const others = Object.keys(valueAt(source.value, issue.path) as object).filter((other) => other !== key)
  // Both alternatives of `then` are known words; it is their being together that is wrong, or what stands behind one.
  if (known.includes(key) && others.length === 0) {
    const path = [...issue.path, key]
    return explain({ code: 'invalid_type', expected: 'object', path, message: '' }, source, schema)
  }
  if (known.includes(key)) return `${quote(key)} cannot stand beside ${besideOf(key, others)}. Remove one of them.`
  const ofAnswer = issue.path.at(-1) === 'then' && ['status', 'code', 'message', 'details'].includes(key)
  const elsewhere =
    ofAnswer && known.includes('refuse')
      ? ` Write it below refuse, or below answer: refuse: { code: SERVICE_UNAVAILABLE }.`
      : ''
  return `${quote(key)} is not a setting here. Known: ${known.join(', ')}.${elsewhere || didYouMean(key, known)}`
}

function besideOf(key: string, others: readonly string[]): string {
  const refuses = key === 'refuse' || others.includes('refuse')
  const other = refuses && key !== 'refuse' ? 'refuse' : (others[0] ?? '')
  return quote(other) + (refuses ? ': a refused request makes nothing that could end' : '')
}

/** With whole paths. Of a union: the issues of the alternative that the value resembles most. */
function flatten(issues: Issue[], base: PropertyKey[], root: unknown): Issue[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path]
    if (issue.code !== 'invalid_union' || !issue.errors?.length) return [{ ...issue, path }]
    const value = valueAt(root, path)
    const isOther = (e: Issue) => e.code === 'invalid_type' || (e.code === 'invalid_value' && typeof value === 'object')
    const alternatives = issue.errors.filter((errors) => !errors.some((e) => e.path.length === 0 && isOther(e)))
    if (alternatives.length === 0) return [{ ...issue, code: 'invalid_type', errors: [], path }]
    const refuses = typeof value === 'object' && value !== null && 'refuse' in value
    const best = (refuses ? alternatives[0] : alternatives.reduce((a, b) => (weight(b) < weight(a) ? b : a))) as Issue[]
    // A key that is not one here was meant to be the one that is missing.
    const misnamed = best.some((one) => one.code === 'unrecognized_keys' && one.path.length === 0)
    const told = misnamed ? best.filter((one) => one.path.length !== 1 || valueAt(value, one.path) !== undefined) : best
    return flatten(told, path, root)
  })
}

function weight(issues: Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.keys?.length ?? 1) * (issue.path.length === 0 ? 2 : 1), 0)
}

function explain(issue: Issue, source: SourceText, schema: z.ZodType): string {
  const value = valueAt(source.value, issue.path)
  const expected = schemaAt(schema, issue.path as Path)?.description
  const name = String(issue.path.at(-1) ?? '')
  if (value === undefined || value === null) {
    const missing = issue.path.length === 0 ? 'The file is empty' : `${quote(name)} is missing`
    return expected ? `${missing}. Expected ${expected}.` : `${missing}.`
  }
  const list = issue.expected === 'array' ? 'a list: ' : ''
  const like = expected?.includes('such as') ? '' : exampleFor(value, schemaAt(schema, issue.path as Path))
  const wanted = expected ? ` Expected ${list}${expected}.${like}` : ''
  switch (issue.code) {
    case 'invalid_value': {
      const possible = (issue.values ?? []).map(String)
      const found = typeof value === 'string' ? quote(value) : describeValue(value)
      if (typeof value !== 'string' && possible.includes(textOf(value)))
        return `Found ${found}, which has to be a text.${quoted(value, source, issue, schemaAt(schema, issue.path as Path))}`
      const suggestion = didYouMean(textOf(value), possible) || otherwise(value, issue, schema)
      return `${capital(found)} is not known here. Possible: ${possible.join(', ')}.${suggestion}`
    }
    case 'invalid_type':
      if (typeof value !== 'object' && typeof value !== 'string' && !/^(int|number)$/.test(issue.expected ?? '')) {
        const hint = quoted(value, source, issue, schemaAt(schema, issue.path as Path))
        const plain = expected ? ` Expected ${list}${expected}.` : ` Expected ${article(issue.expected)}.`
        return `Found ${describeValue(value)}.${hint ? `${plain}${hint}` : wanted || plain}`
      }
      if (issue.expected === 'int')
        return `Found ${describeValue(value)}. Expected a whole number: ${expected ?? 'without a fraction'}.`
      return `Found ${describeValue(value)}.${wanted || ` Expected ${article(issue.expected)}.`}`
    case 'too_small':
    case 'too_big': {
      const least = issue.code === 'too_small'
      const bound = least ? issue.minimum : issue.maximum
      if (issue.origin === 'string') {
        return least
          ? `Found an empty text.${wanted}`
          : `Found a text of ${(value as string).length} characters; at most ${bound} are read.`
      }
      if (issue.origin === 'array')
        return `Found a list of ${(value as unknown[]).length}. Expected at ${least ? 'least' : 'most'} ${bound}.`
      const side = least
        ? issue.inclusive === false
          ? 'more than'
          : 'at least'
        : issue.inclusive === false
          ? 'less than'
          : 'at most'
      return `Found ${describeValue(value)}. Expected ${side} ${bound}: ${expected ?? 'it is out of range'}.`
    }
    default:
      return `Found ${describeValue(value)}.${wanted || ` ${issue.message}.`}`
  }
}

function exampleFor(value: unknown, schema: z.ZodType | undefined): string {
  const bare = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema
  // Somebody wrote `callback: drop` for `callback: { drop: true }`.
  const key = typeof value === 'string' && bare instanceof z.ZodObject ? bare.shape[value] : undefined
  if (key instanceof z.ZodType && key.safeParse(true).success) return ` Write it like { ${value}: true }.`
  const examples = [schema, bare].flatMap((one) => (one?.meta()?.['examples'] as unknown[] | undefined) ?? [])
  return examples.length > 0 ? ` Write it like ${inFlow(examples[0])}.` : ''
}

function otherwise(value: unknown, issue: Issue, schema: z.ZodType): string {
  const names = [issue.path.at(-1), issue.path.at(-2)]
  if (names.includes('on') && /^[A-Z]+ \/|^[a-z]+[A-Z]/.test(textOf(value)))
    return ' That is an operation, which faults are about; here, name the kind of payment.'
  const found = schemaAt(schema, issue.path as Path)
  const examples = (found?.meta()?.['examples'] as unknown[] | undefined) ?? []
  const shape = examples.find((example) => typeof example === 'object' && !Array.isArray(example))
  return shape ? ` Or write it like ${inFlow(shape)}.` : ''
}

function inFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inFlow).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, one]) => `${name}: ${inFlow(one)}`)
      .join(', ')} }`
  if (typeof value === 'string') return /^[\w./ -]*[A-Za-z][\w./ -]*$/.test(value) ? value : quote(value)
  return String(value)
}

/** ` Put it in quotes: "0068".`, as it was written, where the missing quotes are the only mistake. */
function quoted(value: unknown, source: SourceText, issue: Issue, schema: z.ZodType | undefined): string {
  const written = source.writtenAt(issue.path as Path) || textOf(value)
  return schema?.safeParse(written).success ? ` Put it in quotes: ${quote(written)}.` : ''
}

function article(type: string | undefined): string {
  if (type === 'object' || type === 'record') return 'a mapping'
  if (type === 'array') return 'a list'
  return type === 'string' ? 'a text' : `a ${type ?? 'different value'}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<PropertyKey, unknown>)[part]
  }
  return value
}

function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let here: z.ZodType | undefined = schema
  for (const part of path) here = here && stepInto(here, part)
  // What may be left out is described by what it is when it is there.
  return here instanceof z.ZodOptional && here.description === undefined ? (here.unwrap() as z.ZodType) : here
}

function stepInto(schema: z.ZodType, part: string | number): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional) return stepInto(schema.unwrap() as z.ZodType, part)
  if (schema instanceof z.ZodObject) return schema.shape[part] as z.ZodType | undefined
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType
  if (schema instanceof z.ZodArray) return typeof part === 'number' ? (schema.element as z.ZodType) : undefined
  if (!(schema instanceof z.ZodUnion)) return undefined
  for (const option of schema.options) {
    const found = stepInto(option as z.ZodType, part)
    if (found) return found
  }
  return undefined
}

function knownKeys(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodOptional) return knownKeys(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape).filter((key) => key !== '$schema')
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option) => knownKeys(option as z.ZodType)))]
  return []
}

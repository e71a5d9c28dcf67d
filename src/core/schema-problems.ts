import * as z from 'zod'
import { safeParse } from './model/json.ts'
import type { Service } from './model/kind.ts'
import { madeOnce, valueAt } from './model/must.ts'
import { capital, describeValue, didYouMean, type Path, quote } from './model/problems.ts'
import { textOf } from './model/text.ts'
import { scenarioJsonSchema } from './scenarios/keys/scenario-schema.ts'
import type { SourceText } from './source-text.ts'

interface Found {
  issue: z.core.$ZodIssue
  path: Path
}

/** More problems than this are one mistake made everywhere, and wording each takes too long. */
const MOST_WORDED = 500

/** Returns the places whose shape is wrong, so that nobody asks what stands there. */
export function reportShapeProblems(source: SourceText, schema: z.ZodType): Path[] {
  const result = safeParse(schema, source.value)
  if (result.success) return []
  const found = flatten(result.error.issues, [], source.value)
  let worded = 0
  for (const { issue, path } of found) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : undefined
    worded += keys?.length ?? 1
    if (worded > MOST_WORDED) {
      const place = { ...source.placeOf(path), path: '' }
      source.problems.push({ ...place, message: `More than ${MOST_WORDED} problems. Mend the others first.` })
      return [[]]
    }
    if (isTold(issue)) source.tell(issue.message, path, issue.params?.['at'])
    else if (!keys) source.tell(explain({ issue, path }, source, schema), path)
    for (const key of keys ?? []) source.tell(explainKey(key, path, schema), [...path, key], 'key')
  }
  return found.flatMap(({ issue, path }): Path[] => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key])
    return isTold(issue) ? [] : [path]
  })
}

function isTold(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueCustom {
  return issue.code === 'custom' && issue.params?.['told'] === true
}

function explainKey(key: string, path: Path, schema: z.ZodType): string {
  const known = knownKeys(partAt(schema, path))
  const ofAnswer = path.at(-1) === 'then' && ['status', 'code', 'message', 'details'].includes(key)
  const elsewhere =
    ofAnswer && known.includes('refuse')
      ? ` Write it below refuse, or below answer: refuse: { code: SERVICE_UNAVAILABLE }.`
      : ''
  return `${quote(key)} is not a setting here. Known: ${known.join(', ')}.${elsewhere || didYouMean(key, known)}`
}

/** The alternatives of a union have one form each, a word, a list or a mapping, so the value's form chooses. */
function flatten(issues: readonly z.core.$ZodIssue[], base: Path, root: unknown): Found[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path.filter((part) => typeof part !== 'symbol')]
    if (issue.code !== 'invalid_union') return [{ issue, path }]
    const isWord = typeof valueAt(root, path) !== 'object'
    const isOther = ({ code }: z.core.$ZodIssue) => code === 'invalid_type' || (code === 'invalid_value' && !isWord)
    const fitting = issue.errors.find((errors) => !errors.some((one) => one.path.length === 0 && isOther(one)))
    return fitting ? flatten(fitting, path, root) : [{ issue, path }]
  })
}

function explain({ issue, path }: Found, source: SourceText, schema: z.ZodType): string {
  const value = valueAt(source.value, path)
  const here = schemaAt(schema, path)
  const expected = here?.description
  if (value === undefined || value === null) {
    const missing = path.length === 0 ? 'The file is empty' : `${quote(String(path.at(-1)))} is missing`
    return expected ? `${missing}. Expected ${expected}.` : `${missing}.`
  }
  const type = issue.code === 'invalid_type' ? issue.expected : undefined
  const list = type === 'array' ? 'a list: ' : ''
  const like = expected?.includes('such as') ? '' : exampleFor(value, here)
  const wanted = expected ? ` Expected ${list}${expected}.${like}` : ''
  const found = describeValue(value)
  switch (issue.code) {
    case 'invalid_value': {
      const possible = issue.values.map(String)
      const plain = typeof value === 'string' ? quote(value) : found
      if (typeof value !== 'string' && possible.includes(textOf(value)))
        return `Found ${plain}, which has to be a text.${quoted(value, source, path, here)}`
      const suggestion = didYouMean(textOf(value), possible) || otherwise(value, path, here)
      return `${capital(plain)} is not known here. Possible: ${possible.join(', ')}.${suggestion}`
    }
    case 'invalid_union':
    case 'invalid_type': {
      if (type === 'int') return `Found ${found}. Expected a whole number: ${expected ?? 'without a fraction'}.`
      const isPlain = typeof value !== 'object' && typeof value !== 'string' && type !== 'number'
      const hint = isPlain ? quoted(value, source, path, here) : ''
      if (hint && expected) return `Found ${found}. Expected ${list}${expected}.${hint}`
      return `Found ${found}.${wanted || ` Expected ${article(type)}.`}${hint}`
    }
    case 'too_small':
    case 'too_big': {
      const least = issue.code === 'too_small'
      const bound = least ? issue.minimum : issue.maximum
      if (issue.origin === 'string') {
        return least
          ? `Found an empty text.${wanted}`
          : `Found a text of ${String(value).length} characters; at most ${bound} are read.`
      }
      if (issue.origin === 'array' && Array.isArray(value))
        return `Found a list of ${value.length}. Expected at ${least ? 'least' : 'most'} ${bound}.`
      const within = least ? ['at least', 'more than'] : ['at most', 'less than']
      const side = within[issue.inclusive === false ? 1 : 0]
      return `Found ${found}. Expected ${side} ${bound}: ${expected ?? 'it is out of range'}.`
    }
    default: {
      const words = examplesOf(here).filter((one) => typeof one === 'string' && /^[a-z ]+$/.test(one))
      return `Found ${found}.${wanted || ` ${issue.message}.`}${didYouMean(textOf(value), words.map(textOf))}`
    }
  }
}

function exampleFor(value: unknown, schema: z.ZodType | undefined): string {
  const bare = schema instanceof z.ZodOptional ? schemaIn(schema.unwrap()) : schema
  // Somebody wrote `callback: drop` for `callback: { drop: true }`.
  const key = typeof value === 'string' && bare instanceof z.ZodObject ? bare.shape[value] : undefined
  if (key instanceof z.ZodType && key.safeParse(true).success) return ` Write it like { ${value}: true }.`
  const examples = [schema, bare].flatMap(examplesOf)
  return examples.length > 0 ? ` Write it like ${inFlow(examples[0])}.` : ''
}

function examplesOf(schema: z.ZodType | undefined): unknown[] {
  const examples = schema?.meta()?.['examples']
  return Array.isArray(examples) ? examples : []
}

function otherwise(value: unknown, path: Path, schema: z.ZodType | undefined): string {
  const names = [path.at(-1), path.at(-2)]
  if (names.includes('on') && /^[A-Z]+ \/|^[a-z]+[A-Z]/.test(textOf(value)))
    return ' That is an operation, which faults are about; here, name the kind of payment.'
  const shape = examplesOf(schema).find((example) => typeof example === 'object' && !Array.isArray(example))
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
function quoted(value: unknown, source: SourceText, path: Path, schema: z.ZodType | undefined): string {
  const written = source.writtenAt(path) || textOf(value)
  return schema?.safeParse(written).success ? ` Put it in quotes: ${quote(written)}.` : ''
}

function article(type: string | undefined): string {
  if (type === 'object' || type === 'record') return 'a mapping'
  if (type === 'array') return 'a list'
  return type === 'string' ? 'a text' : `a ${type ?? 'different value'}`
}

export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return bare(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  const wraps = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
  return wraps ? bare(schema.unwrap()) : schema
}

export function partAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType | undefined {
  return path.reduce<z.core.$ZodType | undefined>((here, part) => here && stepInto(here, part), schema)
}

function stepInto(schema: z.core.$ZodType, part: PropertyKey): z.core.$ZodType | undefined {
  const here = bare(schema)
  if (here instanceof z.ZodObject) return here.shape[String(part)]
  if (here instanceof z.ZodRecord) return here.valueType
  if (here instanceof z.ZodArray) return typeof part === 'number' ? here.element : undefined
  if (!(here instanceof z.ZodUnion)) return undefined
  for (const option of here.options) {
    const found = stepInto(option, part)
    if (found) return found
  }
  return undefined
}

export function knownKeys(schema: z.core.$ZodType | undefined): string[] {
  const here = schema && bare(schema)
  if (here instanceof z.ZodUnion) return [...new Set(here.options.flatMap(knownKeys))]
  return here instanceof z.ZodObject ? Object.keys(here.shape).filter((key) => key !== '$schema') : []
}

function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  const here = partAt(schema, path)
  // An optional schema is described by the schema inside it.
  return here instanceof z.ZodOptional && here.description === undefined ? schemaIn(here.unwrap()) : schemaIn(here)
}

/** Zod's own parts have the type of its core. */
function schemaIn(part: unknown): z.ZodType | undefined {
  return part instanceof z.ZodType ? part : undefined
}

export const scenarioSchemaText = madeOnce(
  (service: Service) => `${JSON.stringify(scenarioJsonSchema(service), null, 2)}\n`,
)

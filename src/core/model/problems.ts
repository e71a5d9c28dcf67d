import type * as z from 'zod'

export interface SourcePlace {
  file: string
  line: number
  column: number
  path: string
}

export interface Problem extends SourcePlace {
  message: string
}

export function problemAt({ file, line, column, path }: SourcePlace, message: string): Problem {
  return { file, line, column, path, message }
}

const PRINTED_PROBLEMS = 50

export class ScenarioError extends Error {
  readonly problems: Problem[]
  constructor(problems: Problem[]) {
    super(printProblems(problems))
    this.name = 'ScenarioError'
    this.problems = problems
  }
}

function printProblems(problems: readonly Problem[]): string {
  const lines = problems.slice(0, PRINTED_PROBLEMS).map(printProblem)
  const rest = problems.length - lines.length
  if (rest > 0) lines.push(`… and ${rest} more.`)
  return lines.join('\n')
}

export function printProblem({ file, line, column, path, message }: Problem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`
}

export type Path = readonly (string | number)[]

export function printPath(path: Path): string {
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('')
}

/** Says what is wrong inside a value; `key`: its key is wrong, and not what stands behind it. */
export type Tell = (message: string, path?: Path, at?: 'key') => void

export function below(tell: Tell, ...outer: Path): Tell {
  return (message, path = [], at = undefined) => tell(message, [...outer, ...path], at)
}

export function described<Schema extends z.ZodType>(schema: Schema, description: string, ...examples: unknown[]) {
  return schema.meta(examples.length > 0 ? { description, examples } : { description })
}

export function optional<Schema extends z.ZodType>(schema: Schema, description: string, ...examples: unknown[]) {
  return described(schema.optional(), description, ...examples)
}

/** A schema with what its shape cannot say. It is asked about values of the right shape only. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  find: (value: z.output<Schema>, tell: Tell) => void,
): Schema {
  return schema.check(({ value, issues }) => {
    if (issues.some(({ code }) => code !== 'custom')) return
    find(value, (message, path = [], at = undefined) => {
      issues.push({
        code: 'custom',
        input: value,
        path: [...path],
        message,
        continue: true,
        params: { told: true, at },
      })
    })
  })
}

export type NamedShape<Records extends Readonly<Record<string, { schema: z.ZodType }>>> = {
  [Name in keyof Records]: z.ZodOptional<Records[Name]['schema']>
}

/** Each record can be written by its name. */
export function namedShape<Records extends Readonly<Record<string, { schema: z.ZodType }>>>(records: Records) {
  const shape = Object.entries(records).map(([name, { schema }]) => [name, schema.optional()])
  return Object.fromEntries(shape) as NamedShape<Records>
}

/** The faults that it cannot be combined with; without names, all others. */
export interface Excludes {
  names?: readonly string[]
  why: string
}

export function checkTogether(
  written: readonly { field: string; excludes?: Excludes | undefined }[],
  tell: Tell,
): void {
  for (const { field, excludes } of written) {
    const beside = written.find((other) => other.field !== field && (excludes?.names?.includes(other.field) ?? true))
    if (excludes && beside)
      tell(`${quote(beside.field)} cannot stand beside ${quote(field)}: ${excludes.why}.`, [beside.field], 'key')
  }
}

export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (typeof value === 'string') return `the text ${quote(value)}`
  return typeof value === 'boolean' ? `the truth value ${value}` : `the number ${value}`
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}…` : text)
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Finds the nearest known name by Damerau-Levenshtein distance; undefined when none is near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const d = distance(name.toLowerCase(), candidate.toLowerCase(), bestDistance)
    if (d < bestDistance) {
      best = candidate
      bestDistance = d
    }
  }
  return best
}

/** Words of the field with their names here; of several names, the one among the reader's choices counts. */
const otherWords = {
  balance: ['wallet', 'wallets'],
  chances: ['chance'],
  condition: ['when', 'where'],
  create: ['collect', 'new', 'save', 'start'],
  delay: ['after', 'latency', 'delay'],
  each: ['every'],
  every: ['nth'],
  fail: ['refuse', 'end'],
  fields: ['with'],
  frequency: ['nth'],
  if: ['when', 'where'],
  kind: ['on'],
  latency: ['after'],
  log: ['requests', 'events'],
  logs: ['requests', 'events'],
  odds: ['chance'],
  outcome: ['end'],
  percent: ['chance'],
  phone: ['handset'],
  probability: ['chance'],
  rate: ['chance'],
  resend: ['redeliver'],
  result: ['end'],
  retries: ['retry'],
  retry: ['redeliver'],
  sandbox: ['world'],
  set: ['with'],
  status: ['end'],
  time: ['clock', 'after'],
  timezone: ['zone'],
  type: ['on', 'kind'],
  wait: ['after'],
  webhook: ['callback', 'callbacks'],
  webhooks: ['callbacks', 'callback'],
}

/** A known name that is one whole part of it, such as the first part of `stk-push`; or what the field's word means. */
function meant(name: string, known: readonly string[]): string | undefined {
  const parts = name.split(/[-_ /.]/)
  const part = parts.length > 1 ? known.find((one) => one.length > 2 && parts.includes(one)) : undefined
  const words = new Map<string, readonly string[]>(Object.entries(otherWords)).get(name)
  return part ?? words?.find((word) => known.includes(word))
}

export function didYouMean(name: string, known: Iterable<string>): string {
  const names = [...known]
  const word = name.toLowerCase().replace(/^--/, '')
  const suggestion = nearest(name, names) ?? meant(word, names)
  if (word === 'every' && suggestion === 'nth') return ' Did you mean "nth: { every: 3 }"?'
  return suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`
}

function distance(a: string, b: string, limit: number): number {
  if (a.length > 64 || b.length > 64 || Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let d = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, (before[j - 2] ?? 0) + 1)
      row.push(d)
    }
    before = last
    last = row
  }
  return last[b.length] ?? limit
}

// Advice as data: an operation of the control plane with its parameters. Each door shows it in its own way.

export interface Hint {
  operation: string
  with: Readonly<Record<string, unknown>>
  words: string
}

export function hintOf(words: string, operation: string, parameters: Hint['with'] = {}): Hint {
  return { operation, with: parameters, words }
}

/** As it is sent. `text`: its sentence, as it stands in the text that it comes with. */
export interface ShownHint extends Hint {
  text: string
}

export function hintSentence({ words }: Pick<Hint, 'words'>, shown: string): string {
  return words.replace('{}', () => shown)
}

export function withHints<Shown extends ShownHint>(
  text: string,
  hints: readonly Shown[],
  show: (hint: Shown) => string,
): string {
  return hints.reduce((told, one) => told.replace(one.text, () => hintSentence(one, show(one))), text)
}

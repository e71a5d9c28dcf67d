/** Problems of a scenario file: where (line and column from 1), what was found, what was expected and what to do. */

import type * as z from 'zod'

export interface SourcePlace {
  file: string
  line: number
  column: number
  /** The place in the scenario: `rules[2].then.end`; empty for the file as a whole. */
  path: string
}

export interface Problem extends SourcePlace {
  message: string
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

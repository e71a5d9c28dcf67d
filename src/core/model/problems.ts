/** Problems of a scenario file: where (line and column from 1), what was found, what was expected and what to do. */

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

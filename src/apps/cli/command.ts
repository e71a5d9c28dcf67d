import type { ShownHint } from '../../core/model/problems.ts'
import type { Output } from './output.ts'

/** Known without a server. */
export type CompletedNames = 'files' | 'kinds' | 'scenarios'

export interface Flag {
  name: string
  short?: string
  value?: string
  help: string
  env?: string
  example?: string
  field?: string
  alone?: string
  expected?: string
  holds?(text: string): boolean
  choices?: readonly string[]
  names?: CompletedNames | readonly string[]
  byDefault?: string | undefined
  many?: true
}

export interface TypedArguments {
  words: string[]
  get(flag: string): string | undefined
  all(flag: string): string[]
  names: readonly string[]
  number(flag: string): number | undefined
  has(flag: string): boolean
  problems: readonly string[]
}

export interface Arguments extends TypedArguments {
  commandFor(hint: Pick<ShownHint, 'operation' | 'with'>): Promise<string>
}

export interface CliCommand {
  name: string
  /** Positional words as in the usage line: `[X]` is optional, `X…` repeats. */
  words?: string
  fields?: readonly string[]
  names?: readonly (CompletedNames | readonly string[])[]
  summary: string
  flags: readonly Flag[]
  examples: readonly string[]
  usage?: string
  about?: string
  exits?: Readonly<Record<number, string>>
  reportsProblems?: true
  run(given: Arguments, output: Output): number | Promise<number>
}

/** The tree has its name, and what it is for. */
export type TopCommand = Omit<CliCommand, 'name' | 'summary'>

export interface CommandGroup {
  commands: readonly CliCommand[]
  otherwise: string
}

/** Loaded on use, so that a command does not load the others. */
export interface CommandEntry {
  name: string
  group: string
  summary: string
  load(): Promise<CliCommand | CommandGroup>
}

const typedAs: Readonly<Record<string, string>> = {
  'books.compare': 'reconcile',
  'callback.examine': 'doctor',
  'event.stream': 'events',
  'hits.list': 'scenario hits',
  'payment.explain': 'explain',
  'run.coverage': 'coverage',
  'run.report': 'report',
  'world.populate': 'populate',
  'world.verify': 'verify',
  'world.wait': 'wait',
}

export function commandOf(operation: string): readonly string[] {
  return typedAs[operation]?.split(' ') ?? operation.split('.')
}

export const CLEAN = 0
export const PROBLEMS = 1
export const USAGE = 2
export const UNREACHABLE = 3

export class UsageError extends Error {}

export class CommandFailed extends Error {
  readonly code: string
  readonly hint: string
  readonly exitCode: number
  readonly operations: readonly ShownHint[]
  constructor(
    message: string,
    hint: string,
    options: { code?: string; exitCode?: number; operations?: readonly ShownHint[] } = {},
  ) {
    super(message)
    this.hint = hint
    this.code = options.code ?? 'COMMAND_FAILED'
    this.exitCode = options.exitCode ?? PROBLEMS
    this.operations = options.operations ?? []
  }
}

export const ADDRESS = 'MFANO_URL'
export const USUAL_ADDRESS = 'http://localhost:8080'

export const urlFlag: Flag = {
  name: 'url',
  value: 'url',
  help: `Base URL of a server or a world. Default: ${ADDRESS}, or ${USUAL_ADDRESS}.`,
  expected: 'an address such as http://localhost:8080',
}
export const worldFlag: Flag = {
  name: 'world',
  value: 'id',
  help: 'Id of the world. Default: that of the URL, or default.',
  expected: 'the id of a world',
}

export const csvFlag: Flag = {
  name: 'csv',
  help: 'Print CSV, all rows unless --limit is given.',
}

export const jsonFlag: Flag = { name: 'json', help: 'Print one JSON document.' }

export function formatFlags(formats: readonly string[], help = 'Output for people or programs.'): readonly Flag[] {
  return [
    { name: 'format', value: formats.join('|'), help, choices: formats, byDefault: 'text' },
    { name: 'json', help: 'The same as --format json.' },
  ]
}

export function formatOf<Format extends string>(given: Arguments): Format {
  if (given.has('json') && given.has('format') && given.get('format') !== 'json')
    throw new UsageError(`--json and --format ${given.get('format')} contradict each other. Remove one of them.`)
  return (given.has('json') ? 'json' : given.get('format')) as Format
}

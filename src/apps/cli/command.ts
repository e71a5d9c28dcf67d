/** Commands of the command line: what each takes, and how it ends. */
import type { ShownHint } from '../../core/model/hint.ts'
import type { ServedService } from '../../service/parts.ts'
import type { Output } from './output.ts'

/** What can be completed in the place of a word or a value: files here, or names that the asked server knows. */
export type CompletedNames =
  | 'files'
  | 'kinds'
  | 'scenarios'
  | 'worlds'
  | 'payments'
  | 'callbacks'
  | 'inboxes'
  | 'requests'
  | 'organisations'
  | 'snapshots'
  | 'runs'

/** A flag of a command. Without `value` it is a switch. */
export interface Flag {
  name: string
  /** A one-letter form. */
  short?: string
  /** Stands for the value in the help. */
  value?: string
  help: string
  /** The environment variable that gives the value too. */
  env?: string
  example?: string
  /** The parameter of the operation that it stands for, where that is called otherwise. */
  field?: string
  /** The value that the flag has without one. */
  alone?: string
  /** Completes "expected …", where a text does not hold, or is missing. */
  expected?: string
  holds?(text: string): boolean
  /** The only values there are. */
  choices?: readonly string[]
  /** What a shell offers as the value, where `choices` does not say it. */
  names?: CompletedNames | readonly string[]
  /** The default, or what stands for it in the help. */
  byDefault?: string | undefined
  /** It may be given more than once, and all of its values count. */
  many?: true
}

/** Reads the service that is simulated: when it is asked for, as that takes a while. */
export type LoadService = () => Promise<ServedService>

/** What was typed behind a command's name, checked. */
export interface TypedArguments {
  words: string[]
  /** The value of a flag; its default when it was not given. */
  get(flag: string): string | undefined
  all(flag: string): string[]
  number(flag: string): number | undefined
  has(flag: string): boolean
  /** What is wrong with it, for commands that report that themselves. */
  problems: readonly string[]
}

/** What a command is given. */
export interface Arguments extends TypedArguments {
  service: LoadService
  /** What does as a hint says: `mfano clock advance 5m`. */
  commandFor(hint: Pick<ShownHint, 'operation' | 'with' | 'at'>): Promise<string>
}

/** A command. `run` gives the exit code. */
export interface CliCommand {
  name: string
  /** Its words, as the usage line prints them: one in brackets may be left out, and one with … may be repeated. */
  words?: string
  /** Parameters of the operation that its words stand for, where they are called otherwise: `by|to`. */
  fields?: readonly string[]
  /** What a shell offers for each word; the last counts for those behind it too. */
  names?: readonly (CompletedNames | readonly string[])[]
  summary: string
  flags: readonly Flag[]
  examples: readonly string[]
  /** In the help: instead of the usual line of usage, and before the flags. */
  usage?: string
  about?: string
  /** It reports what is wrong with its flags itself, together with more. */
  reportsProblems?: true
  run(given: Arguments, output: Output): number | Promise<number>
}

/** Commands about one thing. */
export interface CommandGroup {
  commands: readonly CliCommand[]
  /** Those that may stand before the name of a command; all of theirs unless told. */
  flags?: readonly Flag[]
  /** The command that is meant when none is named. */
  otherwise: string
}

/** A command or a group, in a module that is read when it is asked for. */
export interface CommandEntry {
  name: string
  summary: string
  load(service: LoadService): Promise<CliCommand | CommandGroup>
}

/** Exit codes of every command. */
export const CLEAN = 0
export const PROBLEMS = 1
export const USAGE = 2
export const UNREACHABLE = 3

/** What was typed cannot be meant; the message says what could. */
export class UsageError extends Error {}

/** A command could not do its work; the hint says why, or what to do. */
export class CommandFailed extends Error {
  readonly code: string
  readonly hint: string
  readonly exitCode: number
  /** Operations that the hint names. */
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

/** Where the base URL stands unless a flag gives it, and where it is looked for otherwise. */
export const ADDRESS = 'MFANO_URL'
export const USUAL_ADDRESS = 'http://localhost:8080'

/** The running mfano that is asked, and the world there. */
export const urlFlag: Flag = {
  name: 'url',
  value: 'url',
  help: `The base URL of a running mfano, or of one of its worlds. Default: ${ADDRESS}, or else ${USUAL_ADDRESS}.`,
  expected: 'an address such as http://localhost:8080',
}
export const worldFlag: Flag = {
  name: 'world',
  value: 'id',
  help: 'The world to ask, at that mfano. Default: the one of the URL, or else default.',
  expected: 'the id of a world',
  names: 'worlds',
}

/** Prints the rows of a list for spreadsheets: all of them, unless a limit is given. */
export const csvFlag: Flag = {
  name: 'csv',
  help: 'Print the rows as CSV, for spreadsheets: all of them, unless --limit is given.',
}

/** Prints the answer as one JSON document. */
export const jsonFlag: Flag = { name: 'json', help: 'Print one JSON document, for programs.' }

/** `--format text|json|…`, of which `--json` is the short form. */
export function formatFlags(formats: readonly string[], help = 'For people, or for programs.'): readonly Flag[] {
  return [
    { name: 'format', value: formats.join('|'), help, choices: formats, byDefault: 'text' },
    { name: 'json', help: 'The same as --format json.' },
  ]
}

/** The format that was asked for. */
export function formatOf<Format extends string>(given: Arguments): Format {
  if (given.has('json') && given.has('format') && given.get('format') !== 'json')
    throw new UsageError(`--json and --format ${given.get('format')} contradict each other. Remove one of them.`)
  return (given.has('json') ? 'json' : given.get('format')) as Format
}

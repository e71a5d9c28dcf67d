/** Commands of the command line: what each takes, read from its arguments in one way and explained in one way. */
import { parseArgs } from 'node:util'
import { didYouMean } from '../model/nearest.ts'

/** A flag of a command. Without `value` it is a switch. */
export interface Flag {
  name: string
  /** Stands for the value in the help. */
  value?: string
  help: string
  /** Completes "expected …". */
  expected?: string
  /** The only values there are. */
  choices?: readonly string[]
  byDefault?: string
  /** It may be given more than once. */
  many?: true
}

/** What was typed behind a command's name, checked. */
export interface Arguments {
  words: string[]
  /** The value of a flag; its default when it was not given. */
  get(flag: string): string | undefined
  all(flag: string): string[]
  has(flag: string): boolean
}

/** Where a command writes. */
export interface Output {
  out(text: string): void
  /** A person reads it, and wants colours. */
  colours: boolean
}

/** A command. `run` gives the exit code. */
export interface Command {
  name: string
  /** Its words, as the usage line prints them. */
  words: string
  /** At least and at most this many words. */
  count: readonly [number, number]
  summary: string
  flags: readonly Flag[]
  examples: readonly string[]
  run(given: Arguments, output: Output): number | Promise<number>
}

/** Exit codes of every command. */
export const CLEAN = 0
export const PROBLEMS = 1
export const USAGE = 2

/** What was typed cannot be meant; the message says what could. */
export class UsageError extends Error {}

/** A command could not do its work; the hint says why, or what to do. */
export class CommandFailed extends Error {
  readonly hint: string
  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

const HELP = 'help'

/** Reads what was typed behind a command's name; all that is wrong with it is in one error. */
export function readArguments(command: Command, typed: readonly string[]): Arguments | 'help' {
  const options = Object.fromEntries([
    [HELP, { type: 'boolean' as const, short: 'h' }],
    ...command.flags.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
  ])
  // Not strict, so that every problem is reported at once and in our words.
  const { tokens } = parseArgs({ args: [...typed], options, strict: false, allowPositionals: true, tokens: true })
  const words: string[] = []
  const given = new Map<string, string[]>()
  const problems: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    if (token.name === HELP) return 'help'
    const flag = command.flags.find(({ name }) => name === token.name)
    if (!flag) problems.push(`Unknown flag ${token.rawName}.${didYouMean(token.rawName, flagNames(command))}`)
    else {
      const problem = valueProblem(flag, token)
      if (problem !== undefined) problems.push(problem)
      else if (given.has(flag.name) && !flag.many) problems.push(`${token.rawName} is given twice. Remove one of them.`)
      else given.set(flag.name, [...(given.get(flag.name) ?? []), token.value ?? ''])
    }
  }
  const [least, most] = command.count
  // After a bad flag, a word is most likely that flag's value.
  if (problems.length === 0 && words.length < least) problems.push(`${command.words} is missing.`)
  else if (problems.length === 0 && words.length > most)
    problems.push(
      `Did not expect ${words
        .slice(most)
        .map((word) => JSON.stringify(word))
        .join(' ')}.`,
    )
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  const byDefault = (name: string) => command.flags.find((flag) => flag.name === name)?.byDefault
  return {
    words,
    get: (name) => given.get(name)?.at(-1) ?? byDefault(name),
    all: (name) => given.get(name) ?? [],
    has: (name) => given.has(name),
  }
}

function valueProblem(
  flag: Flag,
  token: { value?: string | undefined; inlineValue?: boolean | undefined; rawName: string },
): string | undefined {
  const { value, inlineValue, rawName } = token
  if (flag.value === undefined) return value === undefined ? undefined : `${rawName} takes no value.`
  const expected = flag.choices ? oneOf(flag.choices) : (flag.expected ?? flag.value)
  // `--on --request x`: the next flag is no value; `--set=-x` can still say it.
  if (value === undefined || (!inlineValue && value.startsWith('-'))) return `${rawName} needs a value: ${expected}.`
  if (flag.choices && !flag.choices.includes(value))
    return `${rawName}: expected ${expected}, got ${JSON.stringify(value)}.${didYouMean(value, flag.choices)}`
  return undefined
}

function oneOf(choices: readonly string[]): string {
  return choices.length === 1 ? String(choices[0]) : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

function flagNames(command: Command): string[] {
  return [...command.flags.map(({ name }) => `--${name}`), `--${HELP}`]
}

/** What `--help` prints behind a command. */
export function commandHelp(group: string, { name, words, summary, flags, examples }: Command): string {
  const usage = ['mfano', group, name, words, '[flags]'].filter(Boolean).join(' ')
  const lines = [...flags, { name: HELP, help: 'Prints this.' } satisfies Flag].map((flag: Flag) => {
    const ending = flag.byDefault === undefined ? '' : ` Default: ${flag.byDefault}.`
    return `  --${flag.name}${flag.value === undefined ? '' : ` <${flag.value}>`}\n      ${flag.help}${ending}`
  })
  return `${summary}\n\nUsage: ${usage}\n\nFlags:\n${lines.join('\n')}\n\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}\n`
}

/** What `--help` prints for a group of commands. */
export function groupHelp(group: string, title: string, commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `${title}

Usage: mfano ${group} <command> [flags]

${lines.join('\n')}

mfano ${group} <command> --help says more, with examples.
Exit codes: ${CLEAN} all is well, ${PROBLEMS} problems were found, ${USAGE} the command was not understood.
`
}

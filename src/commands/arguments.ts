/** What was typed behind a command's name, read in one way for all of them. */
import { parseArgs } from 'node:util'
import { didYouMean } from '../model/did-you-mean.ts'
import { type Arguments, type Command, type Flag, type LoadService, UsageError } from './command.ts'

export const HELP = 'help'

/** Reads the words and flags of a command; all that is wrong with them is in one error. */
export function readArguments(command: Command, typed: readonly string[], service: LoadService): Arguments | 'help' {
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
  if (problems.length === 0 && words.length < least) problems.push(`${missing(command, words.length)} is missing.`)
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
    service,
  }
}

/** The words that were not typed, as the usage line names them. */
function missing({ words, count: [least] }: Command, typed: number): string {
  return words
    .split(' ')
    .slice(typed, Math.max(least, typed + 1))
    .join(' and ')
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

/** `text, json or github`. */
function oneOf(choices: readonly string[]): string {
  return choices.length === 1 ? String(choices[0]) : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

function flagNames(command: Command): string[] {
  return [...command.flags.map(({ name }) => `--${name}`), `--${HELP}`]
}

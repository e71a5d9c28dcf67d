/** What was typed for a command, read by Node and checked in our words: all that is wrong with it at once. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { didYouMean } from '../../core/model/did-you-mean.ts'
import { type Command, type Flag, jsonFlag, type TypedArguments, UsageError, urlFlag, worldFlag } from './command.ts'

/** What was made of it: flags by their names, and the rest in its order. */
export interface Reading {
  /** Words, and flags that are not known. */
  rest: readonly string[]
  /** What stands behind a flag, each time that it was given; true where nothing does. */
  values: Record<string, readonly string[] | true | undefined>
}

/** What a command takes. */
type Taken = Pick<Command, 'words' | 'count' | 'flags' | 'excessHint' | 'reportsProblems'>

/** What most commands take, so that the value behind one is never taken for a word. */
const commonFlags = [urlFlag, worldFlag, jsonFlag]

/** Takes the flags out of what was typed, wherever they stand. */
export function readFlags(flags: readonly Flag[], typed: readonly string[]): Reading {
  const known = new Map([...commonFlags, ...flags].map((flag) => [flag.name, flag]))
  const values: Reading['values'] = {}
  const args = typed.flatMap((word, i) => {
    const flag = [...known.values()].find(({ name, short }) => word === `--${name}` || word === `-${short}`)
    const next = typed[i + 1] ?? '--'
    if (flag?.value === undefined || !isFlag(next)) return [word]
    // Node would take the flag that comes next for the value.
    if (flag.alone !== undefined) return [`--${flag.name}=${flag.alone}`]
    values[flag.name] = true
    return []
  })
  const rest: string[] = []
  let unknownAt = -1
  for (const token of parseArgs({ args, options: optionsOf(known), strict: false, tokens: true }).tokens) {
    if (token.kind === 'positional') rest.push(token.value)
    if (token.kind !== 'option') continue
    const { name, index } = token
    const flag = known.get(name)
    // `--data=` gives no more of a value than `--data` does.
    const value = flag?.value !== undefined && token.value === '' ? undefined : token.value
    if (flag?.value !== undefined && value !== undefined) values[name] = [...textsOf(values[name]), value]
    else if (flag !== undefined && value === undefined) values[name] = true
    else if (index !== unknownAt) {
      // Node takes letters behind one dash apart.
      rest.push(args[index] as string)
      unknownAt = index
    }
  }
  return { rest, values }
}

/** Flags as Node knows them. */
function optionsOf(flags: ReadonlyMap<string, Flag>) {
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const { name, short, value } of flags.values())
    options[name] = { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) }
  return options
}

function textsOf(values: Reading['values'][string]): readonly string[] {
  return values === undefined || values === true ? [] : values
}

/**
 * What was typed for a command. Fails with all that is wrong with it, unless the command reports that itself.
 * @param behind words that are passed on as they are
 */
export function argumentsOf(command: Taken, { rest, values }: Reading, behind: readonly string[] = []): TypedArguments {
  const known = new Set(command.flags.map(({ name }) => name))
  const foreign = Object.keys(values).filter((key) => !known.has(key))
  const words = [...rest.filter((word) => !isFlag(word)), ...behind]
  const problems = [
    ...[...foreign.map((name) => `--${name}`), ...rest.filter(isFlag)].map((name) => unknownFlag(command, name)),
    ...command.flags.flatMap((flag) => valueProblem(flag, values[flag.name]) ?? []),
  ]
  // After a bad flag, a word is most likely that flag's value.
  const countProblem = wordsProblem(command, words)
  if (problems.length === 0 && countProblem !== undefined) problems.push(countProblem)
  if (problems.length > 0 && !command.reportsProblems) throw new UsageError(problems.join('\n'))
  const find = (name: string) => command.flags.find((flag) => flag.name === name)
  const all = (name: string) => {
    const given = values[name] ?? []
    const flag = find(name)
    if (given === true) return flag?.value === undefined ? [''] : []
    return flag?.override ? given.slice(-1) : [...given]
  }
  return {
    words,
    all,
    get: (name) => all(name).at(-1) ?? find(name)?.byDefault,
    has: (name) => all(name).length > 0,
    problems,
  }
}

export function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-') && !isNegative(word)
}

/** A number or a length of time below zero, `-5m`: whoever reads it says what is wrong with it. */
function isNegative(word: string): boolean {
  return /^-[\d.]/.test(word)
}

function unknownFlag({ flags }: Taken, typed: string): string {
  const [name = ''] = typed.split('=')
  const known = [...flags.map((flag) => `--${flag.name}`), '--help']
  if (known.includes(name)) return `${name} takes no value.`
  return `Unknown flag ${name}.${didYouMean(name, known)}`
}

function valueProblem(flag: Flag, values: Reading['values'][string]): string | undefined {
  if (flag.value === undefined || values === undefined) return undefined
  const expected = flag.choices ? listOf(flag.choices) : (flag.expected ?? flag.value)
  if (values === true) {
    const example = flag.example === undefined ? '.' : `, for example --${flag.name} ${flag.example}`
    return `--${flag.name} needs a value: ${expected}${example}`
  }
  if (values.length > 1 && !flag.many && !flag.override) return `--${flag.name} is given twice. Remove one of them.`
  const wrong = values.find((value) => flag.choices?.includes(value) === false)
  if (wrong === undefined) return undefined
  return `--${flag.name}: expected ${expected}, got ${JSON.stringify(wrong)}.${didYouMean(wrong, flag.choices ?? [])}`
}

function wordsProblem(command: Taken, words: readonly string[]): string | undefined {
  const [least, most] = command.count
  if (words.length < least) {
    // As the usage line names them.
    const missing = command.words.split(' ').slice(words.length, Math.max(least, words.length + 1))
    return `${missing.join(' and ')} is missing.`
  }
  if (words.length <= most) return undefined
  const excess = words.slice(most).map((word) => JSON.stringify(word))
  return [`Did not expect ${excess.join(' ')}.`, command.excessHint].filter(Boolean).join(' ')
}

/** `text, json or github`. */
function listOf(choices: readonly string[]): string {
  return choices.length === 1 ? String(choices[0]) : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

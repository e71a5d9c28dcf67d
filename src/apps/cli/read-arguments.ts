import { typedTime } from '../../core/model/calendar.ts'
import { must } from '../../core/model/must.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { type CliCommand, type Flag, jsonFlag, type TypedArguments, UsageError, urlFlag, worldFlag } from './command.ts'

export type Taken = Pick<CliCommand, 'words' | 'fields' | 'flags' | 'reportsProblems'>

interface Reading {
  rest: { word: string; at: number }[]
  values: Map<string, string[]>
}

/** Known everywhere, so that the value after one of them is never taken for a word. */
const commonFlags = [urlFlag, worldFlag, jsonFlag]

/** Accepts `--name value`, `--name=value`, `-n value` and `-nvalue` in any place. */
export function readFlags(flags: readonly Flag[], typed: readonly string[]): Reading {
  const rest: Reading['rest'] = []
  const values: Reading['values'] = new Map()
  for (let at = 0; at < typed.length; at++) {
    const word = must(typed[at])
    const [, long, joined, letter, behind] = /^--([^=]+)(?:=(.*))?$|^-([a-z])(.*)$/s.exec(word) ?? []
    const flag = [...flags, ...commonFlags].find(({ name, short = '' }) => name === long || short === letter)
    const value = joined ?? (behind || undefined)
    if (flag === undefined || (flag.value === undefined && value !== undefined)) {
      rest.push({ word, at })
      continue
    }
    const next = typed[at + 1]
    const mayFollow = flag.alone === undefined || flag.choices === undefined || flag.choices.includes(next ?? '')
    const separate = flag.value !== undefined && value === undefined && next !== undefined && !isFlag(next) && mayFollow
    if (separate) at++
    const text = (separate ? next : (value ?? flag.alone)) ?? ''
    values.set(flag.name, [...(values.get(flag.name) ?? []), flag.value === 'time' ? typedTime(text) : text])
  }
  return { rest, values }
}

/**
 * A negative number or duration, such as `-5m`, is not a flag, so that the command itself can reject it with a better
 * message.
 */
export function isFlag(word: string): boolean {
  return /^-[^\d.]/.test(word)
}

/**
 * Throws all problems at once, unless the command reports them itself.
 * @param behind words after `--`, passed on unchanged
 */
export function argumentsOf(command: Taken, typed: readonly string[], behind: readonly string[] = []): TypedArguments {
  const { rest, values } = readFlags(command.flags, typed)
  const flags = new Map(command.flags.map((flag) => [flag.name, flag]))
  const loose = rest.map(({ word }) => word)
  const plain = loose.filter((word) => !isFlag(word))
  const words = [...(command.words?.includes('TIME') ? plain.map(typedTime) : plain), ...behind]
  const foreign = [...values.keys()].filter((name) => !flags.has(name)).map((name) => `--${name}`)
  const problems = [
    ...[...foreign, ...loose.filter(isFlag)].map((word) => unknownFlag([...flags.keys()], word)),
    ...command.flags.flatMap((flag) => valueProblem(flag, values.get(flag.name) ?? []) ?? []),
  ]
  // After a bad flag, a word is most likely that flag's value.
  if (problems.length === 0) problems.push(...countProblem(command, words))
  if (problems.length > 0 && !command.reportsProblems) throw new UsageError(problems.join('\n'))
  const all = (name: string) =>
    (values.get(name) ?? []).filter((text) => text !== '' || flags.get(name)?.value === undefined)
  const get = (name: string) => all(name).at(-1) ?? flags.get(name)?.byDefault
  return {
    words,
    names: [...values.keys()],
    all,
    get,
    number: (name) => (get(name) === undefined ? undefined : Number(get(name))),
    has: (name) => all(name).length > 0,
    problems,
  }
}

function unknownFlag(names: readonly string[], typed: string): string {
  const [flag = ''] = typed.split('=')
  const known = [...names, 'help'].map((name) => `--${name}`)
  return known.includes(flag) ? `${flag} takes no value.` : `Unknown flag ${flag}.${didYouMean(flag, known)}`
}

function valueProblem(flag: Flag, given: readonly string[]): string | undefined {
  const { name, value, names = [], choices, holds, many, env, example } = flag
  if (value === undefined) return undefined
  const expected = choices ? listOf(choices) : (flag.expected ?? value)
  if (given.includes(''))
    return `--${name} needs a value: ${expected}${example ? `, for example --${name} ${example}` : '.'}`
  // A script may give a setting already, as that of `npm start` may: the one behind it counts.
  if (given.length > 1 && !many && env === undefined) return `--${name} is given twice. Remove one of them.`
  const known = typeof names === 'string' ? [] : names
  const wrong = given.find((text) => choices?.includes(text) === false || holds?.(text) === false)
  if (wrong === undefined) return undefined
  return `--${name}: expected ${expected}, got ${JSON.stringify(wrong)}.${didYouMean(wrong, choices ?? known)}`
}

function countProblem(command: Taken, words: readonly string[]): string[] {
  const { required, most } = countOf(command)
  const missing = required.slice(words.length)
  if (missing.length > 0) return [`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`]
  if (words.length <= most) return []
  return [
    `Did not expect ${words
      .slice(most)
      .map((word) => JSON.stringify(word))
      .join(' ')}.`,
  ]
}

export function countOf({ words = '' }: Pick<CliCommand, 'words'>): { required: string[]; most: number } {
  const names = words.split(' ').filter(Boolean)
  const most = words.includes('…') ? Number.POSITIVE_INFINITY : names.length
  return { required: names.filter((name) => !name.startsWith('[')), most }
}

/** How a parameter is typed: `referenceId` as `--reference`, `name` as the word `NAME`. */
export function placeFor({ words = '', fields = [], flags }: Omit<Taken, 'reportsProblems'>, parameter: string) {
  const names = [parameter, parameter.replace(/(?:Id|Url)$/, '')]
  const flag = flags.find(({ name, field = name }) => names.includes(field))
  if (flag) return { flag }
  const typed = words.split(' ')
  const word = typed.findIndex((one, i) =>
    (fields[i]?.split('|') ?? [one.replaceAll(/[[\]]/g, '').toLowerCase()]).some((name) =>
      names.some((other) => other.toLowerCase() === name.toLowerCase()),
    ),
  )
  return word < 0 ? undefined : { word, name: typed[word]?.replaceAll(/[[\]]/g, '') }
}

function listOf(choices: readonly string[]): string {
  return choices.length === 1 ? String(choices[0]) : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

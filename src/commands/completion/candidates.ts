/** What could come next on a command line. */
import type { Arguments, Command, Entry, Flag, LoadService, Names } from '../command.ts'
import { entries } from '../tree.ts'
import { type Candidate, namesOf } from './known-names.ts'

/** Says that files of the folder fit too. */
const FILES = ':files'
const help = { value: 'help', about: 'Explains the commands.' }
const helpFlag: Flag = { name: 'help', help: 'Prints what the command does, with examples.' }

/**
 * Lines for a shell: `value<tab>about`. `typed` are the words behind `mfano`; the last one is under the cursor.
 * Never throws because of what was typed: a shell must not print an error at somebody who types.
 */
export async function candidates(typed: readonly string[], service: LoadService): Promise<string[]> {
  const current = typed.at(-1) ?? ''
  const { found, files } = await next(typed.slice(0, -1), current, service)
  return [
    ...found
      .filter(({ value }) => value.startsWith(current))
      .map(({ value, about }) => `${value}\t${about.replaceAll(/\s+/g, ' ')}`.trimEnd()),
    ...(files ? [FILES] : []),
  ]
}

interface Next {
  found: Candidate[]
  files: boolean
}
const only = (found: Candidate[]): Next => ({ found, files: false })

async function next(before: readonly string[], current: string, service: LoadService): Promise<Next> {
  const [first, ...rest] = before
  if (first === undefined)
    return current.startsWith('-') ? argument(await start(), [], current, service) : only([...named(entries), help])
  if (first === 'help') return only(await helpTopics(rest))
  if (first.startsWith('-')) return argument(await start(), before, current, service)
  const loaded = await entries.find(({ name }) => name === first)?.load()
  if (loaded === undefined) return only([])
  if (!('commands' in loaded)) return argument(loaded, rest, current, service)
  const [second, ...behind] = rest
  const otherwise = loaded.commands.find(({ name }) => name === loaded.otherwise)
  if (otherwise && (second ?? current).startsWith('-')) return argument(otherwise, rest, current, service)
  if (second === undefined) return only([...named(loaded.commands), help])
  const command = loaded.commands.find(({ name }) => name === second)
  return command ? argument(command, behind, current, service) : only([])
}

async function start(): Promise<Command> {
  return (await import('../start/start-command.ts')).startCommand
}

async function helpTopics([first, second]: readonly string[]): Promise<Candidate[]> {
  if (first === undefined) return named(entries)
  const loaded = await entries.find(({ name }) => name === first)?.load()
  return loaded && 'commands' in loaded && second === undefined ? named(loaded.commands) : []
}

/** A flag, the value of one, or a word. */
async function argument(
  command: Command,
  before: readonly string[],
  current: string,
  service: LoadService,
): Promise<Next> {
  const given = flagsOf(command, before)
  const asked = { get: given.get, service }
  const joined = /^--([\w-]+)=/.exec(current)
  const open = joined ? command.flags.find(({ name, value }) => name === joined[1] && value !== undefined) : given.open
  const prefix = joined ? joined[0] : ''
  if (open) return prefixed(prefix, await values(open.choices ?? open.names, asked))
  if (joined) return only([])
  if (current.startsWith('-')) {
    const flags = [...command.flags, helpFlag].filter(({ name, many }) => many || !given.has(name))
    return only(flags.map(({ name, help }) => ({ value: `--${name}`, about: help })))
  }
  const [, most] = command.count
  if (given.words.length >= most) return only([])
  return values(command.names?.[Math.min(given.words.length, command.names.length - 1)], asked)
}

async function values(
  names: Names | readonly string[] | undefined,
  asked: Pick<Arguments, 'get' | 'service'>,
): Promise<Next> {
  if (names === undefined) return only([])
  if (typeof names !== 'string') return only(names.map((value) => ({ value, about: '' })))
  return { found: await namesOf(names, asked), files: names === 'scenarios' || names === 'files' }
}

function prefixed(prefix: string, { found, files }: Next): Next {
  return { found: found.map(({ value, about }) => ({ value: prefix + value, about })), files }
}

/** What is already there: the words, the flags, and the flag whose value comes next. */
function flagsOf(command: Command, before: readonly string[]) {
  const given = new Map<string, string>()
  const words: string[] = []
  let open: Flag | undefined
  for (const word of before) {
    const [, name = '', value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (open) {
      given.set(open.name, word)
      open = undefined
    } else if (name !== '') {
      given.set(name, value ?? '')
      const flag = command.flags.find((one) => one.name === name)
      if (value === undefined && flag?.value !== undefined) open = flag
    } else if (!word.startsWith('-')) words.push(word)
  }
  return { words, open, has: (name: string) => given.has(name), get: (name: string) => given.get(name) }
}

function named(list: readonly (Entry | Command)[]): Candidate[] {
  return list.map(({ name, summary }) => ({ value: name, about: summary }))
}

/** What could come next on a command line. */
import {
  type Arguments,
  type Command,
  type Entry,
  type Flag,
  type LoadService,
  type Names,
  UsageError,
} from '../command.ts'
import { findCommand, type Meant } from '../find-command.ts'
import { argumentsOf } from '../read-arguments.ts'
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
  if (first === 'help') return only(await helpTopics(rest))
  const meant = await findCommand(before).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
  })
  if (meant === undefined) return only([])
  const { group, named } = meant
  if (!current.startsWith('-') && openFlag(meant.command, before) === undefined) {
    if (!named.entry) return only([...listed(entries), help])
    if (group && !named.command) return only([...listed(group.commands), help])
  }
  return argument(meant, before, current, service)
}

async function helpTopics([first, second]: readonly string[]): Promise<Candidate[]> {
  if (first === undefined) return listed(entries)
  const loaded = await entries.find(({ name }) => name === first)?.load()
  return loaded && 'commands' in loaded && second === undefined ? listed(loaded.commands) : []
}

/** A flag, the value of one, or a word. */
async function argument(
  { command, reading }: Meant,
  before: readonly string[],
  current: string,
  service: LoadService,
): Promise<Next> {
  const given = argumentsOf({ ...command, reportsProblems: true }, reading)
  const asked = { get: given.get, service }
  const joined = /^--([\w-]+)=/.exec(current)
  const open = joined
    ? command.flags.find(({ name, value }) => name === joined[1] && value !== undefined)
    : openFlag(command, before)
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

/** The flag whose value comes next. */
function openFlag({ flags }: Command, before: readonly string[]): Flag | undefined {
  return flags.find(({ name, value }) => value !== undefined && before.at(-1) === `--${name}`)
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

function listed(list: readonly (Entry | Command)[]): Candidate[] {
  return list.map(({ name, summary }) => ({ value: name, about: summary }))
}

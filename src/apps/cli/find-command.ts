/** Which command is meant by what was typed: flags may stand before its names, between them and behind. */
import { didYouMean } from '../../core/model/did-you-mean.ts'
import { type Command, type Entry, type Flag, type Group, UsageError } from './command.ts'
import { isFlag, type Reading, readFlags } from './read-arguments.ts'
import { DEFAULT_COMMAND, entries } from './tree.ts'

/** A command, and what was typed for it. */
export interface Meant {
  command: Command
  /** Without the command's names. */
  reading: Reading
  /** What was named; without a name, it is what is usual there. */
  entry: Entry
  group?: Group
  named: { entry: boolean; command: boolean }
}

/**
 * Finds the command, and reads its flags. Fails with a `UsageError` where what was named is none.
 * @param path gets the names that were understood
 */
export async function findCommand(typed: readonly string[], path: string[] = []): Promise<Meant> {
  const namedEntry = await findEntry(typed)
  const entry = namedEntry ?? usual(entries, DEFAULT_COMMAND)
  path.push(entry.name)
  const loaded = await entry.load()
  if (!('commands' in loaded)) {
    const named = { entry: namedEntry !== undefined, command: namedEntry !== undefined }
    return { command: loaded, reading: readBehind([namedEntry], loaded.flags, typed), entry, named }
  }
  const [first, second] = readFlags(flagsOf(loaded), typed).rest
  // Behind a flag that nobody knows, words may be its value.
  const namedCommand = first === entry.name ? requireNamed(loaded.commands, second, `mfano ${first}`) : undefined
  const command = namedCommand ?? usual(loaded.commands, loaded.otherwise)
  path.push(command.name)
  const reading = readBehind([namedEntry, namedCommand], command.flags, typed)
  return { command, reading, entry, group: loaded, named: { entry: true, command: namedCommand !== undefined } }
}

/** What the first word names that is no flag's value. */
async function findEntry(typed: readonly string[]): Promise<Entry | undefined> {
  for (const entry of typed.flatMap((word) => entries.find(({ name }) => name === word) ?? [])) {
    const [word] = readFlags(flagsOf(await entry.load()), typed).rest
    if (word === entry.name) return entry
  }
  const [word] = readFlags(flagsOf(await usual(entries, DEFAULT_COMMAND).load()), typed).rest
  return requireNamed(entries, word)
}

/** A flag that several commands of a group have takes a value in all of them, or in none. */
function flagsOf(loaded: Command | Group): readonly Flag[] {
  return 'commands' in loaded ? loaded.commands.flatMap(({ flags }) => flags) : loaded.flags
}

function usual<One extends { name: string }>(known: readonly One[], usualName: string): One {
  return known.find(({ name }) => name === usualName) as One
}

/** What a word names; undefined where there is none, or a flag that nobody knows. */
function requireNamed<One extends { name: string; count?: Command['count'] }>(
  known: readonly One[],
  word: string | undefined,
  group = '',
): One | undefined {
  if (word === undefined || isFlag(word)) return undefined
  const found = known.find(({ name }) => name === word)
  if (found) return found
  const names = known.map(({ name }) => name)
  const near = didYouMean(word, names)
  // Somebody may name the thing itself: `mfano inbox hello`.
  const shows = near === '' && known.some(({ name, count }) => name === 'show' && count?.[1] === 1)
  const meant = shows ? ` To see ${JSON.stringify(word)}: ${group} show ${word}` : near
  throw new UsageError(`Unknown command ${JSON.stringify(word)}. Known: ${names.join(', ')}.${meant}`)
}

/** What stands besides the names. */
function readBehind(
  names: readonly ({ name: string } | undefined)[],
  flags: readonly Flag[],
  typed: readonly string[],
): Reading {
  const { rest, values } = readFlags(flags, typed)
  const places = names.map((one) => rest.indexOf(one?.name ?? ''))
  return { rest: rest.filter((_, place) => !places.includes(place)), values }
}

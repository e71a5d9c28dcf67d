/** Which command is meant by what was typed: flags may stand before its names, between them and behind. */
import { didYouMean } from '../../core/model/did-you-mean.ts'
import { type CliCommand, type CommandEntry, type CommandGroup, type Flag, UsageError } from './command.ts'
import { isFlag, readFlags } from './read-arguments.ts'
import { DEFAULT_COMMAND, entries } from './tree.ts'

/** A command, and what was typed for it. */
export interface Meant {
  command: CliCommand
  /** Without the command's names. */
  typed: readonly string[]
  entry: CommandEntry
  group?: CommandGroup
  /** What could have been named, where the usual command is meant because nothing was. */
  unnamed: readonly (CommandEntry | CliCommand)[]
}

/**
 * Finds the command. Fails with a `UsageError` where what was named is none.
 * @param path gets the names that were understood
 */
export async function findCommand(typed: readonly string[], path: string[] = []): Promise<Meant> {
  const place = await placeOfEntry(typed)
  const entry = named(entries, typed[place] ?? DEFAULT_COMMAND)
  const behind = typed.filter((_, i) => i !== place)
  path.push(entry.name)
  const loaded = await entry.load()
  if (!('commands' in loaded)) return { command: loaded, typed: behind, entry, unnamed: place < 0 ? entries : [] }
  const at = placeOfName(flagsOf(loaded), behind)
  const command = named(loaded.commands, behind[at] ?? loaded.otherwise, `mfano ${entry.name}`)
  path.push(command.name)
  const unnamed = at < 0 ? loaded.commands : []
  return { command, typed: behind.filter((_, i) => i !== at), entry, group: loaded, unnamed }
}

/** Where the first word stands that is no flag's value; -1 where none does. Whose value a word is, only the command knows that is meant. */
async function placeOfEntry(typed: readonly string[]): Promise<number> {
  for (const entry of entries.filter(({ name }) => typed.includes(name))) {
    const place = placeOfName(flagsOf(await entry.load()), typed)
    if (typed[place] === entry.name) return place
  }
  return placeOfName(flagsOf(await named(entries, DEFAULT_COMMAND).load()), typed)
}

/** Behind a flag that nobody knows, words may be its value, and name nothing. */
function placeOfName(flags: readonly Flag[], typed: readonly string[]): number {
  const [first] = readFlags(flags, typed).rest
  return first === undefined || isFlag(first.word) ? -1 : first.at
}

/** A flag that several commands of a group have takes a value in all of them, or in none. */
function flagsOf(loaded: CliCommand | CommandGroup): readonly Flag[] {
  return 'commands' in loaded ? loaded.commands.flatMap(({ flags }) => flags) : loaded.flags
}

function named<One extends { name: string; words?: string }>(known: readonly One[], word: string, group = ''): One {
  const found = known.find(({ name }) => name === word)
  if (found) return found
  const names = known.map(({ name }) => name)
  const near = didYouMean(word, names)
  // Somebody may name the thing itself: `mfano inbox hello`.
  const shows = near === '' && known.some(({ name, words }) => name === 'show' && words !== undefined)
  const meant = shows ? ` To see ${JSON.stringify(word)}: ${group} show ${word}` : near
  throw new UsageError(`Unknown command ${JSON.stringify(word)}. Known: ${names.join(', ')}.${meant}`)
}

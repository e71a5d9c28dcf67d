/** Finds the command in what was typed. Flags may stand before, between and after its names. */
import { didYouMean } from '../../core/model/problems.ts'
import { type CliCommand, type CommandEntry, type CommandGroup, type Flag, UsageError } from './command.ts'
import { isFlag, readFlags } from './read-arguments.ts'
import { DEFAULT_COMMAND, entries } from './tree.ts'

/** With more names than this, an error suggests only the nearest, because a reader does not search a long list. */
const KNOWN_MAX = 40

interface Meant {
  command: CliCommand
  typed: readonly string[]
  entry: CommandEntry
  group?: CommandGroup
  /** Commands that could have been named. Empty unless the default command was chosen. */
  unnamed: readonly (CommandEntry | CliCommand)[]
}

/**
 * Throws a `UsageError` for an unknown name.
 * @param path receives the recognised names
 */
export async function findCommand(typed: readonly string[], path: string[] = []): Promise<Meant> {
  const place = await placeOfEntry(typed)
  const entry = findNamed(entries, typed[place] ?? DEFAULT_COMMAND)
  const behind = typed.filter((_, i) => i !== place)
  path.push(entry.name)
  const loaded = await entry.load()
  if (!('commands' in loaded)) return { command: loaded, typed: behind, entry, unnamed: place < 0 ? entries : [] }
  const at = placeOfName(flagsOf(loaded), behind)
  const command = findNamed(loaded.commands, behind[at] ?? loaded.otherwise, `mfano ${entry.name}`)
  path.push(command.name)
  const unnamed = at < 0 ? loaded.commands : []
  return { command, typed: behind.filter((_, i) => i !== at), entry, group: loaded, unnamed }
}

/**
 * Index of the first word that is not a flag's value, or -1. Candidates are loaded, because only the command knows
 * which flags take values.
 */
async function placeOfEntry(typed: readonly string[]): Promise<number> {
  for (const entry of entries.filter(({ name }) => typed.includes(name))) {
    const place = placeOfName(flagsOf(await entry.load()), typed)
    if (typed[place] === entry.name) return place
  }
  return placeOfName(flagsOf(await findNamed(entries, DEFAULT_COMMAND).load()), typed)
}

/** Stops at an unknown flag, because the next word may be its value. */
function placeOfName(flags: readonly Flag[], typed: readonly string[]): number {
  const [first] = readFlags(flags, typed).rest
  return first === undefined || isFlag(first.word) ? -1 : first.at
}

/** Merges the flags of a group, because a flag takes a value in all its commands or in none. */
function flagsOf(loaded: CliCommand | CommandGroup): readonly Flag[] {
  return 'commands' in loaded ? loaded.commands.flatMap(({ flags }) => flags) : loaded.flags
}

function findNamed<One extends { name: string; words?: string }>(known: readonly One[], word: string, group = ''): One {
  const found = known.find(({ name }) => name === word)
  if (found) return found
  const names = known.map(({ name }) => name)
  const near = didYouMean(word, names)
  // Somebody may name the thing itself: `mfano inbox hello`.
  const shows = near === '' && known.some(({ name, words }) => name === 'show' && words !== undefined)
  const meant = shows ? ` To see ${JSON.stringify(word)}: ${group} show ${word}` : near
  const list = names.length > KNOWN_MAX ? '' : ` Known: ${names.join(', ')}.`
  throw new UsageError(`Unknown command ${JSON.stringify(word)}.${list}${meant}`)
}

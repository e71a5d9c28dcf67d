/** Which command is meant by what was typed: flags may stand before its names, between them and behind. */
import { didYouMean } from '../../core/model/did-you-mean.ts'
import {
  type CliCommand,
  type CommandEntry,
  type CommandGroup,
  type Flag,
  type LoadService,
  UsageError,
} from './command.ts'
import { isFlag, readFlags } from './read-arguments.ts'
import { DEFAULT_COMMAND, entries } from './tree.ts'

/** More names than a reader looks through: then the nearest is told alone, and the help lists them. */
const KNOWN_MAX = 40

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
 * Finds the command: one of ours, or else an operation of the control plane, which its declaration makes a command.
 * Fails with a `UsageError` where what was named is none.
 * @param path gets the names that were understood
 */
export async function findCommand(typed: readonly string[], service: LoadService, path: string[] = []): Promise<Meant> {
  const place = await placeOfEntry(typed, service)
  const noun = typed[place] ?? DEFAULT_COMMAND
  const entry = entries.find(({ name }) => name === noun) ?? named(await declaredNouns(service), noun, '', entries)
  const behind = typed.filter((_, i) => i !== place)
  path.push(entry.name)
  const loaded = await entry.load(service)
  if (!('commands' in loaded)) return { command: loaded, typed: behind, entry, unnamed: place < 0 ? entries : [] }
  const at = placeOfName(flagsOf(loaded), behind)
  const verb = behind[at] ?? loaded.otherwise
  const command =
    loaded.commands.find(({ name }) => name === verb) ??
    named(await withDeclared(entry, loaded, service), verb, `mfano ${entry.name}`)
  path.push(command.name)
  const unnamed = at < 0 ? loaded.commands : []
  return { command, typed: behind.filter((_, i) => i !== at), entry, group: loaded, unnamed }
}

/** The commands of a group, and behind them those that are operations and nothing more. */
export async function withDeclared(
  entry: CommandEntry,
  { commands }: CommandGroup,
  service: LoadService,
): Promise<CliCommand[]> {
  const group = (await declaredNouns(service)).find(({ name }) => name === entry.name)
  const declared = group ? ((await group.load(service)) as CommandGroup).commands : []
  return [...commands, ...declared.filter(({ name }) => !commands.some((one) => one.name === name))]
}

/** The nouns of the control plane. */
export async function declaredNouns(service: LoadService): Promise<readonly CommandEntry[]> {
  return (await import('./declared-commands.ts')).declaredEntries(service)
}

/** Where the first word stands that is no flag's value; -1 where none does. Whose value a word is, only the command knows that is meant. */
async function placeOfEntry(typed: readonly string[], service: LoadService): Promise<number> {
  for (const entry of entries.filter(({ name }) => typed.includes(name))) {
    const place = placeOfName(flagsOf(await entry.load(service)), typed)
    if (typed[place] === entry.name) return place
  }
  return placeOfName(flagsOf(await named(entries, DEFAULT_COMMAND).load(service)), typed)
}

/** Behind a flag that nobody knows, words may be its value, and name nothing. */
function placeOfName(flags: readonly Flag[], typed: readonly string[]): number {
  const [first] = readFlags(flags, typed).rest
  return first === undefined || isFlag(first.word) ? -1 : first.at
}

/** A flag that several commands of a group have takes a value in all of them, or in none. */
function flagsOf(loaded: CliCommand | CommandGroup): readonly Flag[] {
  if (!('commands' in loaded)) return loaded.flags
  return loaded.flags ?? loaded.commands.flatMap(({ flags }) => flags)
}

/** `more`: what could have been meant too. */
function named<One extends { name: string; words?: string }>(
  known: readonly One[],
  word: string,
  group = '',
  more: readonly { name: string }[] = [],
): One {
  const found = known.find(({ name }) => name === word)
  if (found) return found
  const names = [...new Set([...more, ...known].map(({ name }) => name))]
  const near = didYouMean(word, names)
  // Somebody may name the thing itself: `mfano inbox hello`.
  const shows = near === '' && known.some(({ name, words }) => name === 'show' && words !== undefined)
  const meant = shows ? ` To see ${JSON.stringify(word)}: ${group} show ${word}` : near
  const list = names.length > KNOWN_MAX ? '' : ` Known: ${names.join(', ')}.`
  throw new UsageError(`Unknown command ${JSON.stringify(word)}.${list}${meant}`)
}

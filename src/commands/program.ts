/** The tree of commands as commander runs it; the module of a command is read when it is asked for. */
import { Command as Commander } from 'commander'
import { didYouMean } from '../model/did-you-mean.ts'
import {
  CLEAN,
  type Command,
  type Entry,
  type Group,
  jsonFlag,
  type LoadService,
  UsageError,
  urlFlag,
  worldFlag,
} from './command.ts'
import { commandHelp, groupHelp, HELP, overallHelp } from './help.ts'
import type { Output } from './output.ts'
import { checkArguments, optionOf } from './read-arguments.ts'
import { DEFAULT_COMMAND, entries } from './tree.ts'

/** What a command runs in. */
export interface Surroundings {
  output: Output
  service: LoadService
}

/** What most commands take, so that it may stand before their name too. */
const commonFlags = [urlFlag, worldFlag, jsonFlag]

/**
 * Runs what was typed behind `mfano`, and gives its exit code. Fails with a `UsageError` where that cannot be meant.
 * @param path gets the names of the commands that were understood
 */
export async function runProgram(
  typed: readonly string[],
  { output, service }: Surroundings,
  path: string[],
): Promise<number> {
  let exitCode = CLEAN
  const program = prepared(new Commander('mfano'), output, () => overallHelp(entries)).helpOption(false)
  for (const flag of commonFlags) program.addOption(optionOf(flag))
  for (const { name } of entries) program.command(name, { isDefault: name === DEFAULT_COMMAND })

  const runs = (made: Commander, command: Command, whole: readonly string[]) => {
    prepared(made, output, () => commandHelp(whole.join(' '), command)).helpOption(askForHelp.join())
    for (const flag of command.flags) made.addOption(optionOf(flag))
    made.action(async () => {
      const given = checkArguments(command, made.args, made.optsWithGlobals())
      exitCode = await command.run({ ...given, service }, output)
    })
  }
  const leads = (made: Commander, entry: Entry, { commands, otherwise }: Group) => {
    prepared(made, output, () => groupHelp(entry, { commands, otherwise })).helpOption(false)
    for (const { name } of commands) made.command(name, { isDefault: name === otherwise })
    made.hook('preSubcommand', (_, next) => {
      const command = chosen(made, next, commands)
      path.push(command.name)
      runs(next, command, path)
    })
  }
  program.hook('preSubcommand', async (_, next) => {
    const entry = chosen(program, next, entries)
    path.push(entry.name)
    const loaded = await entry.load()
    if ('commands' in loaded) leads(next, entry, loaded)
    else runs(next, loaded, path)
  })
  try {
    await program.parseAsync(asksForHelp(typed), { from: 'user' })
  } catch (error) {
    if (!helped.includes((error as { code?: string }).code ?? '')) throw error
  }
  return exitCode
}

const askForHelp = [`--${HELP}`, '-h']
/** Commander's codes for an end that is none of a command. */
const helped = ['commander.help', 'commander.helpDisplayed']

/** `mfano help clock advance` and `mfano clock help advance` ask what `mfano clock advance --help` does. */
function asksForHelp(typed: readonly string[]): string[] {
  const at = typed.indexOf(HELP)
  return at === 0 || at === 1 ? [...typed.toSpliced(at, 1), `--${HELP}`] : [...typed]
}

/** Commander keeps to itself what it would say of mistakes: we say it, all at once. */
function prepared(command: Commander, { out }: Output, help: () => string): Commander {
  return command
    .exitOverride()
    .configureOutput({ writeOut: out })
    .configureHelp({ formatHelp: help })
    .helpCommand(false)
    .allowUnknownOption()
    .allowExcessArguments()
}

/**
 * The command that commander goes on to, unless it is the usual one and another was named that there is not, or none
 * and help was asked for.
 */
function chosen<One extends { name: string }>(from: Commander, next: Commander, known: readonly One[]): One {
  const [word = '-'] = from.args
  if (askForHelp.includes(word)) from.help()
  if (!word.startsWith('-') && word !== next.name()) {
    const names = known.map(({ name }) => name)
    throw new UsageError(
      `Unknown command ${JSON.stringify(word)}. Known: ${names.join(', ')}.${didYouMean(word, names)}`,
    )
  }
  return known.find(({ name }) => name === next.name()) as One
}

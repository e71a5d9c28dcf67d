/** Runs what was typed after `mfano`: finds the command, runs it or prints its help, and returns the exit code. */
import { type Arguments, CLEAN, type CliCommand, CommandFailed } from './command.ts'
import { toFailure } from './failure.ts'
import { findCommand, withDeclared } from './find-command.ts'
import { commandHelp, groupHelp, HELP, overallHelp } from './help.ts'
import type { Output } from './output.ts'
import { argumentsOf } from './read-arguments.ts'
import { withZone } from './shown-zone.ts'
import { entries } from './tree.ts'

const FOR_SHELLS = '__complete'

export function runCommand(typed: readonly string[], output: Output): Promise<number> {
  return withZone(() => run(typed, output))
}

async function run(typed: readonly string[], output: Output): Promise<number> {
  if (typed[0] === FOR_SHELLS) {
    await (await import('./completion/candidates.ts')).answerShell(typed.slice(1), output)
    return CLEAN
  }
  // Words behind `--` belong to the app's command.
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length
  const ours = typed.slice(0, end)
  const asked = withoutHelp(ours)
  const path = ['mfano']
  let where: Parameters<typeof import('./as-command.ts').asCommand>[1]
  const commandFor: Arguments['commandFor'] = async (hint) => (await import('./as-command.ts')).asCommand(hint, where)
  let command: CliCommand | undefined
  try {
    if (asked.length < ours.length) {
      output.out(await helpFor(asked, path))
      return CLEAN
    }
    const meant = await findCommand(asked, path)
    command = meant.command
    const given = argumentsOf(command, meant.typed, typed.slice(end + 1))
    where = { url: given.get('url'), world: given.get('world') }
    return await command.run({ ...given, commandFor }, output)
  } catch (error) {
    const { text, exitCode, ...failure } = toFailure(await asCommands(error, commandFor), path.join(' '), command)
    output.error(text)
    if (ours.includes('--json')) output.out(`${JSON.stringify({ error: failure }, null, 2)}\n`)
    return exitCode
  }
}

async function asCommands(error: unknown, commandFor: Arguments['commandFor']): Promise<unknown> {
  if (!(error instanceof CommandFailed) || error.operations.length === 0) return error
  const { message, hint, code, exitCode } = error
  const { inCommands } = await import('./hints-as-commands.ts')
  return new CommandFailed(message, await inCommands(hint, error.operations, { commandFor }), { code, exitCode })
}

/** `mfano help clock advance` and `mfano clock help advance` print the same as `mfano clock advance --help`. */
function withoutHelp(typed: readonly string[]): readonly string[] {
  const flagless = typed.filter((word) => word !== `--${HELP}` && word !== '-h')
  const at = flagless.indexOf(HELP)
  return at === 0 || at === 1 ? flagless.toSpliced(at, 1) : flagless
}

async function helpFor(asked: readonly string[], path: string[]): Promise<string> {
  if (asked.length === 0) return overallHelp(entries)
  const { command, entry, group, unnamed } = await findCommand(asked, path)
  if (!group || unnamed.length === 0) return commandHelp(path.join(' '), command)
  return groupHelp(entry, { ...group, commands: await withDeclared(entry, group) })
}

/** Runs the command that is meant, or explains it. */
import { asTyped } from './as-typed.ts'
import { CLEAN, type LoadService } from './command.ts'
import { findCommand, type Meant } from './find-command.ts'
import { commandHelp, groupHelp, HELP, overallHelp } from './help.ts'
import type { Output } from './output.ts'
import { argumentsOf } from './read-arguments.ts'
import { entries } from './tree.ts'

/** What a command runs in. */
export interface Surroundings {
  output: Output
  service: LoadService
}

/** What was typed: to be understood as far as `--`; what stands behind that is for somebody else. */
export interface Typed {
  ours: readonly string[]
  behind: readonly string[]
}

export function splitTyped(typed: readonly string[]): Typed {
  const at = typed.indexOf('--')
  return at === -1 ? { ours: typed, behind: [] } : { ours: typed.slice(0, at), behind: typed.slice(at + 1) }
}

/**
 * Runs what was typed behind `mfano`, and gives its exit code. Fails with a `UsageError` where that cannot be meant.
 * @param path gets the names of the commands that were understood
 */
export async function runProgram(
  { ours, behind }: Typed,
  { output, service }: Surroundings,
  path: string[],
): Promise<number> {
  const asked = withoutHelp(ours)
  if (asked.length === 0 && ours.length > 0) {
    output.out(overallHelp(entries))
    return CLEAN
  }
  const meant = await findCommand(asked, path)
  if (asked.length < ours.length) {
    output.out(helpOf(meant, path))
    return CLEAN
  }
  const given = argumentsOf(meant.command, meant.reading, behind)
  try {
    return await meant.command.run({ ...given, service }, output)
  } catch (error) {
    throw asTyped(error, meant.command)
  }
}

/** `mfano help clock advance` and `mfano clock help advance` ask what `mfano clock advance --help` does. */
function withoutHelp(typed: readonly string[]): readonly string[] {
  const flagless = typed.filter((word) => word !== `--${HELP}` && word !== '-h')
  const at = flagless.indexOf(HELP)
  return at === 0 || at === 1 ? flagless.toSpliced(at, 1) : flagless
}

/** Of a group, unless one of its commands is asked for. */
function helpOf({ command, entry, group, named }: Meant, path: readonly string[]): string {
  return group && !named.command ? groupHelp(entry, group) : commandHelp(path.join(' '), command)
}

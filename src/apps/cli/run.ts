import { ScenarioError } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { type Arguments, CLEAN, type CliCommand, CommandFailed, PROBLEMS, USAGE, UsageError } from './command.ts'
import { findCommand } from './find-command.ts'
import { ALL, commandHelp, groupHelp, HELP, overallHelp } from './help.ts'
import { type Output, processOutput } from './output.ts'
import { argumentsOf, placeFor } from './read-arguments.ts'
import { entries, usual } from './tree.ts'
import { withZone } from './words.ts'

const FOR_SHELLS = '__complete'

export function runCommand(typed: readonly string[], output: Output): Promise<number> {
  return withZone(() => run(typed, output))
}

async function run(typed: readonly string[], output: Output): Promise<number> {
  if (typed[0] === FOR_SHELLS) {
    await (await import('./completion-candidates.ts')).answerShell(typed.slice(1), output)
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
  if (asked.length === 0) return overallHelp(entries, usual)
  if (asked.join() === ALL) return overallHelp(entries)
  const { command, entry, group, unnamed } = await findCommand(asked, path)
  if (!group || unnamed.length === 0) return commandHelp(path.join(' '), command)
  return groupHelp(entry, group)
}

export async function main(): Promise<void> {
  process.exitCode = await runCommand(process.argv.slice(2), processOutput())
}

interface Failure {
  code: string
  message: string
  details: string
  text: string
  exitCode: number
}

function toFailure(error: unknown, path: string, command?: CliCommand): Failure {
  if (error instanceof UsageError) {
    const { message } = error
    const details = `${path} --help says how.`
    return { code: 'NOT_UNDERSTOOD', message, details, text: `${message}\n${details}`, exitCode: USAGE }
  }
  if (error instanceof CommandFailed) {
    const { code, exitCode } = error
    const [message, details] = asTyped(error, command)
    const joint = details === '' || /[.?!:]$/.test(message) ? ' ' : ': '
    return { code, message, details, text: `${message}${joint}${details}`.trim(), exitCode }
  }
  if (error instanceof ScenarioError) {
    const { message } = error
    return { code: 'INVALID_SCENARIO', message, details: '', text: message, exitCode: PROBLEMS }
  }
  if (error instanceof Refusal) {
    const { code, message, details } = error
    return { code, message, details, text: `${message} ${details}`, exitCode: USAGE }
  }
  throw error
}

/** Replaces field names of the server by flags and words: `referenceId` becomes `--reference`. */
function asTyped({ message, hint }: CommandFailed, command?: CliCommand): [message: string, details: string] {
  const [, field = '', said] = /^([a-z][A-Za-z]*): ([\s\S]+)$/.exec(hint) ?? []
  const place = command && placeFor(command, field)
  const typed = place?.flag === undefined ? place?.name : `--${place.flag.name}`
  return said === undefined || typed === undefined ? [message, hint] : [`${typed}: ${said}`, '']
}

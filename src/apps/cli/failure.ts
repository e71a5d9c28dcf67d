/** What went wrong with a command: for people, and in the control plane's form for programs. */
import { ScenarioError } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { type CliCommand, CommandFailed, PROBLEMS, USAGE, UsageError } from './command.ts'
import { placeFor } from './read-arguments.ts'

interface Failure {
  code: string
  message: string
  details: string
  /** For people. */
  text: string
  exitCode: number
}

/** Throws what nobody foresaw. `path` is the command as far as it was understood. */
export function toFailure(error: unknown, path: string, command?: CliCommand): Failure {
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

/** What a server says about a field is told by the flag or the word that was typed: `referenceId` is `--reference`, a name the word `NAME`. */
function asTyped({ message, hint }: CommandFailed, command?: CliCommand): [message: string, details: string] {
  const [, field = '', said] = /^([a-z][A-Za-z]*): ([\s\S]+)$/.exec(hint) ?? []
  const place = command && placeFor(command, field)
  const typed = place?.flag === undefined ? place?.name : `--${place.flag.name}`
  return said === undefined || typed === undefined ? [message, hint] : [`${typed}: ${said}`, '']
}

/** Reports a failed command: as text for people, as JSON for programs. */
import { ScenarioError } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { type CliCommand, CommandFailed, PROBLEMS, USAGE, UsageError } from './command.ts'
import { placeFor } from './read-arguments.ts'

interface Failure {
  code: string
  message: string
  details: string
  text: string
  exitCode: number
}

/** Rethrows unexpected errors. `path` is the command as far as it was recognised. */
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

/** Replaces field names of the server by flags and words: `referenceId` becomes `--reference`. */
function asTyped({ message, hint }: CommandFailed, command?: CliCommand): [message: string, details: string] {
  const [, field = '', said] = /^([a-z][A-Za-z]*): ([\s\S]+)$/.exec(hint) ?? []
  const place = command && placeFor(command, field)
  const typed = place?.flag === undefined ? place?.name : `--${place.flag.name}`
  return said === undefined || typed === undefined ? [message, hint] : [`${typed}: ${said}`, '']
}

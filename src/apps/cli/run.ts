/** Runs what was typed behind `mfano`: finds the command, runs it, and gives the exit code. */
import { ScenarioError } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { CLEAN, CommandFailed, type LoadService, PROBLEMS, USAGE, UsageError } from './command.ts'
import type { Output } from './output.ts'
import { runProgram, splitTyped } from './program.ts'
import { withZone } from './shown-zone.ts'

/** What the scripts of `mfano completion` ask; nobody types it. */
const FOR_SHELLS = '__complete'

const loadPaymentsService: LoadService = async () => (await import('../../service/service.ts')).paymentsService

/** `service`: what is simulated, for commands that do so themselves. */
export function runCommand(
  typed: readonly string[],
  output: Output,
  service: LoadService = loadPaymentsService,
): Promise<number> {
  return withZone(() => run(typed, output, service))
}

async function run(typed: readonly string[], output: Output, service: LoadService): Promise<number> {
  const [first] = typed
  if (first === FOR_SHELLS) {
    await (await import('./completion/answer.ts')).answerShell(typed.slice(1), output, service)
    return CLEAN
  }
  const split = splitTyped(typed)
  /** The commands that were understood so far. */
  const path = ['mfano']
  try {
    return await runProgram(split, { output, service }, path)
  } catch (error) {
    const failure = failureOf(error, path.join(' '))
    output.error(failure.text)
    if (split.ours.includes('--json')) output.out(`${JSON.stringify({ error: failure.error }, null, 2)}\n`)
    return failure.exitCode
  }
}

/** What went wrong: for people, and in the control plane's form for programs. Throws what nobody foresaw. */
function failureOf(error: unknown, path: string) {
  if (error instanceof UsageError) {
    const { message } = error
    const details = `${path} --help says how.`
    return { text: `${message}\n${details}`, error: { code: 'NOT_UNDERSTOOD', message, details }, exitCode: USAGE }
  }
  if (error instanceof CommandFailed) {
    const { code, message, hint, exitCode } = error
    const joint = hint === '' || /[.?!:]$/.test(message) ? ' ' : ': '
    return { text: `${message}${joint}${hint}`.trim(), error: { code, message, details: hint }, exitCode }
  }
  if (error instanceof ScenarioError) {
    const { message } = error
    return { text: message, error: { code: 'INVALID_SCENARIO', message, details: '' }, exitCode: PROBLEMS }
  }
  if (error instanceof Refusal) {
    const { code, message, details } = error
    return { text: `${message} ${details}`, error: { code, message, details }, exitCode: USAGE }
  }
  throw error
}

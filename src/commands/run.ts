/** Runs what was typed behind `mfano`: finds the command, runs it, and gives the exit code. */
import { didYouMean } from '../model/did-you-mean.ts'
import { Refusal } from '../model/refusal.ts'
import { ScenarioError } from '../scenarios/language/problems.ts'
import { HELP, readArguments } from './arguments.ts'
import {
  CLEAN,
  type Command,
  CommandFailed,
  type Entry,
  type Group,
  type LoadService,
  PROBLEMS,
  USAGE,
  UsageError,
} from './command.ts'
import { commandHelp, groupHelp, overallHelp } from './help.ts'
import type { Output } from './output.ts'
import { entries } from './tree.ts'

/** What the scripts of `mfano completion` ask; nobody types it. */
const FOR_SHELLS = '__complete'
const askForHelp = [HELP, '--help', '-h']

const loadPaymentsService: LoadService = async () => (await import('../service/service.ts')).paymentsService

/** What a command runs in. */
interface Surroundings {
  output: Output
  service: LoadService
}

/** `service`: what is simulated, for commands that do so themselves. */
export async function runCommand(
  typed: readonly string[],
  output: Output,
  service: LoadService = loadPaymentsService,
): Promise<number> {
  const surroundings = { output, service }
  const [first] = typed
  if (first === FOR_SHELLS) {
    await (await import('./completion/answer.ts')).answerShell(typed.slice(1), output, service)
    return CLEAN
  }
  /** The commands that were understood so far. */
  const path = ['mfano']
  try {
    return await runEntry(path, typed, surroundings)
  } catch (error) {
    const failure = failureOf(error, path.join(' '))
    output.error(failure.text)
    if (typed.includes('--json')) output.out(`${JSON.stringify({ error: failure.error }, null, 2)}\n`)
    return failure.exitCode
  }
}

async function runEntry(
  path: string[],
  [name = HELP, ...rest]: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { output } = surroundings
  if (askForHelp.includes(name)) {
    // `mfano help clock advance` asks what `mfano clock advance --help` does.
    const [about, ...more] = rest
    if (about !== undefined && !askForHelp.includes(about)) return runEntry(path, [about, HELP, ...more], surroundings)
    output.out(overallHelp(entries))
    return CLEAN
  }
  const entry = found(name, entries)
  const loaded = await entry.load()
  path.push(name)
  if ('commands' in loaded) return runInGroup(path, entry, loaded, rest, surroundings)
  return run(path, loaded, rest[0] === HELP ? ['--help'] : rest, surroundings)
}

async function runInGroup(
  path: string[],
  entry: Entry,
  group: Group,
  typed: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { output } = surroundings
  const [name, ...rest] = typed
  const runOne = (wanted: string, given: readonly string[]) => {
    const command = found(wanted, group.commands)
    path.push(wanted)
    return run(path, command, given, surroundings)
  }
  if (name !== undefined && askForHelp.includes(name)) {
    const [about] = rest
    if (about !== undefined) return runOne(about, ['--help'])
    output.out(groupHelp(entry, group))
    return CLEAN
  }
  if (group.otherwise !== undefined && (name === undefined || name.startsWith('-')))
    return runOne(group.otherwise, typed)
  if (name !== undefined) return runOne(name, rest)
  output.out(groupHelp(entry, group))
  return USAGE
}

function found<One extends { name: string }>(name: string, known: readonly One[]): One {
  const one = known.find((candidate) => candidate.name === name)
  if (one) return one
  const names = known.map((candidate) => candidate.name)
  const shown = name.startsWith('-') ? `Unknown flag ${name}` : `Unknown command ${JSON.stringify(name)}`
  throw new UsageError(`${shown}. Known: ${names.join(', ')}.${didYouMean(name, names)}`)
}

async function run(
  path: string[],
  command: Command,
  typed: readonly string[],
  { output, service }: Surroundings,
): Promise<number> {
  const given = readArguments(command, typed, service)
  if (given !== 'help') return command.run(given, output)
  output.out(command.help?.() ?? commandHelp(path.slice(1).join(' '), command))
  return CLEAN
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

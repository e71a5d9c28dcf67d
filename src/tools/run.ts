/** Runs what was typed behind `mfano`: finds the command, runs it, and gives the exit code. */
import { didYouMean } from '../model/nearest.ts'
import { Refusal } from '../model/refusal.ts'
import { ScenarioError } from '../scenarios/problems.ts'
import { HELP, readArguments } from './arguments.ts'
import { CLEAN, type Command, CommandFailed, type Entry, type Group, PROBLEMS, USAGE, UsageError } from './command.ts'
import { commandHelp, groupHelp, overallHelp } from './help.ts'
import type { Output } from './output.ts'
import { entries } from './tree.ts'

/** What the scripts of `mfano completion` ask; nobody types it. */
const FOR_SHELLS = '__complete'
const askForHelp = [HELP, '--help', '-h']

export async function runCommand(typed: readonly string[], output: Output): Promise<number> {
  const [name = HELP, ...rest] = typed
  if (name === FOR_SHELLS) {
    await (await import('./completion/answer.ts')).answerShell(rest, output)
    return CLEAN
  }
  if (!askForHelp.includes(name)) return runEntry(name, rest, output)
  // `mfano help clock advance` asks what `mfano clock advance --help` does.
  const [about, ...more] = rest
  if (about !== undefined && !askForHelp.includes(about)) return runEntry(about, [HELP, ...more], output)
  output.out(overallHelp(entries))
  return CLEAN
}

async function runEntry(name: string, typed: readonly string[], output: Output): Promise<number> {
  const entry = entries.find((one) => one.name === name)
  if (!entry) return unknown('mfano', name, entries, output)
  const loaded = await entry.load()
  if ('commands' in loaded) return runInGroup(entry, loaded, typed, output)
  return run(name, loaded, typed[0] === HELP ? ['--help'] : typed, output)
}

async function runInGroup(entry: Entry, group: Group, typed: readonly string[], output: Output): Promise<number> {
  const [name, ...rest] = typed
  const runOne = (wanted: string, given: readonly string[]) => {
    const command = group.commands.find((one) => one.name === wanted)
    return command
      ? run(`${entry.name} ${wanted}`, command, given, output)
      : unknown(`mfano ${entry.name}`, wanted, group.commands, output)
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

function unknown(where: string, name: string, known: readonly { name: string }[], output: Output): number {
  const names = known.map((one) => one.name)
  const shown = name.startsWith('-') ? `Unknown flag ${name}` : `Unknown command ${JSON.stringify(name)}`
  output.error(`${shown}. Known: ${names.join(', ')}.${didYouMean(name, names)}\n${where} --help says how.`)
  return USAGE
}

async function run(path: string, command: Command, typed: readonly string[], output: Output): Promise<number> {
  try {
    const given = readArguments(command, typed)
    if (given !== 'help') return await command.run(given, output)
    output.out(command.help?.() ?? commandHelp(path, command))
    return CLEAN
  } catch (error) {
    const failure = failureOf(error, path)
    output.error(failure.text)
    if (typed.includes('--json')) output.out(`${JSON.stringify({ error: failure.error }, null, 2)}\n`)
    return failure.exitCode
  }
}

/** What went wrong: for people, and in the control plane's form for programs. Throws what nobody foresaw. */
function failureOf(error: unknown, path: string) {
  if (error instanceof UsageError) {
    const { message } = error
    return {
      text: `${message}\nmfano ${path} --help says how.`,
      error: { code: 'NOT_UNDERSTOOD', message, details: `mfano ${path} --help says how.` },
      exitCode: USAGE,
    }
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

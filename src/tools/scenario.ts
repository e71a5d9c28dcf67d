/** `mfano scenario …`: finds the command, runs it, and gives the exit code. */
import { didYouMean } from '../model/nearest.ts'
import { Refusal } from '../model/refusal.ts'
import { ScenarioError } from '../scenarios/problems.ts'
import {
  type Command,
  CommandFailed,
  commandHelp,
  groupHelp,
  type Output,
  PROBLEMS,
  readArguments,
  USAGE,
  UsageError,
} from './command.ts'
import { explainCommand } from './explain.ts'
import { lintCommand } from './lint.ts'
import { listCommand } from './list.ts'
import { newCommand } from './new.ts'
import { previewCommand } from './preview.ts'
import { showCommand } from './show.ts'
import { verifyCommand } from './verify.ts'

const GROUP = 'scenario'
const commands: readonly Command[] = [
  lintCommand,
  explainCommand,
  previewCommand,
  showCommand,
  listCommand,
  newCommand,
  verifyCommand,
]

/** Runs what was typed behind `mfano scenario`. */
export async function runScenarioCommand(
  typed: readonly string[],
  output: Output & { error(text: string): void },
): Promise<number> {
  const [name, ...rest] = typed
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    const about = commands.find((command) => command.name === rest[0])
    const title = 'Writes, checks and questions scenarios.'
    output.out(about ? commandHelp(GROUP, about) : groupHelp(GROUP, title, commands))
    return name === undefined ? USAGE : 0
  }
  const command = commands.find((one) => one.name === name)
  if (!command) {
    const names = commands.map((one) => one.name)
    const what = name.startsWith('-') ? 'Unknown flag' : 'Unknown command'
    const shown = name.startsWith('-') ? name : JSON.stringify(name)
    output.error(`${what} ${shown}. Known: ${names.join(', ')}.${didYouMean(name, names)}`)
    return USAGE
  }
  try {
    const given = readArguments(command, rest)
    if (given !== 'help') return await command.run(given, output)
    output.out(commandHelp(GROUP, command))
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      output.error(`${error.message}\nmfano ${GROUP} ${command.name} --help says how.`)
      return USAGE
    }
    if (error instanceof ScenarioError) {
      output.error(error.message)
      return PROBLEMS
    }
    if (error instanceof Refusal) {
      output.error(`${error.message} ${error.details}`)
      return USAGE
    }
    if (!(error instanceof CommandFailed)) throw error
    output.error(`${error.message} ${error.hint}`)
    return PROBLEMS
  }
}

/** The process of every command. */
import { processOutput } from './output.ts'
import { runCommand } from './run.ts'

/** Runs what was typed; a sandbox that was started goes on after that, until it is told to stop. */
export async function main(): Promise<void> {
  process.exitCode = await runCommand(process.argv.slice(2), processOutput())
}

/** Runs a command in this process. */
import { processOutput } from './output.ts'
import { runCommand } from './run.ts'

/** A started sandbox keeps the process alive until it is told to stop. */
export async function main(): Promise<void> {
  process.exitCode = await runCommand(process.argv.slice(2), processOutput())
}

/** Runs a command of the merchant file to its end, in a process group of its own. */
import { AppPart, type PartCommand, type ProcessOutput } from './app-part.ts'

/** True when it ended with exit code 0 before the signal was aborted. */
export async function runToEnd(command: PartCommand, output: ProcessOutput, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false
  const part = new AppPart(command, output)
  const stop = () => part.crash()
  signal.addEventListener('abort', stop)
  try {
    return await part.succeeded()
  } finally {
    signal.removeEventListener('abort', stop)
    await part.stop()
  }
}

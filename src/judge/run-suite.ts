/** Runs somebody's own test suite in one world, and judges what it left there. */
import { spawn } from 'node:child_process'
import { BooksUnreadable, fetchBooks } from './fetch-books.ts'
import type { Outcome, TrialWorld } from './gauntlet.ts'
import { judgeBooks } from './judge-books.ts'
import { fill, type Placeholder } from './merchant-file.ts'

/** A suite, and how it is told of its world. */
export interface Suite {
  /** A program and its words, or one line for the shell. */
  command: readonly string[]
  /** Variables of the environment besides the usual ones, with placeholders. */
  env: Readonly<Record<string, string>>
  /** Where the app's books are once the suite has ended; without, the journal alone is judged. */
  books: string | undefined
}

/** What every suite finds in its environment. */
const usual: Readonly<Record<string, string>> = {
  PAYMENTS_URL: '{baseUrl}',
  PAYMENTS_BASE_URL: '{baseUrl}',
  PAYMENTS_KEY: '{apiKey}',
  PAYMENTS_API_KEY: '{apiKey}',
  PAYMENTS_SECRET: '{apiSecret}',
  PAYMENTS_API_SECRET: '{apiSecret}',
  PAYMENTS_COMPANY: '{companyId}',
  PAYMENTS_COMPANY_ID: '{companyId}',
}

/** One run. Whether its tests are still green is no verdict: one that rightly sees a failure is right. */
export async function runSuite(suite: Suite, world: TrialWorld): Promise<Outcome> {
  const { control, signal, baseUrl, credentials } = world
  const values: Partial<Record<Placeholder, string>> = { baseUrl, ...credentials }
  const ended = await run(suite.command, fill({ ...usual, ...suite.env }, values), signal)
  signal.throwIfAborted()
  if (ended !== undefined) return { findings: [], warnings: [], unjudged: ended }
  await control('POST', '/clock/settle', { body: {} })
  try {
    return await judgeBooks(world, suite.books === undefined ? undefined : await fetchBooks(suite.books))
  } catch (error) {
    if (error instanceof BooksUnreadable) return { findings: [], warnings: [], unjudged: error.message }
    throw error
  }
}

/** Why it did not run at all; undefined when it ran to its end, well or not. */
function run(
  [program, ...words]: readonly string[],
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program as string, words, {
      env: { ...process.env, ...env },
      stdio: 'ignore',
      detached: true,
      shell: words.length === 0,
    })
    const stop = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It is gone.
      }
    }
    signal.addEventListener('abort', stop)
    process.on('exit', stop)
    const ended = (why?: string) => {
      signal.removeEventListener('abort', stop)
      process.off('exit', stop)
      // Whatever it left running ends with it.
      stop()
      resolve(why)
    }
    child.on('error', (error) => ended(`${program} could not be run: ${error.message}`))
    child.on('exit', () => ended())
  })
}

/** Runs an app by its merchant file in one world, and compares its books with the ledger. */
import { counted } from '../../core/model/text.ts'
import { AppFailed, AppProcess } from '../app/app-process.ts'
import { type Drive, drive } from '../app/drive.ts'
import { hasJoined, NOT_JOINED } from '../app/following.ts'
import type { Merchant } from '../app/merchant-file.ts'
import { NeverQuiet } from '../app/restless.ts'
import { BooksUnreadable, readFetched } from '../fetch-books.ts'
import { judgeBooks, lastRequests, ownFinding, type SubjectOutcome, type SubjectWorld } from './outcome.ts'

export interface Patience {
  readyWithinMs: number
  restWithinMs: number
}

const SAID_LINES = 15

const BOOKS_WITHIN_MS = 30_000

/** Returns an outcome even if the app cannot be judged. Throws only if it is aborted. */
export async function runMerchant(
  merchant: Merchant,
  world: SubjectWorld,
  patience: Patience,
): Promise<SubjectOutcome> {
  const { control, signal } = world
  let app: AppProcess
  try {
    app = await AppProcess.start(merchant, world, { withinMs: patience.readyWithinMs, signal })
    if (merchant.follows && !(await hasJoined(control, signal, merchant.processes.length))) {
      await app.stop()
      return { findings: [], warnings: [], unjudged: NOT_JOINED }
    }
  } catch (error) {
    if (error instanceof AppFailed) return { findings: [], warnings: [], unjudged: error.message }
    throw error
  }
  try {
    const acts: string[] = []
    const restless = await driven({ merchant, app, control, signal, acts, patienceMs: patience.restWithinMs })
    const books = await booksOf(app, merchant, signal)
    // A judged app stands still; one that never rests would go on asking.
    await app.stop()
    const outcome = await judgeBooks(world, books)
    const warnings = [...outcome.warnings, ...leftBehind(app)]
    const found = [...restless, ...outcome.findings]
    const { errors } = app
    // A traceback belongs to all of them; it is told once.
    const findings = found.map((one, i) => (i === 0 && errors !== undefined ? { ...one, errors } : one))
    // Books and ledger that are both empty agree, and prove nothing.
    const idle = findings.length === 0 && (await control('GET', '/statistics')).payments.total === 0
    return { ...outcome, findings, warnings, books, acts, ...(idle && { idle, unjudged: didNothing(acts, app.said) }) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppFailed)
      return {
        findings: [ownFinding(error.code, error.message, await lastRequests(control))],
        warnings: [],
      }
    if (error instanceof BooksUnreadable) return { findings: [], warnings: [], unjudged: error.message }
    throw error
  } finally {
    await app.stop()
  }
}

/** Processes that outlived the app count as advice only. */
function leftBehind({ escaped }: AppProcess): SubjectOutcome['warnings'] {
  if (escaped.length === 0) return []
  const which = escaped.map(({ pid, command }) => `${command} (${pid})`).join(', ')
  return [
    ownFinding(
      'process_left_behind',
      `The app left ${counted(escaped.length, 'process', 'processes')} in a session of its own, and mfano ended it: ${which}.`,
    ),
  ]
}

export function didNothing(acts: readonly string[], said: string): string {
  const answered = [...new Set(acts)].join(', ') || 'nothing was answered'
  const tail = said.trimEnd().split('\n').slice(-SAID_LINES).join('\n')
  return `No payment was made, so there is nothing to judge. Its acts, and what the app answered: ${answered}.${tail === '' ? '' : ` The last that it said:\n${tail}`}`
}

/** An app that never rests is a finding, but its books are judged all the same. */
async function driven(run: Drive): Promise<SubjectOutcome['findings']> {
  try {
    await drive(run)
    return []
  } catch (error) {
    if (error instanceof NeverQuiet) return [ownFinding('never_quiet', error.message)]
    throw error
  }
}

export async function booksOf(app: AppProcess, { books }: Merchant, signal: AbortSignal): Promise<unknown> {
  const answer = await app
    .ask(books, {}, AbortSignal.any([signal, AbortSignal.timeout(BOOKS_WITHIN_MS)]))
    .catch((error) => {
      signal.throwIfAborted()
      app.check()
      throw new BooksUnreadable(`${books.path} gave no books: ${error.message}`)
    })
  if (answer.status !== 200)
    throw new BooksUnreadable(`${books.path} answered ${answer.status}, expected 200 with the books`)
  return readFetched(books.path, answer.body, answer.type)
}

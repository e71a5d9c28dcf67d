import { counted } from '../../core/model/text.ts'
import { lastSaid } from '../app/app-part.ts'
import { AppFailed, type AppProcess } from '../app/app-process.ts'
import type { Merchant } from '../app/merchant-file.ts'
import { BooksUnreadable, readFetched } from '../fetch-books.ts'
import { keepCapsule } from '../keep-capsule.ts'
import { judgeBooks, lastRequests, ownFinding, type SubjectOutcome } from '../subject/outcome.ts'
import { type AppRun, FIRST } from './app-rest.ts'
import type { Choice } from './choice.ts'
import { execute } from './execute.ts'
import type { Happened, PaymentMet } from './happened.ts'
import type { ScheduleLane } from './lane.ts'
import { scenarioOf } from './scenario-of.ts'
import type { Stage } from './stage.ts'
import type { Traces, WorldLeft } from './world-left.ts'

const BOOKS_WITHIN_MS = 30_000
const ASKED_NOTHING =
  ' The app asked its mfano for nothing. Does it read the address from a variable that the merchant file sets to {baseUrl}?'

export interface Ran extends SubjectOutcome {
  choices: readonly Choice[]
  happened: readonly Happened[]
  /** Where choices had somebody do something. */
  chosen: ReadonlySet<Happened>
  payments: readonly PaymentMet[]
  requests: ScheduleLane['requests']
  told: readonly PaymentMet[]
  /** By the id of a payment. */
  about: ReadonlyMap<string, PaymentMet>
  left?: WorldLeft
  traces?: Traces
  isLost?: true
}

/** Returns an outcome even if the app cannot be judged. Throws only if it is aborted. */
export async function runOnStage(stage: Stage, given: AppRun): Promise<Ran> {
  const { merchant, choices, kinds, signal, asked, capsule, isKept } = given
  const { app, lane, control } = stage
  const ran = (outcome: SubjectOutcome): Ran => ({
    ...outcome,
    choices,
    happened: lane.happened,
    chosen: lane.chosen,
    payments: lane.payments.all,
    requests: lane.requests,
    told: lane.told,
    about: lane.payments.byUuid,
  })
  try {
    lane.begin(choices)
    if (kinds) await control('PUT', '/scenario', { body: scenarioOf(choices, kinds) })
    const acts: string[] = []
    const lines = given.pace === FIRST ? await linesAtStart(app, merchant, signal) : 0
    // In a new world, nothing happened on earlier days.
    if (lines > 0 && lane.requests.length === 0) {
      await app.stop()
      return ran({ findings: [], warnings: [], unjudged: keptElsewhere(lines) })
    }
    const restless = await execute(stage, given, acts)
    const books = await booksOf(app, merchant, signal)
    // A judged app stands still, or rests; one that never rests would go on asking.
    if (!isKept || restless.length > 0) await app.stop()
    if (choices.length === 0 && lane.requests.length === 0 && restless.length === 0)
      return ran({ findings: [], warnings: [], idle: true, unjudged: didNothing(ASKED_NOTHING, acts, app.said) })
    const outcome = await judgeBooks(control, books, asked)
    const blamed = outcome.findings.filter(({ requestId = '' }) => {
      const met = lane.payments.byUuid.get(requestId)
      return !met || !lane.isUnknowable(met)
    })
    const found = [...restless, ...blamed]
    const why = found[0]?.text
    const kept =
      capsule &&
      why !== undefined &&
      (await keepCapsule(() => control.open('GET', '/capsule', { query: { why } }), capsule.name, capsule.folder))
    const { errors } = app
    const findings = found.map((one, i) => ({
      ...one,
      // A traceback belongs to all of them; it is told once.
      ...(i === 0 && errors !== undefined && { errors }),
      ...(kept && { capsule: kept }),
    }))
    // Books and ledger that are both empty agree, and prove nothing. Where a choice keeps an app from paying, that is right.
    const idle = choices.length === 0 && findings.length === 0 && lane.payments.all.length === 0
    return ran({
      ...{ ...outcome, findings, acts },
      ...(idle && outcome.unjudged === undefined && { idle, unjudged: didNothing('', acts, app.said) }),
    })
  } catch (error) {
    await app.stop()
    signal.throwIfAborted()
    if (error instanceof AppFailed)
      return ran({ findings: [ownFinding(error.code, error.message, await lastRequests(control))], warnings: [] })
    if (error instanceof BooksUnreadable) return ran({ findings: [], warnings: [], unjudged: error.message })
    throw error
  }
}

export function emptyRun(choices: readonly Choice[]): Ran {
  const nothing = { happened: [], chosen: new Set<Happened>(), payments: [], requests: [], told: [] }
  return { ...nothing, choices, about: new Map(), findings: [], warnings: [] }
}

export interface SubjectEnd {
  verdict: 'green' | 'red' | 'unjudged'
  said: string
}

/** An app ends red by its findings, a suite by its exit code. */
export function endOf({ findings, unjudged, said = '' }: SubjectOutcome): SubjectEnd {
  if (findings.length > 0) return { verdict: 'red', said: findings.map(({ text }) => text).join('\n') }
  return unjudged === undefined ? { verdict: 'green', said } : { verdict: 'unjudged', said: unjudged }
}

function didNothing(why: string, acts: readonly string[], said: string): string {
  const answered = [...new Set(acts)].join(', ') || 'nothing was answered'
  return `No payment was made, so there is nothing to judge.${why} Its acts, and what the app answered: ${answered}. ${lastSaid(said)}`
}

async function linesAtStart(app: AppProcess, merchant: Merchant, signal: AbortSignal): Promise<number> {
  const books = await booksOf(app, merchant, signal).catch(() => undefined)
  if (typeof books === 'string') return books.trim().split('\n').length - 1
  return Array.isArray(books) ? books.length : 0
}

function keptElsewhere(lines: number): string {
  return `Its books had ${counted(lines, 'line')} before anything was asked of it: it keeps its data outside of {dir}. Set the variable of its data folder or database in app.env, such as DATA: "{dir}".`
}

async function booksOf(app: AppProcess, { books }: Merchant, signal: AbortSignal): Promise<unknown> {
  if (!books) return undefined
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

/** The report on a run or a world, as data. Every format is printed from it. */
import { deferredTurn, inSteps } from '../core/host.ts'
import { presentZone, zonedText } from '../core/model/calendar.ts'
import type { JournalEntry } from '../core/model/journal.ts'
import type { ShownHint } from '../core/model/problems.ts'
import { type RunSpan, spanOf, type TestRun } from '../core/model/test-run.ts'
import { counted } from '../core/model/text.ts'
import { type InstantUs, isoInstant } from '../core/model/time.ts'
import type { World } from '../core/world.ts'
import { type Coverage, dimensions, type Gap } from './coverage.ts'
import { explainPayment, explanationText, type ShowHint } from './explain-payment.ts'
import { requestEntry } from './present.ts'
import {
  type BooksComparison,
  firedIn,
  inForce,
  type NeverFired,
  paidIn,
  problemsOf,
  type RunProblem,
  type RunVerdict,
  requestedIn,
  stretchesOf,
  verdictOf,
} from './report/run-verdict.ts'
import { toldIn } from './report/told.ts'

export { problemCodes, verdictNames } from './report/run-verdict.ts'
export { worstStories } from './report/worst-stories.ts'

export interface ShownRun {
  id: number
  name: string
  note: string | null
  /** World time. */
  begunAt: string
  /** Null while it is open. */
  endedAt: string | null
}

export interface CoveredPart {
  dimension: string
  percent: number
  hit: number
  gaps: Gap[]
}

export type RunReport = Awaited<ReturnType<typeof runReport>>

export interface ReportGiven {
  run: TestRun | undefined
  coverage: Coverage
  neverFired: NeverFired
  compared: BooksComparison | null
  baseUrl: string
  version: string
}

export async function runReport(world: World, given: ReportGiven) {
  const { run, coverage, version, baseUrl } = given
  const { core, origin } = world
  const { clock, scenario } = core
  const span = spanOf(run)
  const stretches = stretchesOf(world, run)
  const [paid, asked, told] = [await paidIn(world, span), await requestedIn(world, span), await toldIn(world, span)]
  const fired = firedIn(world, stretches, given.neverFired)
  const compared = run ? (run.compared as BooksComparison | null) : given.compared
  const counts = { payments: paid.counts, requests: asked.counts, callbacks: told.counts }
  const problems: RunProblem[] = problemsOf({ counts, fired, compared })
  const checks = (run?.end?.check ?? core.store.counters.current('check')) - (run?.begin.check ?? 0)
  const verdict: RunVerdict = verdictOf(problems, counts, compared !== null || checks > 0)
  const at = (atUs: InstantUs) => zonedText(atUs, scenario.zone)
  return {
    title: run?.name ?? world.id,
    run: run ? shownRun(run) : null,
    world: world.id,
    baseUrl,
    mfano: version,
    /** World time of the report; payments and callbacks are as of then. */
    asOf: at(clock.now()),
    from: at(run?.begin.atUs ?? core.store.organisations.byId(1).createdAtUs),
    until: run?.end ? at(run.end.atUs) : null,
    zone: presentZone(scenario.zone),
    clock: clock.state().mode,
    /** The world's. The same seed and requests give the same outcomes. */
    seed: origin.seed,
    isDrawn: scenario.isDrawn,
    verdict,
    /** Expectations that were verified. */
    checks,
    problems,
    counts,
    scenarios: inForce(world, stretches),
    fired,
    outcomes: paid.outcomes,
    failed: paid.failed,
    byHand: paid.byHand,
    operations: asked.operations,
    refusals: asked.refusals,
    addresses: told.addresses,
    callbackFaults: told.faults,
    givenUp: told.givenUp,
    compared: compared && { at: compared.at, findings: compared.findings, warnings: compared.warnings },
    coverage: coveredParts(coverage),
  }
}

export function shownRun({ id, name, note, begin, end }: TestRun): ShownRun {
  return { id, name, note, begunAt: isoInstant(begin.atUs), endedAt: end && isoInstant(end.atUs) }
}

function coveredParts(coverage: Coverage): CoveredPart[] {
  return dimensions.map((dimension) => {
    const { percent, hit, gaps } = coverage[dimension]
    return { dimension, percent, hit: hit.length, gaps }
  })
}

const TOLD = 10

/** Requests among which refused ones are looked for, and how many of them at once. */
const LOOKED_AT = 1000
const PAGE = 100

const ANSWER_MAX = 300

export type Report = Awaited<ReturnType<typeof reportOn>>

export async function reportOn(world: World, baseUrl: string, show: ShowHint, run?: TestRun) {
  const { core } = world
  const { clock, store } = core
  const span = spanOf(run)
  const newest = store.payments
    .page({}, { limit: TOLD, newestFirst: true, ...(span.payment.before && { afterSeq: span.payment.before }) })
    .filter(({ seq }) => seq > (span.payment.after ?? 0))
  const payments: ReturnType<typeof explainPayment>[] = []
  for (const { seq } of newest.reverse()) {
    // Others have their turn before each, and may change or clear it.
    await deferredTurn(world.host)
    const payment = store.payments.bySeq(seq)
    if (payment) payments.push(explainPayment(world, payment, baseUrl, show))
  }
  const refused = await inSteps(world.host, lastRefused(world, span))
  const nextDueUs = world.timekeeper.nextDueUs()
  return {
    world: world.id,
    now: isoInstant(clock.now()),
    mode: clock.state().mode,
    /** World time; null when nothing is due. */
    nextDue: nextDueUs === undefined ? null : isoInstant(nextDueUs),
    counts: countsIn(world, span),
    payments,
    refused: refused.reverse().map((entry) => requestEntry(entry, core)),
  }
}

function* lastRefused({ core }: World, { request }: RunSpan): Generator<void, JournalEntry[]> {
  const refused: JournalEntry[] = []
  let { before } = request
  for (let looked = 0; looked < LOOKED_AT && refused.length < TOLD; looked += PAGE) {
    const page = core.store.journal.page({ ...request, limit: PAGE, newestFirst: true, before })
    refused.push(...page.filter(({ status }) => status >= 400))
    if (page.length < PAGE) break
    before = page.at(-1)?.seq
    yield
  }
  return refused.slice(0, TOLD)
}

export function countsIn({ core: { store } }: World, span: RunSpan) {
  const last = { payment: store.counters.current('payment'), request: store.counters.current('journal') }
  const between = (of: 'payment' | 'request') => (span[of].before ?? last[of] + 1) - 1 - (span[of].after ?? 0)
  return { payments: between('payment'), requests: between('request') }
}

export function reportText(
  { world, now, mode, nextDue, counts, payments, refused }: Report,
  show?: (hint: ShownHint) => string,
): string {
  const next = nextDue === null ? 'nothing is due' : `next due ${nextDue}`
  const made = `${counted(counts.payments, 'payment')}, ${counted(counts.requests, 'request')}`
  const parts = [
    `mfano: in the world ${world} it is ${now} (${mode}), ${next}; ${made}.`,
    ...payments.map((one) => explanationText(one, show)),
    ...refused.map((one) => refusalLine(one)),
  ]
  return `${parts.join('\n\n')}\n`
}

function refusalLine({ at, method, path, status, response, requestId, fault }: Report['refused'][number]): string {
  const said = typeof response === 'string' ? response : JSON.stringify(response)
  return `${at} ${method} ${path} was answered ${status} (${fault ?? said?.slice(0, ANSWER_MAX) ?? 'no body'}); ${requestId}`
}

/** The report on a run or a world, as data. Every format is printed from it. */
import * as z from 'zod'
import { deferredTurn, inSteps } from '../core/host.ts'
import { presentZone, zonedText } from '../core/model/calendar.ts'
import { type JournalEntry, type RunSpan, spanOf, type TestRun } from '../core/model/journal.ts'
import { must } from '../core/model/must.ts'
import type { ShownHint } from '../core/model/problems.ts'
import { counted } from '../core/model/text.ts'
import { clockModes, type InstantUs, isoInstant } from '../core/model/time.ts'
import type { World } from '../core/world.ts'
import { type Coverage, coverageShape } from './coverage.ts'
import { explainPayment, explanationText, paymentStory, type ShowHint, sequenceOfPayments } from './explain-payment.ts'
import {
  callbackCountsShape,
  callbackSummary,
  failureText,
  paymentSummary,
  requestEntry,
  shownZoneShape,
} from './present.ts'
import {
  askedOperationShape,
  type BooksComparison,
  booksComparisonShape,
  firedIn,
  firedShape,
  inForce,
  type NeverFired,
  outcomeShape,
  paidIn,
  periodsOf,
  problemShape,
  problemsOf,
  refusedRequestsShape,
  requestedIn,
  scenarioInForceShape,
  toldAddressShape,
  toldIn,
  verdictNames,
  verdictOf,
} from './report/run-verdict.ts'
import { moneyOf, type ReportStory } from './report-document.ts'
import { type AnswerOf, type Reader, shape, view } from './view.ts'

export const shownRun = view(null, (read: Reader<TestRun>) => ({
  id: z.number(),
  name: z.string(),
  note: z.string().nullable(),
  begunAt: read(z.string().describe('World time.'), ({ begin }) => isoInstant(begin.atUs)),
  endedAt: read(z.string().nullable().describe('Null while it goes on.'), ({ end }) => end && isoInstant(end.atUs)),
}))

export const runReportShape = shape('RunReport', () =>
  z.object({
    title: z.string().describe('Name of the run, or of the world.'),
    run: shownRun.schema().nullable(),
    world: z.string(),
    baseUrl: z.string(),
    mfano: z.string(),
    asOf: z.string().describe('World time when it was made: what it tells of payments and callbacks is as of then.'),
    from: z.string(),
    until: z.string().nullable(),
    zone: shownZoneShape(),
    clock: z.enum(clockModes),
    seed: z.number().describe('Seed of the world. The same seed and requests give the same outcomes.'),
    isDrawn: z.boolean().describe('The seed decides every assumption that the scenario does not.'),
    verdict: z.enum(verdictNames),
    checks: z.number().describe('Expectations that were verified.'),
    problems: z.array(problemShape()),
    counts: z.object({
      payments: z.object({
        ...{ all: z.number(), well: z.number(), bad: z.number(), open: z.number() },
        repeated: z.number().describe('References that were sent for more than one payment.'),
      }),
      requests: z.object({ all: z.number(), refused: z.number() }),
      callbacks: callbackCountsShape().extend({
        all: z.number(),
        attempts: z.number(),
        retried: z.number(),
        byHand: z.number(),
        givenUp: z.number(),
        undelivered: z.number().describe('Tried and not delivered yet.'),
      }),
    }),
    scenarios: z.array(scenarioInForceShape()),
    fired: z.array(firedShape()),
    outcomes: z.array(outcomeShape()),
    failed: z.array(paymentSummary.schema()),
    operations: z.array(askedOperationShape()),
    refusals: z.array(refusedRequestsShape()),
    addresses: z.array(toldAddressShape()),
    givenUp: z.array(callbackSummary.schema()),
    compared: booksComparisonShape().nullable(),
    coverage: coverageShape(),
  }),
)
export type RunReport = AnswerOf<typeof runReportShape>

export interface ReportGiven {
  run: TestRun | undefined
  coverage: Coverage
  neverFired: NeverFired
  compared: BooksComparison | null
  baseUrl: string
  version: string
}

export async function runReport(world: World, given: ReportGiven): Promise<RunReport> {
  const { run, coverage, version, baseUrl } = given
  const { core, origin } = world
  const { clock, scenario } = core
  const span = spanOf(run)
  const periods = periodsOf(world, run)
  const [paid, asked, told] = [await paidIn(world, span), await requestedIn(world, span), await toldIn(world, span)]
  const fired = firedIn(world, periods, given.neverFired)
  const compared = run ? (run.compared as BooksComparison | null) : given.compared
  const counts = { payments: paid.counts, requests: asked.counts, callbacks: told.counts }
  const problems = problemsOf({ counts, fired, compared })
  const checks = (run?.end?.check ?? core.store.counters.current('check')) - (run?.begin.check ?? 0)
  const verdict = verdictOf(problems, counts, compared !== null || checks > 0)
  const at = (atUs: InstantUs) => zonedText(atUs, scenario.zone)
  return {
    title: run?.name ?? world.id,
    run: run ? shownRun(run) : null,
    world: world.id,
    baseUrl,
    mfano: version,
    asOf: at(clock.now()),
    from: at(run?.begin.atUs ?? core.store.organisations.byId(1).createdAtUs),
    until: run?.end ? at(run.end.atUs) : null,
    zone: presentZone(scenario.zone),
    clock: clock.state().mode,
    seed: origin.seed,
    isDrawn: scenario.isDrawn,
    verdict,
    checks,
    problems,
    counts,
    scenarios: inForce(world, periods),
    fired,
    ...paid.lists,
    ...asked.lists,
    ...told.lists,
    compared: compared && { at: compared.at, findings: compared.findings, warnings: compared.warnings },
    coverage,
  }
}

const TOLD = 10

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
    clock: clock.state().mode,
    nextDue: nextDueUs === undefined ? null : isoInstant(nextDueUs),
    made: countsIn(world, span),
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
  { world, now, clock, nextDue, made, payments, refused }: Report,
  show?: (hint: ShownHint) => string,
): string {
  const next = nextDue === null ? 'nothing is due' : `next due ${nextDue}`
  const all = `${counted(made.payments, 'payment')}, ${counted(made.requests, 'request')}`
  const parts = [
    `mfano: in the world ${world} it is ${now} (${clock}), ${next}; ${all}.`,
    ...payments.map((one) => explanationText(one, show)),
    ...refused.map((one) => refusalLine(one)),
  ]
  return `${parts.join('\n\n')}\n`
}

function refusalLine({ at, method, path, status, response, requestId, fault }: Report['refused'][number]): string {
  const said = typeof response === 'string' ? response : JSON.stringify(response)
  return `${at} ${method} ${path} was answered ${status} (${fault ?? said?.slice(0, ANSWER_MAX) ?? 'no body'}); ${requestId}`
}

const WORST = 3

interface Wrong {
  compared: BooksComparison | null
  givenUp: RunReport['givenUp']
  baseUrl: string
}

export function worstStories(world: World, { compared, givenUp, baseUrl }: Wrong): ReportStory[] {
  const about = (ids: readonly (string | null | undefined)[]) => {
    const sequence = sequenceOf(world, ids)
    const [uuid] = ids
    const isKnown = typeof uuid === 'string' && sequence !== undefined
    return { sequence, ...(isKnown && { link: `${baseUrl}/_mfano/#/payments/${uuid}` }) }
  }
  const findings = [...Map.groupBy(compared?.findings ?? [], ({ code }) => code).values()].map((alike): ReportStory => {
    const worst = must(alike.toSorted((a, b) => (b.amount ?? 0) - (a.amount ?? 0))[0])
    const { code, text, todo, requestId, others = [], explain } = worst
    return {
      ...{ title: code, text, money: moneyOf(worst), ...about([requestId, ...others]) },
      ...(todo !== undefined && { more: [{ text: `What to do: ${todo}` }] }),
      ...(explain && { command: explain.command }),
    }
  })
  const untold = givenUp.map(({ id, payment, url, attempts, lastAttempt }): ReportStory => {
    const because = failureText(lastAttempt)
    const todo = lastAttempt?.diagnosis?.todo
    return {
      title: `Callback ${id} was given up`,
      text: `${url} took none of ${attempts} attempts${because === '' ? '' : `: ${because}`}.`,
      ...about([payment]),
      ...(todo && { more: [{ text: `What to do: ${todo}` }] }),
      command: `mfano callback redeliver ${id} --url ${baseUrl}`,
    }
  })
  return [...findings, ...untold].slice(0, WORST)
}

function sequenceOf(world: World, ids: readonly (string | null | undefined)[]): ReportStory['sequence'] {
  const payments = ids.flatMap((id) => (id ? (world.core.store.payments.byUuid(id) ?? []) : []))
  if (payments.length === 0) return undefined
  const timezone = presentZone(world.core.scenario.zone)
  return sequenceOfPayments(payments.map((payment) => ({ payment, timezone, story: paymentStory(world, payment) })))
}

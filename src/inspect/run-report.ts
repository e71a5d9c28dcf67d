/** The report on a run or a world, as data. Every format is printed from it. */
import * as z from 'zod'
import { deferredTurn } from '../core/host.ts'
import { presentZone, zonedText } from '../core/model/calendar.ts'
import { type RunSpan, spanOf, type TestRun } from '../core/model/journal.ts'
import { must } from '../core/model/must.ts'
import type { ShownHint } from '../core/model/problems.ts'
import { counted } from '../core/model/text.ts'
import { clockModes, type InstantUs, isoInstant, parseInstant } from '../core/model/time.ts'
import type { World } from '../core/world.ts'
import { type Coverage, dimensions } from './coverage.ts'
import {
  type Explained,
  explainedShape,
  explainPayment,
  explanationText,
  paymentStory,
  type ShowHint,
} from './explain-payment.ts'
import { callbackCountsShape, failureText, shownZoneShape } from './present.ts'
import {
  type BooksComparison,
  booksComparisonShape,
  type CallbackGivenUp,
  findingSection,
  firedIn,
  paidIn,
  periodsOf,
  problemSection,
  problemShape,
  problemsOf,
  type RunSection,
  requestedIn,
  runSectionShape,
  scenarioSections,
  toldIn,
  verdictNames,
  verdictOf,
} from './report/run-lists.ts'
import { cellText, moneyOf, type ReportStory } from './report-document.ts'
import { type AnswerOf, type Reader, shape, view } from './view.ts'
import { coverageOfWorld } from './world-coverage.ts'

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
    now: z.string(),
    nextDue: z.string().nullable().describe('Simulated time; null when nothing is due.'),
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
    compared: booksComparisonShape().nullable(),
    sections: z.array(runSectionShape()),
    payments: z.array(explainedShape()).describe('The newest payments.'),
  }),
)
export type RunReport = AnswerOf<typeof runReportShape>

export interface ReportGiven {
  run: TestRun | undefined
  compared: BooksComparison | null
  baseUrl: string
  version: string
  show: ShowHint
}

/** `stories`: the worst of it, each with what happened. */
export async function runReport(world: World, given: ReportGiven) {
  const { run, version, baseUrl } = given
  const { core, origin, timekeeper } = world
  const { clock, scenario } = core
  const span = spanOf(run)
  const periods = periodsOf(world, run)
  const coverage = await coverageOfWorld(world, span)
  const [paid, asked, told] = [await paidIn(world, span), await requestedIn(world, span), await toldIn(world, span)]
  const payments = await newestExplained(world, span, given)
  const fired = firedIn(world, periods)
  const found = run ? (run.compared as BooksComparison | null) : given.compared
  const compared = found && { at: found.at, findings: found.findings, warnings: found.warnings }
  const counts = { payments: paid.counts, requests: asked.counts, callbacks: told.counts }
  const problems = problemsOf({ counts, fired, compared })
  const checks = (run?.end?.check ?? core.store.counters.current('check')) - (run?.begin.check ?? 0)
  const at = (atUs: InstantUs) => zonedText(atUs, scenario.zone)
  const nextDueUs = timekeeper.nextDueUs()
  const report = {
    title: run?.name ?? world.id,
    run: run ? shownRun(run) : null,
    world: world.id,
    baseUrl,
    mfano: version,
    now: isoInstant(clock.now()),
    nextDue: nextDueUs === undefined ? null : isoInstant(nextDueUs),
    asOf: at(clock.now()),
    from: at(run?.begin.atUs ?? core.store.organisations.byId(1).createdAtUs),
    until: run?.end ? at(run.end.atUs) : null,
    zone: presentZone(scenario.zone),
    clock: clock.state().mode,
    seed: origin.seed,
    isDrawn: scenario.isDrawn,
    verdict: verdictOf(problems, counts, compared !== null || checks > 0),
    checks,
    problems,
    counts,
    compared,
    sections: [
      ...[problemSection(problems), findingSection(compared), paid.failed, told.lost],
      ...[paid.outcomes, asked.refusals, told.addresses],
      ...scenarioSections(world, periods, fired),
      ...[asked.operations, coverageSection(coverage)],
    ],
    payments,
  }
  return { report, stories: worstStories(world, compared, told.givenUp, baseUrl) }
}

const TOLD = 10

async function newestExplained(world: World, { payment: span }: RunSpan, { baseUrl, show }: ReportGiven) {
  const { payments } = world.core.store
  const newest = payments
    .page({ before: span.before }, { limit: TOLD, newestFirst: true })
    .filter(({ seq }) => seq > (span.after ?? 0))
  const explained: Explained[] = []
  for (const { seq } of newest.reverse()) {
    // Others have their turn before each, and may change or clear it.
    await deferredTurn(world.host)
    const payment = payments.bySeq(seq)
    if (payment) explained.push(explainPayment(world, payment, baseUrl, show))
  }
  return explained
}

const GAPS_BESIDE = 3

function coverageSection(coverage: Coverage): RunSection {
  return {
    name: 'coverage',
    title: 'Exercised',
    columns: ['of', '%', 'exercised', 'not yet', 'such as'],
    rows: dimensions.map((dimension) => {
      const { percent, hit, gaps } = coverage[dimension]
      return [dimension, percent, hit.length, gaps.length, gaps.slice(0, GAPS_BESIDE).join(', ')]
    }),
  }
}

export function countsIn({ core: { store } }: World, span: RunSpan) {
  const last = { payment: store.counters.current('payment'), request: store.counters.current('journal') }
  const between = (of: 'payment' | 'request') => (span[of].before ?? last[of] + 1) - 1 - (span[of].after ?? 0)
  return { payments: between('payment'), requests: between('request') }
}

export function reportText(report: RunReport, show?: (hint: ShownHint) => string): string {
  const { world, now, clock, nextDue, counts, payments, sections } = report
  const next = nextDue === null ? 'nothing is due' : `next due ${nextDue}`
  const all = `${counted(counts.payments.all, 'payment')}, ${counted(counts.requests.all, 'request')}`
  const refusals = sections.find(({ name }) => name === 'refusals')
  const parts = [
    `mfano: in the world ${world} it is ${now} (${clock}), ${next}; ${all}.`,
    ...payments.map((one) => explanationText(one, show)),
    ...(refusals?.rows ?? []).map(
      (row) =>
        `Refused: ${row.flatMap((cell, i) => (cell === null || cell === '' ? [] : `${refusals?.columns[i]} ${cellText(cell)}`)).join(', ')}`,
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

const WORST = 3

function worstStories(
  world: World,
  compared: BooksComparison | null,
  givenUp: readonly CallbackGivenUp[],
  baseUrl: string,
): ReportStory[] {
  const about = ([uuid, ...others]: readonly (string | null | undefined)[]) => {
    const exact = happenedTo(world, [uuid, ...others])
    return { exact, ...(uuid && exact.length > 0 && { link: `${baseUrl}/_mfano/#/payments/${uuid}` }) }
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

/** Each payment by itself, one behind the other. */
function happenedTo(world: World, ids: readonly (string | null | undefined)[]): string[] {
  const { store, scenario } = world.core
  return ids.flatMap((id) => {
    const payment = id ? store.payments.byUuid(id) : undefined
    if (!payment) return []
    const steps = paymentStory(world, payment)
    return [
      `${payment.kind} ${payment.uuid}`,
      ...steps.map(({ at, text }) => `${zonedText(must(parseInstant(at)), scenario.zone)}  ${text}`),
    ]
  })
}

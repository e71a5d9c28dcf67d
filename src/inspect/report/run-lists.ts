/** The lists of a report on a run, each beside its walk, and the verdict. To add a list, return a section. */
import * as z from 'zod'
import { isOpen } from '../../core/lifecycle.ts'
import { zonedText } from '../../core/model/calendar.ts'
import { type Callback, callbackStates } from '../../core/model/callback.ts'
import { mayBeRefused } from '../../core/model/callback-fault.ts'
import type { JournalEntry, PeriodEntry, RunSpan, ScenarioPeriod, TestRun } from '../../core/model/journal.ts'
import { asJson } from '../../core/model/json.ts'
import { maskPath } from '../../core/model/mask.ts'
import { toMajor } from '../../core/model/money.ts'
import { keysIn, recordFor } from '../../core/model/must.ts'
import { errorParts } from '../../core/model/refusal.ts'
import { counted } from '../../core/model/text.ts'
import type { InstantUs } from '../../core/model/time.ts'
import { presentPeriod } from '../../core/scenario-periods.ts'
import type { World } from '../../core/world.ts'
import { reasonText } from '../explain/reason-of-end.ts'
import { findingShape } from '../finding.ts'
import { callbackSummary, paymentSummary } from '../present.ts'
import { type Level, levels } from '../reconcile/money-findings.ts'
import { moodMarks, type ReportMood } from '../report-document.ts'
import { hits } from '../rule-hits.ts'
import { every } from '../search.ts'
import { type AnswerOf, shape } from '../view.ts'

const markShape = shape(null, () => z.object({ mood: z.enum(keysIn(moodMarks)), word: z.string() }))

export const runSectionShape = shape('ReportSection', () =>
  z.object({
    name: z.string(),
    title: z.string(),
    note: z.string().optional(),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.union([z.string(), z.number(), markShape()]).nullable())),
    none: z.union([z.string(), markShape()]).optional().describe('The meaning of a list without rows.'),
    isOpen: z.boolean().optional().describe('Markdown does not fold it.'),
    named: z.number().optional().describe('For JUnit: how many cells behind the mark of a row name its case.'),
  }),
)
export type RunSection = AnswerOf<typeof runSectionShape>

/** Its rules stand for outcomes that a request may ask for, so nobody expects all of them to fire. */
const ORDINARY = 'default'

export interface FiredEntry extends PeriodEntry {
  scenario: string
  why: string | null
}

export function periodsOf({ core }: World, run: TestRun | undefined): ScenarioPeriod[] {
  const stored = core.store.runs.periods(run?.id)
  return run?.end ? stored : [...stored, presentPeriod(core)]
}

/** Each once, those that never fired last. Leaves out unused rules of the default scenario. */
export function firedIn(world: World, periods: readonly ScenarioPeriod[]): FiredEntry[] {
  const found = new Map<string, FiredEntry>()
  for (const { scenario, entries } of periods)
    for (const entry of entries) {
      const key = JSON.stringify([scenario, entry.what, entry.name])
      found.set(key, { scenario, ...entry, hits: entry.hits + (found.get(key)?.hits ?? 0), why: null })
    }
  const now = hits(world)
  const reason = ({ scenario, what, name }: FiredEntry) =>
    scenario === now.scenario ? (now.hits.find((one) => one.name === name && one.what === what)?.why ?? null) : null
  return [...found.values()]
    .filter(({ scenario, hits }) => hits > 0 || scenario !== ORDINARY)
    .map((one) => (one.hits > 0 ? one : { ...one, why: reason(one) }))
    .sort((a, b) => b.hits - a.hits)
}

const FIRED = { mood: 'good', word: 'fired' } as const
const NEVER_FIRED = { mood: 'none', word: 'never fired' } as const

export function scenarioSections(
  { core }: World,
  periods: readonly ScenarioPeriod[],
  fired: readonly FiredEntry[],
): RunSection[] {
  const at = (atUs: InstantUs) => zonedText(atUs, core.scenario.zone)
  const assumptions = periods.flatMap(({ scenario, assumptions: changed }) =>
    Object.entries(changed).flatMap(([id, value]) => {
      const known = core.service.assumptions[id]
      return known ? [[scenario, id, value, known.alternatives[0], known.question]] : []
    }),
  )
  return [
    {
      name: 'scenarios',
      title: 'Scenarios in force',
      columns: ['scenario', 'since', 'until', 'seed'],
      rows: periods.map(({ scenario, sinceUs, untilUs, seed }) => {
        return [scenario, sinceUs === null ? 'the beginning' : at(sinceUs), at(untilUs), seed]
      }),
    },
    {
      name: 'rules',
      title: 'Rules and faults, and how often they fired',
      columns: ['state', 'scenario', 'what', 'name', 'hits', 'why not', 'file', 'line'],
      rows: fired.map(({ scenario, what, name, hits: times, why, file, line }) => {
        return [times > 0 ? FIRED : NEVER_FIRED, scenario, what, name, times, why, file, line]
      }),
      named: 3,
    },
    {
      name: 'assumptions',
      title: 'Assumptions that are not at their default',
      columns: ['scenario', 'assumption', 'value', 'default', 'question'],
      rows: assumptions.filter((row, i) => assumptions.findIndex((one) => String(one) === String(row)) === i),
    },
  ]
}

const NAMED = 200

interface OutcomeCount {
  /** One of them. */
  shown: ReturnType<typeof paymentSummary>
  count: number
  amountMinor: number
}

export async function paidIn(world: World, span: RunSpan) {
  const { payments } = world.core.store
  payments.references.catchUp()
  const outcomes = new Map<string, OutcomeCount>()
  const failed: RunSection['rows'] = []
  const references = new Map<string, number>()
  let [ended, bad, open] = [0, 0, 0]
  for await (const { payment } of every(world, 'payment', Number.POSITIVE_INFINITY, span.payment)) {
    if (!payment) continue
    const shown = paymentSummary(payment, world.core)
    const { uuid, kind, status, currency, reason, referenceId, party, amount } = shown
    if (referenceId !== null && payment.history[0]?.by === 'request' && payments.isRepeated(referenceId))
      references.set(referenceId, (references.get(referenceId) ?? 0) + 1)
    if (isOpen(status)) open++
    else ended++
    if (reason) bad++
    const key = JSON.stringify([kind, status, currency, reason && reasonText(reason)])
    const { count, amountMinor } = outcomes.get(key) ?? { count: 0, amountMinor: 0 }
    outcomes.set(key, { shown, count: count + 1, amountMinor: amountMinor + payment.amountMinor })
    if (!reason || failed.length === NAMED) continue
    const to = party && [party.name, party.id].filter(Boolean).join(', ')
    failed.push([uuid, referenceId, kind, to, amount, currency, status, reasonText(reason)])
  }
  const repeated = [...references.values()].filter((times) => times > 1).length
  return {
    counts: { all: ended + open, well: ended - bad, bad, open, repeated },
    outcomes: outcomeSection([...outcomes.values()]),
    failed: {
      name: 'failed',
      title: 'Payments that ended badly',
      columns: ['payment', 'reference', 'kind', 'with', 'amount', 'currency', 'status', 'reason'],
      rows: failed,
    } satisfies RunSection,
  }
}

/** For JUnit, a failed payment passes, because the scenario wanted it; an open one proves nothing yet. */
const ENDED = { mood: 'good', word: 'ended' } as const
const UNDER_WAY = { mood: 'open', word: 'under way' } as const

function outcomeSection(outcomes: readonly OutcomeCount[]): RunSection {
  const sorted = outcomes.toSorted(
    ({ shown: a, ...one }, { shown: b, ...other }) =>
      a.kind.localeCompare(b.kind) || a.status.localeCompare(b.status) || other.count - one.count,
  )
  return {
    name: 'outcomes',
    title: 'Payments by kind, end and reason',
    isOpen: true,
    columns: ['state', 'kind', 'status', 'payments', 'amount', 'currency', 'code', 'why'],
    rows: sorted.map(({ shown: { kind, status, currency, reason }, count, amountMinor }) => {
      const why = reason && reasonText({ ...reason, code: null })
      const state = isOpen(status) ? UNDER_WAY : ENDED
      return [state, kind, status, count, toMajor(amountMinor), currency, reason?.code ?? null, why]
    }),
    none: 'No payment was made.',
    named: 2,
  }
}

export async function requestedIn(world: World, span: RunSpan) {
  const refusals = new Map<string, { first: JournalEntry; count: number }>()
  const operations = new Map<string, { count: number; refused: number }>()
  for await (const { entry } of every(world, 'request', Number.POSITIVE_INFINITY, span.request)) {
    if (!entry) continue
    const { operation, status, rule } = entry
    const isRefused = status >= 400
    const asked = operations.get(operation ?? 'none') ?? { count: 0, refused: 0 }
    operations.set(operation ?? 'none', { count: asked.count + 1, refused: asked.refused + (isRefused ? 1 : 0) })
    if (!isRefused) continue
    const key = JSON.stringify([operation, status, errorParts(asJson(entry.responseBody)).code, rule])
    const { first = entry, count = 0 } = refusals.get(key) ?? {}
    refusals.set(key, { first, count: count + 1 })
  }
  const all = [...operations].sort(([, a], [, b]) => b.count - a.count)
  const sum = (of: 'count' | 'refused') => all.reduce((total, [, one]) => total + one[of], 0)
  return {
    counts: { all: sum('count'), refused: sum('refused') },
    refusals: {
      name: 'refusals',
      title: 'Requests that were refused',
      columns: ['operation', 'status', 'code', 'requests', 'rule', 'the first said', 'request'],
      rows: [...refusals.values()].sort((a, b) => b.count - a.count).map(refusalRow),
    } satisfies RunSection,
    operations: {
      name: 'operations',
      title: 'Operations that were asked',
      columns: ['operation', 'requests', 'refused'],
      rows: all.map(([operation, { count, refused }]) => [operation, count, refused]),
    } satisfies RunSection,
  }
}

function refusalRow({ first, count }: { first: JournalEntry; count: number }): RunSection['rows'][number] {
  const { operation, status, rule, requestId, responseBody, notes } = first
  const { code = null, message, details } = errorParts(asJson(responseBody))
  return [operation, status, code, count, rule, details || message || notes?.fault || '', requestId]
}

const NOTHING_TOLD = { callbacks: 0, delivered: 0, givenUp: 0, attempts: 0 }

export type CallbackGivenUp = ReturnType<typeof callbackSummary>

export async function toldIn(world: World, span: RunSpan) {
  const { store } = world.core
  const states = recordFor(callbackStates, () => 0)
  const addresses = new Map<string, typeof NOTHING_TOLD>()
  const givenUp: CallbackGivenUp[] = []
  let [all, attempts, retried, byHand, undelivered] = [0, 0, 0, 0, 0]
  for await (const { callback } of every(world, 'callback', Number.POSITIVE_INFINITY, span.callback)) {
    if (!callback) continue
    const automatic = store.callbacks.automaticAttempts(callback)
    all++
    states[callback.state]++
    attempts += callback.attempts
    if (automatic > 1) retried++
    if (callback.state === 'pending' && callback.attempts > 0) undelivered++
    byHand += callback.attempts - automatic
    const lost = isGivenUp(world, callback)
    noteAddress(addresses, callback, lost)
    if (lost && givenUp.length < NAMED) givenUp.push(callbackSummary(callback, world.core))
  }
  const byAddress = [...addresses].sort(([, a], [, b]) => b.callbacks - a.callbacks)
  const lostCount = byAddress.reduce((sum, [, one]) => sum + one.givenUp, 0)
  return {
    /** `byHand`: attempts that an operator asked for. `givenUp`: although the scenario did not want that. */
    counts: { all, ...states, attempts, retried, byHand, givenUp: lostCount, undelivered },
    givenUp,
    lost: lostSection(givenUp, all),
    addresses: {
      name: 'callbacks',
      title: 'Callbacks by address',
      columns: ['to', 'callbacks', 'delivered', 'given up', 'attempts'],
      rows: byAddress.map(([url, { callbacks, delivered, givenUp: lost, attempts: tried }]) => {
        return [url, callbacks, delivered, lost, tried]
      }),
    } satisfies RunSection,
  }
}

const GIVEN_UP = { mood: 'bad', word: 'given up' } as const

function lostSection(givenUp: readonly CallbackGivenUp[], all: number): RunSection {
  return {
    name: 'given-up',
    title: 'Callbacks that nobody took',
    columns: ['state', 'to', 'callback', 'payment', 'reference', 'attempts', 'the last one', 'why', 'what to do'],
    rows: givenUp.map(({ id, payment, about, url, attempts, lastAttempt }) => {
      const { error = null, diagnosis } = lastAttempt ?? {}
      return [
        ...[GIVEN_UP, url, id, payment, about?.referenceId ?? null, attempts],
        ...[error, diagnosis?.why ?? null, diagnosis?.todo ?? null],
      ]
    }),
    ...(all > 0 && { none: { mood: 'good' as const, word: 'None.' } }),
    named: 2,
  }
}

function isGivenUp({ core: { store } }: World, { id, state, fault }: Callback): boolean {
  if (state !== 'failed' || mayBeRefused(fault)) return false
  return store.callbacks
    .attemptsOf(id)
    .some(({ error, diagnosis }) => error !== null && diagnosis?.code !== 'answer-lost')
}

function noteAddress(addresses: Map<string, typeof NOTHING_TOLD>, callback: Callback, lost: boolean): void {
  const url = maskPath(callback.url)
  const { state } = callback
  const told = addresses.get(url) ?? NOTHING_TOLD
  addresses.set(url, {
    callbacks: told.callbacks + 1,
    delivered: told.delivered + (state === 'delivered' ? 1 : 0),
    givenUp: told.givenUp + (lost ? 1 : 0),
    attempts: told.attempts + callback.attempts,
  })
}

export interface ProblemRecord {
  level: Level
  count(of: Looked): number
  words(count: number): string
}

interface Looked {
  counts: RunCounts
  fired: readonly FiredEntry[]
  compared: BooksComparison | null
}

export const runProblems = {
  finding: {
    level: 'error',
    count: ({ compared }) => compared?.findings.length ?? 0,
    words: (count) => `${counted(count, 'finding')}: books and ledger differ`,
  },
  given_up: {
    level: 'error',
    count: ({ counts }) => counts.callbacks.givenUp,
    words: (count) => `${counted(count, 'callback')} given up after the last attempt`,
  },
  repeated: {
    level: 'warning',
    count: ({ counts }) => counts.payments.repeated,
    words: (count) => `${counted(count, 'reference')} sent for more than one payment`,
  },
  undelivered: {
    level: 'warning',
    count: ({ counts }) => counts.callbacks.undelivered,
    words: (count) => `${counted(count, 'callback')} tried and not delivered yet`,
  },
  idle: {
    level: 'warning',
    count: ({ fired }) => fired.filter(({ hits }) => hits === 0).length,
    words: (count) => `${counted(count, 'rule or fault', 'rules and faults')} never fired, so nothing tested them`,
  },
  open: {
    level: 'warning',
    count: ({ counts }) => counts.payments.open,
    words: (count) => `${counted(count, 'payment')} still pending`,
  },
} satisfies Record<string, ProblemRecord>

const problemCodes = keysIn(runProblems)

export const problemShape = shape(null, () =>
  z.object({ code: z.enum(problemCodes), level: z.enum(levels), count: z.number() }),
)
export type RunProblem = AnswerOf<typeof problemShape>

/**
 * `unjudged`: neither books nor expectations were checked, so nothing says whether the app is right. `attention`: nothing
 * is wrong, but not everything is tested. `empty`: nothing happened.
 */
export const runVerdicts = {
  failed: { words: 'Failed', mood: 'bad' },
  unjudged: { words: 'Not judged', mood: 'open' },
  attention: { words: 'Passed, with warnings', mood: 'open' },
  passed: { words: 'Passed', mood: 'good' },
  empty: { words: 'Nothing was tested', mood: 'none' },
} as const satisfies Record<string, { words: string; mood: ReportMood }>
type RunVerdict = keyof typeof runVerdicts
export const verdictNames = keysIn(runVerdicts)

export const booksComparisonShape = shape(null, () =>
  z.object({ at: z.string(), findings: z.array(findingShape()), warnings: z.array(findingShape()) }),
)
export type BooksComparison = AnswerOf<typeof booksComparisonShape>

interface RunCounts {
  payments: Awaited<ReturnType<typeof paidIn>>['counts']
  requests: Awaited<ReturnType<typeof requestedIn>>['counts']
  callbacks: Awaited<ReturnType<typeof toldIn>>['counts']
}

export function problemsOf(of: Looked): RunProblem[] {
  return problemCodes
    .map((code) => ({ code, level: runProblems[code].level, count: runProblems[code].count(of) }))
    .filter(({ count }) => count > 0)
}

export function verdictOf(problems: readonly RunProblem[], counts: RunCounts, isChecked: boolean): RunVerdict {
  if (problems.some(({ level }) => level === 'error')) return 'failed'
  if (counts.payments.all + counts.requests.all + counts.callbacks.all === 0) return 'empty'
  if (!isChecked) return 'unjudged'
  return problems.length > 0 ? 'attention' : 'passed'
}

const levelMarks = { error: { mood: 'bad', word: 'error' }, warning: { mood: 'open', word: 'warning' } } as const

export function problemSection(problems: readonly RunProblem[]): RunSection {
  return {
    name: 'problems',
    title: 'Look at this first',
    isOpen: true,
    columns: ['level', 'what'],
    rows: problems.map(({ code, level, count }) => [levelMarks[level], runProblems[code].words(count)]),
  }
}

export function findingSection(compared: BooksComparison | null): RunSection {
  const findings = compared ? [...compared.findings, ...compared.warnings] : []
  return {
    name: 'findings',
    title: 'Books against the ledger',
    ...(compared && { note: `Compared at ${compared.at}. mfano explain PAYMENT shows what happened to one.` }),
    columns: ['level', 'code', 'reference', 'payment', 'what'],
    rows: findings.map(({ level, code, reference = null, requestId = null, text }) => {
      return [levelMarks[level], code, reference, requestId, text]
    }),
    none: compared
      ? { mood: 'good', word: 'They agree.' }
      : { mood: 'none', word: 'No books were compared: mfano reconcile compares them.' },
    named: 2,
  }
}

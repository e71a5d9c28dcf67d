/** The verdict on a run, and the problems to look at first. To add a problem, add a record. */

import * as z from 'zod'
import { isOpen } from '../../core/lifecycle.ts'
import { zonedText } from '../../core/model/calendar.ts'
import { type Callback, callbackStates } from '../../core/model/callback.ts'
import { mayBeRefused } from '../../core/model/callback-fault.ts'
import {
  entryKinds,
  type JournalEntry,
  type RunSpan,
  type ScenarioPeriod,
  type TestRun,
} from '../../core/model/journal.ts'
import { asJson } from '../../core/model/json.ts'
import { maskPath } from '../../core/model/mask.ts'
import { toMajor } from '../../core/model/money.ts'
import { keysIn, recordFor } from '../../core/model/must.ts'
import { errorParts } from '../../core/model/refusal.ts'
import { counted } from '../../core/model/text.ts'
import { presentPeriod } from '../../core/scenario-periods.ts'
import type { World } from '../../core/world.ts'
import { reasonText } from '../explain/reason-of-end.ts'
import { findingShape } from '../finding.ts'
import { callbackSummary, paymentSummary } from '../present.ts'
import { type Level, levels } from '../reconcile/findings/finding-record.ts'
import type { ReportMood } from '../report-document.ts'
import { every } from '../search.ts'
import { type AnswerOf, shape } from '../view.ts'

export interface ProblemRecord {
  level: Level
  count(of: Looked): number
  words(count: number): string
}

interface Looked {
  counts: RunCounts
  fired: readonly Fired[]
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
  payments: Paid['counts']
  requests: RequestedInSpan['counts']
  callbacks: ToldInSpan['counts']
}

export function problemsOf(of: Looked): RunProblem[] {
  return problemCodes
    .map((code) => ({ code, level: runProblems[code].level, count: runProblems[code].count(of) }))
    .filter(({ count }) => count > 0)
}

export function verdictOf(
  problems: readonly RunProblem[],
  { payments, requests, callbacks }: RunCounts,
  isChecked: boolean,
): RunVerdict {
  if (problems.some(({ level }) => level === 'error')) return 'failed'
  if (payments.all + requests.all + callbacks.all === 0) return 'empty'
  if (!isChecked) return 'unjudged'
  return problems.length > 0 ? 'attention' : 'passed'
}

// The scenarios of a run: which of their rules and faults fired, and which never did.

/** Its rules stand for outcomes that a request may ask for, so nobody expects all of them to fire. */
const ORDINARY = 'default'

export const scenarioInForceShape = shape('ScenarioInForce', () =>
  z.object({
    scenario: z.string(),
    seed: z.number(),
    since: z.string().nullable().describe('Null: since the world began.'),
    until: z.string(),
    assumptions: z
      .array(z.object({ id: z.string(), value: z.string(), default: z.string(), question: z.string() }))
      .describe('Assumptions that were not at their default.'),
  }),
)
type ScenarioInForce = AnswerOf<typeof scenarioInForceShape>

export const firedShape = shape('Fired', () =>
  z.object({
    scenario: z.string(),
    why: z.string().nullable().describe('Why it never fired, and what came nearest; or null.'),
    what: z.enum(entryKinds),
    name: z.string(),
    file: z.string(),
    line: z.number(),
    inherited: z.boolean().describe('It comes from a scenario that its own extends.'),
    hits: z.number(),
  }),
)
type Fired = AnswerOf<typeof firedShape>

export type NeverFired = readonly { rule: string; what: string; why: string }[]

export function periodsOf({ core }: World, run: TestRun | undefined): ScenarioPeriod[] {
  const stored = core.store.runs.periods(run?.id)
  return run?.end ? stored : [...stored, presentPeriod(core)]
}

export function inForce({ core }: World, periods: readonly ScenarioPeriod[]): ScenarioInForce[] {
  return periods.map(({ scenario, seed, sinceUs, untilUs, assumptions }) => ({
    scenario,
    seed,
    since: sinceUs === null ? null : zonedText(sinceUs, core.scenario.zone),
    until: zonedText(untilUs, core.scenario.zone),
    assumptions: Object.entries(assumptions).flatMap(([id, value]) => {
      const known = core.service.assumptions[id]
      return known ? [{ id, value, default: known.alternatives[0], question: known.question }] : []
    }),
  }))
}

/** Each once, those that never fired last. Leaves out unused rules of the default scenario. */
export function firedIn(world: World, periods: readonly ScenarioPeriod[], neverFired: NeverFired): Fired[] {
  const found = new Map<string, Fired>()
  for (const { scenario, entries } of periods)
    for (const entry of entries) {
      const key = JSON.stringify([scenario, entry.what, entry.name])
      found.set(key, { scenario, ...entry, hits: entry.hits + (found.get(key)?.hits ?? 0), why: null })
    }
  const reason = ({ scenario, what, name }: Fired) =>
    scenario === world.core.scenario.name
      ? (neverFired.find((one) => one.rule === name && one.what.replace(' ', '-') === what)?.why ?? null)
      : null
  return [...found.values()]
    .filter(({ scenario, hits }) => hits > 0 || scenario !== ORDINARY)
    .map((one) => (one.hits > 0 ? one : { ...one, why: reason(one) }))
    .sort((a, b) => b.hits - a.hits)
}

const NAMED = 200

export const outcomeShape = shape(null, () =>
  z.object({
    kind: z.string(),
    status: z.string(),
    open: z.boolean().describe('It may still change.'),
    currency: z.string(),
    count: z.number(),
    amount: z.number().describe('The sum of them, in major units.'),
    code: z
      .string()
      .nullable()
      .describe('As their records have it; null where they ended well, or the rail gives none.'),
    why: z
      .string()
      .nullable()
      .describe('The reason of the rail and its cause, in words. Null where they did not end badly.'),
  }),
)
type OutcomeCount = AnswerOf<typeof outcomeShape>

type Paid = Awaited<ReturnType<typeof paidIn>>
type PaymentShown = ReturnType<typeof paymentSummary>

export async function paidIn(world: World, span: RunSpan) {
  const outcomes = new Map<string, OutcomeCount & { amountMinor: number }>()
  const failed: PaymentShown[] = []
  const references = new Map<string, number>()
  let [ended, bad, open] = [0, 0, 0]
  for await (const { payment } of every(world, 'payment', Number.POSITIVE_INFINITY, span.payment)) {
    if (!payment) continue
    const summary = paymentSummary(payment, world.core)
    const { kind, status, currency, reason } = summary
    const isUnderWay = isOpen(status)
    if (payment.referenceId !== null && payment.history[0]?.by === 'request')
      references.set(payment.referenceId, (references.get(payment.referenceId) ?? 0) + 1)
    if (isUnderWay) open++
    else ended++
    if (reason) bad++
    const key = JSON.stringify([kind, status, currency, reason && reasonText(reason)])
    const found = outcomes.get(key) ?? {
      ...{ kind, status, open: isUnderWay, currency, count: 0, amount: 0, amountMinor: 0 },
      ...{ code: reason?.code ?? null, why: reason && reasonText({ ...reason, code: null }) },
    }
    const amountMinor = found.amountMinor + payment.amountMinor
    outcomes.set(key, { ...found, count: found.count + 1, amountMinor, amount: toMajor(amountMinor) })
    if (reason && failed.length < NAMED) failed.push(summary)
  }
  const repeated = [...references.values()].filter((times) => times > 1).length
  return {
    counts: { all: ended + open, well: ended - bad, bad, open, repeated },
    lists: {
      outcomes: [...outcomes.values()]
        .map(({ amountMinor: _, ...outcome }) => outcome)
        .sort((a, b) => a.kind.localeCompare(b.kind) || a.status.localeCompare(b.status) || b.count - a.count),
      failed,
    },
  }
}

export const refusedRequestsShape = shape('RefusedRequests', () =>
  z.object({
    operation: z.string().nullable().describe('By its id in the contract; null where nothing is.'),
    status: z.number().describe('HTTP status of the answer.'),
    code: z.string().nullable().describe("Code in the answer's body; null where there is none."),
    rule: z
      .string()
      .nullable()
      .describe("The scenario's rule or fault behind it; null where the service itself refused."),
    count: z.number(),
    says: z.string().describe('Message of the first answer, and how to find it.'),
    requestId: z.string(),
  }),
)
type RefusedRequests = AnswerOf<typeof refusedRequestsShape>

export const askedOperationShape = shape('AskedOperation', () =>
  z.object({ operation: z.string().nullable(), count: z.number(), refused: z.number() }),
)
type AskedOperation = AnswerOf<typeof askedOperationShape>

type RequestedInSpan = Awaited<ReturnType<typeof requestedIn>>

export async function requestedIn(world: World, span: RunSpan) {
  const refusals = new Map<string, RefusedRequests>()
  const operations = new Map<string | null, AskedOperation>()
  for await (const { entry } of every(world, 'request', Number.POSITIVE_INFINITY, span.request)) {
    if (!entry) continue
    const { operation, status } = entry
    const asked = operations.get(operation) ?? { operation, count: 0, refused: 0 }
    operations.set(operation, { ...asked, count: asked.count + 1, refused: asked.refused + (status >= 400 ? 1 : 0) })
    if (status >= 400) note(refusals, entry)
  }
  const all = [...operations.values()].sort((a, b) => b.count - a.count)
  const sum = (of: 'count' | 'refused') => all.reduce((total, one) => total + one[of], 0)
  return {
    counts: { all: sum('count'), refused: sum('refused') },
    lists: { operations: all, refusals: [...refusals.values()].sort((a, b) => b.count - a.count) },
  }
}

function note(refusals: Map<string, RefusedRequests>, entry: JournalEntry): void {
  const { operation, status, rule, requestId, responseBody, notes } = entry
  const { code, message, details } = errorParts(asJson(responseBody))
  const key = JSON.stringify([operation, status, code, rule])
  const first = {
    operation,
    status,
    code: code ?? null,
    rule,
    requestId,
    says: details || message || notes?.fault || '',
  }
  refusals.set(key, { ...(refusals.get(key) ?? first), count: (refusals.get(key)?.count ?? 0) + 1 })
}

export const toldAddressShape = shape('ToldAddress', () =>
  z.object({
    url: z.string(),
    callbacks: z.number(),
    delivered: z.number(),
    givenUp: z.number().describe('Given up, though nothing in the scenario wanted that.'),
    attempts: z.number(),
  }),
)
type ToldAddress = AnswerOf<typeof toldAddressShape>

type ToldInSpan = Awaited<ReturnType<typeof toldIn>>

export async function toldIn(world: World, span: RunSpan) {
  const { store } = world.core
  const states = recordFor(callbackStates, () => 0)
  const addresses = new Map<string, ToldAddress>()
  const givenUp: ReturnType<typeof callbackSummary>[] = []
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
  const urls = [...addresses.values()].sort((a, b) => b.callbacks - a.callbacks)
  const lostCount = urls.reduce((sum, one) => sum + one.givenUp, 0)
  return {
    /** `byHand`: attempts that an operator asked for. `givenUp`: although the scenario did not want that. */
    counts: { all, ...states, attempts, retried, byHand, givenUp: lostCount, undelivered },
    lists: {
      addresses: urls,
      givenUp,
    },
  }
}

function isGivenUp({ core: { store } }: World, { id, state, fault }: Callback): boolean {
  if (state !== 'failed' || mayBeRefused(fault)) return false
  return store.callbacks
    .attemptsOf(id)
    .some(({ error, diagnosis }) => error !== null && diagnosis?.code !== 'answer-lost')
}

function noteAddress(addresses: Map<string, ToldAddress>, callback: Callback, lost: boolean): void {
  const url = maskPath(callback.url)
  const { state } = callback
  const told = addresses.get(url) ?? { url, callbacks: 0, delivered: 0, givenUp: 0, attempts: 0 }
  addresses.set(url, {
    url,
    callbacks: told.callbacks + 1,
    delivered: told.delivered + (state === 'delivered' ? 1 : 0),
    givenUp: told.givenUp + (lost ? 1 : 0),
    attempts: told.attempts + callback.attempts,
  })
}

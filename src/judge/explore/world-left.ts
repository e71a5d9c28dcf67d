import type { CallbackSummary, Control, ControlAnswer, ControlBody, RequestEntry } from '../../client/control.ts'
import type { Mutation } from '../../core/presentation.ts'
import { type Coverage, mergeCoverage } from '../../inspect/coverage.ts'
import { sequenceOfPayments } from '../../inspect/explain-payment.ts'
import type { Sequence } from '../../inspect/report-document.ts'
import type { AppFinding } from '../subject/outcome.ts'
import { withWorldsBelow } from '../subject/own-worlds.ts'

const PAYMENTS_TOLD = 3

export interface WorldLeft {
  coverage: Coverage
  unmet: string[]
  /** Something of the scenario's own fired, or it has only settings. */
  hasFired: boolean
  /** One for each code, of its first finding: others look alike, and nobody reads them all. */
  sequences: Record<string, Sequence>
}

export async function leftIn(control: Control, findings: readonly AppFinding[]): Promise<WorldLeft> {
  const all = await withWorldsBelow(control)
  const hits = await Promise.all(all.map((one) => one('GET', '/scenario/hits')))
  const unfired = hits.map(({ neverFired }) => neverFired.map(({ rule }) => rule))
  const sequences: WorldLeft['sequences'] = {}
  for (const [code, [first]] of Map.groupBy(findings, (one) => one.code)) {
    const sequence = first && (await sequenceOf(control, first))
    if (sequence) sequences[code] = sequence
  }
  return {
    coverage: mergeCoverage(await Promise.all(all.map((one) => one('GET', '/coverage')))),
    unmet: unfired.reduce((left, more) => left.filter((rule) => more.includes(rule))),
    hasFired: hits.some(hasFired),
    sequences,
  }
}

async function sequenceOf(control: Control, { requestId, others = [] }: AppFinding): Promise<Sequence | undefined> {
  const ids = [...others, requestId].filter((id) => id !== undefined).slice(0, PAYMENTS_TOLD)
  const told = await Promise.all(
    ids.map((id) => control('GET', '/payments/:id/explain', { path: { id } }).catch(() => undefined)),
  )
  const known = told.filter((one) => one !== undefined)
  return known.length === 0 ? undefined : sequenceOfPayments(known)
}

function hasFired({ rules, faults, rails, neverFired }: ControlAnswer<'GET', '/scenario/hits'>): boolean {
  const own = [...rules, ...faults, ...rails].filter(({ inherited }) => !inherited)
  return own.length === 0 || neverFired.length < own.length
}

const PAGE = 1000

export type ToldCallback = ControlAnswer<'GET', '/told'>['told'][number]

export type Telling = 'truth' | Mutation

export async function setTelling(control: Control, tells: Telling | undefined): Promise<void> {
  if (tells === 'truth') await control('POST', '/told')
  else if (tells) await control('PUT', '/mutation', { body: tells as ControlBody<'PUT', '/mutation'> })
}

export interface Traces {
  /** Oldest first. */
  requests: RequestEntry[]
  /** Oldest first. */
  callbacks: CallbackSummary[]
  kinds: string[]
  told: ToldCallback[]
}

export async function tracesOf(control: Control): Promise<Traces> {
  const all = await Promise.all((await withWorldsBelow(control)).map(passedIn))
  return {
    requests: all.flatMap(({ requests }) => requests),
    callbacks: all.flatMap(({ callbacks }) => callbacks),
    kinds: all.flatMap(({ kinds }) => kinds),
    told: all.flatMap(({ told }) => told),
  }
}

async function passedIn(control: Control): Promise<Traces> {
  const [requests, { callbacks }, { payments }, { told }] = await Promise.all([
    allRequests(control),
    control('GET', '/callbacks', { query: { limit: PAGE } }),
    control('GET', '/payments', { query: { limit: PAGE } }),
    control('GET', '/told'),
  ])
  return { requests, callbacks: callbacks.toReversed(), kinds: payments.map(({ kind }) => kind), told }
}

async function allRequests(control: Control): Promise<RequestEntry[]> {
  const found: RequestEntry[] = []
  for (let from: number | undefined; ; ) {
    const page = await control('GET', '/requests', { query: { order: 'oldest-first', limit: PAGE, from } })
    found.push(...page.requests)
    if (page.next === null) return found
    from = page.next
  }
}

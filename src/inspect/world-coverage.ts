/** Coverage of a world or a run. */

import { eventsOf, isOpen, statesOf, step } from '../core/lifecycle.ts'
import type { Attempt, Callback } from '../core/model/callback.ts'
import { callbackFaults, faultsIn } from '../core/model/callback-fault.ts'
import type { JournalEntry, RunSpan } from '../core/model/journal.ts'
import { asJson } from '../core/model/json.ts'
import type { Kind, Service } from '../core/model/kind.ts'
import { recordFor } from '../core/model/must.ts'
import type { Payment } from '../core/model/payment.ts'
import { refusalCodes } from '../core/model/refusal.ts'
import { SECOND_US } from '../core/model/time.ts'
import { requestOf } from '../core/response-faults.ts'
import type { World } from '../core/world.ts'
import { type Coverage, type CoverageNames, coverageOf, dimensions } from './coverage.ts'
import { every } from './search.ts'

export async function coverageOfWorld(world: World, span: RunSpan): Promise<Coverage> {
  return coverageOf(allNames(world.core.service), await metIn(world, span))
}

const LATE_US = 60 * SECOND_US

/** Keeps only names, so that any amount fits in memory. */
async function metIn(world: World, span: RunSpan): Promise<CoverageNames> {
  const met = recordFor(dimensions, () => new Set<string>())
  const { scenario, service, store } = world.core
  const tokenless = new Set(service.operations.filter(({ auth }) => auth === 'none').map(({ id }) => id))
  let issued = 0
  for await (const { entry } of every(world, 'request', Number.POSITIVE_INFINITY, span.request)) {
    if (!entry?.operation) continue
    met.operations.add(entry.operation)
    for (const field of fieldsIn(entry)) met.fields.add(fieldName(entry.operation, field))
    for (const code of refusalCodes)
      if (entry.status >= 400 && entry.responseBody?.includes(code)) met.refusals.add(code)
    for (const outcome of tokenOutcomesOf(entry, tokenless.has(entry.operation), issued)) met.tokens.add(outcome)
    if (tokenless.has(entry.operation) && entry.status < 300) issued++
  }
  for await (const { payment } of every(world, 'payment', Number.POSITIVE_INFINITY, span.payment))
    if (payment) notePayment(met, payment)
  for await (const { callback } of every(world, 'callback', Number.POSITIVE_INFINITY, span.callback)) {
    if (!callback) continue
    for (const outcome of outcomesOf(callback, store.callbacks.attemptsOf(callback.id))) met.callbacks.add(outcome)
  }
  // Requests were made under the alternatives in force then.
  if (met.operations.size > 0)
    for (const [id, value] of Object.entries(scenario.assumptions)) met.assumptions.add(positionName(id, value))
  return met
}

function fieldsIn({ requestBody, path }: JournalEntry): Set<string> {
  const names = new Set(new URLSearchParams(path.split('?')[1] ?? '').keys())
  addNames(asJson(requestBody), names)
  return names
}

/** A reviver of `JSON.parse` would take three times as long. */
function addNames(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(name)
    addNames(inner, names)
  }
}

function tokenOutcomesOf({ status, requestHeaders }: JournalEntry, tokenless: boolean, issued: number): TokenOutcome[] {
  if (tokenless && status >= 400) return ['not-issued']
  if (tokenless) return issued > 0 ? ['renewed'] : ['issued']
  return status === 401 && requestHeaders['authorization'] !== undefined ? ['refused'] : []
}

function notePayment(met: Record<'ends' | 'edges', Set<string>>, { kind, history }: Payment): void {
  for (const [i, { event, status }] of history.entries()) {
    met.ends.add(endName(kind, status))
    const from = history[i - 1]
    if (from) met.edges.add(edgeName(kind, from.status, event, status))
  }
}

function outcomesOf({ createdAtUs, state, fault }: Callback, attempts: readonly Attempt[]): string[] {
  // An answer that the scenario lost on its way was given all the same.
  const received = attempts.filter(({ error, diagnosis }) => error === null || diagnosis?.code === 'answer-lost')
  const outcomes: [string, boolean][] = [
    ['delivered', received.length > 0],
    ['refused', attempts.some(({ status, error }) => status !== null && error !== null)],
    ['unreachable', attempts.some(({ status, diagnosis }) => status === null && diagnosis?.code !== 'answer-lost')],
    ['late', received.some(({ sentAtUs }) => sentAtUs - createdAtUs > LATE_US)],
    ['twice', received.length > 1],
    ['lost', state === 'dropped'],
  ]
  const happened = { sent: attempts.length > 0, received: received.length > 0, attempts: false }
  const byFault = faultsIn(fault).flatMap(({ record: { met } }) => (met && happened[met.once] ? [met.outcome] : []))
  return [...outcomes.filter(([, is]) => is).map(([outcome]) => outcome), ...byFault]
}

const callbackOutcomes: readonly string[] = [
  ...new Set([
    ...['delivered', 'refused', 'unreachable', 'late', 'twice', 'before-answer', 'out-of-order', 'lost'],
    ...['wrong-signature', 'unknown-status', 'unknown-fields'],
    ...Object.values(callbackFaults).flatMap(({ met }) => met?.outcome ?? []),
  ]),
]

/** `refused`: a call came with a token that was no longer valid. */
const tokenOutcomes = ['issued', 'renewed', 'refused', 'not-issued'] as const
type TokenOutcome = (typeof tokenOutcomes)[number]

const BY_HAND = ['SUCCEED', 'FAIL', 'REVERSE', 'EXPIRE']

const fieldName = (operation: string, field: string) => `${operation}.${field}`
const endName = (kind: string, status: string) => `${kind} ${status}`
const edgeName = (kind: string, from: string, event: string, to: string) => `${kind} ${from} ${event} ${to}`
const positionName = (id: string, value: string) => `${id}=${value}`

function allNames({ kinds, operations, assumptions }: Service): CoverageNames {
  return {
    operations: new Set(operations.map(({ id }) => id)),
    fields: new Set(
      operations.flatMap((one) => Object.keys(requestOf(one).fields).map((field) => fieldName(one.id, field))),
    ),
    refusals: new Set(refusalCodes),
    ends: new Set(
      [...kinds].flatMap((kind) =>
        statesOf(kind)
          .filter((state) => !isOpen(state))
          .map((state) => endName(kind.name, state)),
      ),
    ),
    edges: new Set([...kinds].flatMap(edgesOf)),
    callbacks: new Set(callbackOutcomes),
    tokens: new Set(tokenOutcomes),
    assumptions: new Set(
      Object.entries(assumptions).flatMap(([id, { alternatives }]) =>
        alternatives.map((value) => positionName(id, value)),
      ),
    ),
  }
}

function edgesOf(kind: Kind): string[] {
  return statesOf(kind).flatMap((from) =>
    eventsOf(kind, from)
      .filter((event) => !BY_HAND.includes(event))
      .flatMap((event) =>
        [true, false].flatMap((endsWell) => {
          const next = step(kind, from, event, { endsWell })
          return next ? [edgeName(kind.name, from, event, next.status)] : []
        }),
      ),
  )
}

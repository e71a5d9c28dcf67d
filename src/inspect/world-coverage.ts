/** Coverage of a world or a run. Import it on demand, because it loads every shipped scenario. */

import { parse } from 'yaml'
import { deferredTurn } from '../core/host.ts'
import { eventsOf, openStates, statesOf, step } from '../core/lifecycle.ts'
import type { Attempt, Callback } from '../core/model/callback.ts'
import { type CallbackFaultName, callbackFaults, faultsIn } from '../core/model/callback-fault.ts'
import { coveredBy } from '../core/model/faults.ts'
import { type JournalEntry, type RunSpan, spanOf } from '../core/model/journal.ts'
import { asJson } from '../core/model/json.ts'
import type { Kind, Service } from '../core/model/kind.ts'
import { keysIn } from '../core/model/must.ts'
import type { Payment } from '../core/model/payment.ts'
import { codesMeant, refusalCodes } from '../core/model/refusal.ts'
import { SECOND_US } from '../core/model/time.ts'
import { requestOf } from '../core/response-faults.ts'
import type { Scenario } from '../core/scenario.ts'
import type { World } from '../core/world.ts'
import { byDimension, type Coverage, type CoverageNames, coverageOf, type Dimension, type Gap } from './coverage.ts'
import { every } from './search.ts'

/** Read once, which takes up to 20 ms of a scenario. */
const reaches = new WeakMap<Scenario, CoverageNames>()

/**
 * @param shipped scenarios that may lead to what was not exercised
 * @param otherwise what leads to a gap that no scenario reaches
 */
export async function coverageOfWorld(
  world: World,
  span: RunSpan,
  shipped: readonly Scenario[],
  otherwise: (dimension: Dimension, name: string) => Omit<Gap, 'name'> | undefined,
): Promise<Coverage> {
  const { service } = world.core
  const reached: { scenario: string; reach: CoverageNames }[] = []
  for (const scenario of shipped) {
    let reach = reaches.get(scenario)
    if (!reach) {
      await deferredTurn(world.host)
      reach = reachOf(scenario, service)
      reaches.set(scenario, reach)
    }
    reached.push({ scenario: scenario.name, reach })
  }
  return coverageOf(allNames(service), await metIn(world, span), (dimension, name) => {
    const found = reached.filter(({ reach }) => reach[dimension].has(name))
    // The default scenario has an amount for many of them.
    const scenario = (found.find((one) => one.scenario !== 'default') ?? found[0])?.scenario
    return scenario === undefined
      ? otherwise(dimension, name)
      : { scenario, command: `mfano start --scenario ${scenario}` }
  })
}

const LATE_US = 60 * SECOND_US

/** Keeps only names, so that any amount fits in memory. */
async function metIn(world: World, span: RunSpan = spanOf(undefined)): Promise<CoverageNames> {
  const met = byDimension(() => new Set<string>())
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

interface File {
  rules?: { on?: string | string[]; then?: Outcome }[]
  faults?: { on?: string | string[]; then?: object }[]
  callbacks?: { faults?: { then?: CallbackOutcomes }[]; retry?: unknown; timeout?: unknown; loseAnswers?: unknown }
  wallets?: Record<string, unknown>
  assumptions?: Record<string, string>
}
interface Outcome {
  end?: string
  refuse?: { code?: string; status?: number }
  revise?: { end?: string }
  answer?: { code?: string; status?: number } | string
  callback?: CallbackOutcomes
}
type CallbackOutcomes = { [Name in CallbackFaultName]?: unknown }

function reachOf({ source }: Scenario, service: Service): CoverageNames {
  const { rules = [], faults = [], callbacks = {}, wallets, assumptions = {} }: File = parse(source) ?? {}
  const names = byDimension(() => new Set<string>())
  for (const { on, then = {} } of rules) noteRule(names, kindsOf(listOf(on), service.kinds.names), then)
  for (const { on, then = {} } of faults) noteFault(names, listOf(on), then)
  for (const { then = {} } of callbacks.faults ?? []) noteCallback(names, then)
  if (callbacks.loseAnswers !== undefined) names.callbacks.add('twice')
  if (callbacks.retry !== undefined || callbacks.timeout !== undefined)
    for (const outcome of ['refused', 'unreachable']) names.callbacks.add(outcome)
  if (wallets) names.refusals.add('INSUFFICIENT_FUNDS')
  for (const [id, value] of Object.entries(assumptions))
    if (Object.hasOwn(service.assumptions, id)) names.assumptions.add(positionName(id, value))
  return names
}

function noteRule(names: Record<Dimension, Set<string>>, kinds: readonly string[], then: Outcome): void {
  const { end, refuse, revise, answer, callback } = then
  for (const error of [refuse, answer])
    if (typeof error === 'object') for (const code of codesMeant(error)) names.refusals.add(code)
  if (callback) noteCallback(names, callback)
  if (end === undefined) return
  for (const kind of kinds) {
    names.ends.add(endName(kind, end))
    names.edges.add(edgeName(kind, 'PENDING', end === 'EXPIRED' ? 'expire' : 'settle', end))
    names.edges.add(edgeName(kind, 'PROCESSING', 'settle', end))
    if (revise?.end !== undefined) {
      names.ends.add(endName(kind, revise.end))
      names.edges.add(edgeName(kind, end, 'revise', revise.end))
    }
  }
}

function noteFault(names: Record<Dimension, Set<string>>, on: string[], then: object): void {
  for (const { refusals = [], tokens = [] } of coveredBy(then)) {
    for (const code of refusals) names.refusals.add(code)
    for (const outcome of tokens) names.tokens.add(outcome)
  }
  if (on.includes('getToken')) names.tokens.add('not-issued')
}

function noteCallback(names: Record<Dimension, Set<string>>, then: CallbackOutcomes): void {
  for (const name of keysIn(then)) {
    const { met } = callbackFaults[name]
    if (met) names.callbacks.add(met.outcome)
  }
}

function kindsOf(on: readonly string[], all: readonly string[]): readonly string[] {
  return on.length === 0 || on.includes('any') ? all : on
}

function listOf(on: string | string[] | undefined): string[] {
  return on === undefined ? [] : [on].flat()
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
          .filter((state) => !openStates.some((open) => open === state))
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

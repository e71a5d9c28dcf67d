/** Values that conditions see. Fields are read on demand, and a missing one never makes a comparison throw. */

import { type ASTNode, parse, serialize } from '@marcbachmann/cel-js'
import type { Core } from '../core/core.ts'
import {
  buildEnvironment,
  type Condition,
  type ConditionEnvironment,
  childrenOf,
  compileIn,
  enumeratedField,
  wordProblem,
} from '../core/expressions.ts'
import { statesOf } from '../core/lifecycle.ts'
import { loadedLibraries } from '../core/loaded-libraries.ts'
import { type Callback, callbackStates, signatureStates } from '../core/model/callback.ts'
import { LANE } from '../core/model/due.ts'
import type { InboxMessage } from '../core/model/inbox.ts'
import { type DomainEvent, domainEventTypes, type JournalEntry } from '../core/model/journal.ts'
import { asJson } from '../core/model/json.ts'
import type { Service } from '../core/model/kind.ts'
import { toMajor } from '../core/model/money.ts'
import type { Payment } from '../core/model/payment.ts'
import { Refusal } from '../core/model/refusal.ts'
import type { InstantUs } from '../core/model/time.ts'
import { type RowVariable, rowVariable } from '../core/vocabulary.ts'

const MOMENT = 'google.protobuf.Timestamp'

const paymentVariable = rowVariable<Payment, Core>('payment', {
  uuid: ['string', ({ uuid }) => uuid],
  kind: ['string', ({ kind }) => kind],
  status: ['string', ({ status }) => status],
  amount: ['double', ({ amountMinor }) => toMajor(amountMinor)],
  currency: ['string', ({ currency }) => currency],
  organisationId: ['string', ({ organisationId }, { store }) => store.organisations.byId(organisationId).uuid],
  referenceId: ['string', ({ referenceId }) => referenceId],
  rule: ['string', ({ plan }) => plan.rule],
  callbackUrl: ['string', ({ callbackUrl }) => callbackUrl],
  createdAt: [MOMENT, ({ createdAtUs }) => moment(createdAtUs)],
  updatedAt: [MOMENT, ({ updatedAtUs }) => moment(updatedAtUs)],
  request: ['dyn', ({ request }) => request],
  details: ['dyn', ({ details }) => details],
})

/** As of the moment when it was looked at, because attempts may follow. */
function lastAttempt({ id, attempts }: Callback, { store }: Core) {
  return attempts === 0 ? undefined : store.callbacks.attemptsOf(id)[attempts - 1]
}

const callbackVariable = rowVariable<Callback, Core>('callback', {
  id: ['double', ({ id }) => id],
  uid: ['string', ({ uid }) => uid],
  topic: ['string', ({ topic }) => topic],
  url: ['string', ({ url }) => url],
  state: ['string', ({ state }) => state],
  attempts: ['double', ({ attempts }) => attempts],
  lastStatus: ['double', (callback, core) => lastAttempt(callback, core)?.status],
  lastError: ['string', (callback, core) => lastAttempt(callback, core)?.error],
  createdAt: [MOMENT, ({ createdAtUs }) => moment(createdAtUs)],
  settledAt: [MOMENT, ({ settledAtUs }) => moment(settledAtUs)],
  body: ['dyn', ({ body }) => jsonOrText(body), ''],
})

/** A journal entry. `path` has no query. `unread`: fields that nothing read. `assumed`: assumptions that decided. */
const requestVariable = rowVariable<JournalEntry, Core>('request', {
  requestId: ['string', ({ requestId }) => requestId],
  operation: ['string', ({ operation }) => operation],
  method: ['string', ({ method }) => method],
  path: ['string', ({ path }) => path.split('?', 1)[0]],
  query: ['dyn', ({ path }) => Object.fromEntries(new URLSearchParams(path.split('?')[1]))],
  headers: ['dyn', ({ requestHeaders }) => requestHeaders],
  body: ['dyn', ({ requestBody }) => jsonOrText(requestBody), ''],
  status: ['double', ({ status }) => status],
  response: ['dyn', ({ responseBody }) => jsonOrText(responseBody), ''],
  rule: ['string', ({ rule }) => rule],
  organisationId: [
    'string',
    ({ organisationId: id }, { store }) => (id === null ? '' : store.organisations.byId(id).uuid),
  ],
  at: [MOMENT, ({ atUs }) => moment(atUs)],
  unread: ['list<string>', ({ notes }) => notes?.unread],
  warnings: ['list<string>', ({ notes }) => notes?.warnings],
  fault: ['string', ({ notes }) => notes?.fault],
  replayed: ['bool', ({ notes }) => notes?.replayed],
  assumed: ['list<string>', ({ notes }) => notes?.assumed],
})

const messageVariable = rowVariable<InboxMessage, Core>('message', {
  id: ['double', ({ id }) => id],
  name: ['string', ({ name }) => name],
  headers: ['dyn', ({ headers }) => headers],
  body: ['dyn', ({ body }) => jsonOrText(body), ''],
  answered: ['string', ({ answered }) => answered],
  signature: ['string', ({ signature }) => signature],
  at: [MOMENT, ({ atUs }) => moment(atUs)],
})

const eventVariable = rowVariable<DomainEvent, Core>('event', {
  type: ['string', ({ type }) => type],
  from: ['string', (event) => (event.type === 'payment' ? event.from : '')],
  to: ['string', (event) => (event.type === 'payment' ? event.to : event.type === 'callback' ? event.state : '')],
  by: ['string', (event) => (event.type === 'payment' ? event.by : '')],
  at: [MOMENT, ({ atUs }) => moment(atUs)],
})

const pendingVariable = rowVariable<Core, Core>('pending', {
  payments: ['double', ({ store }) => store.agenda.subjects(LANE.steps)],
  callbacks: ['double', ({ store }) => store.agenda.subjects(LANE.deliveries)],
})

function moment(atUs: InstantUs | null): Date {
  return new Date(Math.floor((atUs ?? 0) / 1000))
}

function jsonOrText(body: string | null): unknown {
  return body === null ? '' : asJson(body)
}

export interface Predicate {
  scope: Scope
  /** False also when it cannot be evaluated, for example when a body lacks the field. */
  holds(context: EvaluationContext): boolean
  parts: readonly ConditionPart[]
  /** Comparisons like `payment.uuid == "…"`, by field, so that a store can look them up. */
  equals: ReadonlyMap<string, string | number>
  names: ReadonlySet<string>
  matches: boolean
}

const LONGEST = 2_000

/** Refuses a wrong condition with `field`, column, and the nearest known name. */
export function readPredicate(expression: string, scope: Scope, field: string, service: Service): Predicate {
  if (expression.length > LONGEST)
    throw wrong(field, `must have at most ${LONGEST} characters, has ${expression.length}`)
  const environment = environmentOf(scope)
  const compile = (text: string) => compileIn(text, environment)
  const { condition, problem } = compile(expression)
  if (problem) throw wrong(field, `${describePosition(expression, problem.start)}: ${problem.message}`)
  const { ast } = parse(expression)
  const never = wordProblem(ast, wordsOf(service))
  if (never) throw wrong(field, `${describePosition(expression, never.start)}: ${never.message}`)
  return {
    scope,
    holds: (context) => holds(condition, context),
    parts: partsOf(expression, (text) => compile(text).condition),
    equals: new Map(conjuncts(ast).flatMap((part) => equality(part) ?? [])),
    names: new Set(namesIn(ast)),
    matches: matchesPatterns(ast),
  }
}

function describePosition(expression: string, offset: number): string {
  const before = expression.slice(0, offset)
  const column = offset - before.lastIndexOf('\n')
  return expression.includes('\n') ? `line ${before.split('\n').length}, column ${column}` : `column ${column}`
}

function equality(node: ASTNode): [string, string | number][] | undefined {
  if (node.op !== '==') return undefined
  const [left, right] = node.args
  for (const [field, value] of [
    [left, right],
    [right, left],
  ] as const) {
    const name = enumeratedField(field)
    const literal = value.op === 'value' ? value.args : undefined
    if (name === undefined) continue
    if (typeof literal === 'string' || typeof literal === 'number') return [[name, literal]]
    if (typeof literal === 'bigint') return [[name, Number(literal)]]
  }
  return undefined
}

function* namesIn(node: ASTNode): Iterable<string> {
  if (node.op === 'id') yield node.args
  for (const child of childrenOf(node)) yield* namesIn(child)
}

function matchesPatterns(node: ASTNode): boolean {
  return (node.op === 'rcall' && node.args[0] === 'matches') || childrenOf(node).some(matchesPatterns)
}

function wrong(field: string, what: string): Refusal {
  return new Refusal('INVALID_EXPRESSION', `${field}: ${what}`)
}

export const subjects = ['payment', 'callback', 'request', 'inbox'] as const

export type WatchedSubject = (typeof subjects)[number]

export type Scope = WatchedSubject | 'event' | 'breakpoint'

const plain = { now: MOMENT, body: 'dyn' }

const ofEvents = [eventVariable, paymentVariable, callbackVariable, requestVariable, messageVariable]

const build: Record<Scope, () => ConditionEnvironment> = {
  payment: () => buildEnvironment(loadedLibraries, [paymentVariable], { plain: { now: MOMENT } }),
  callback: () => buildEnvironment(loadedLibraries, [callbackVariable, paymentVariable], { plain }),
  request: () => buildEnvironment(loadedLibraries, [requestVariable, paymentVariable], { plain }),
  inbox: () => buildEnvironment(loadedLibraries, [messageVariable], { plain }),
  event: () => buildEnvironment(loadedLibraries, ofEvents, { plain }),
  breakpoint: () => buildEnvironment(loadedLibraries, [...ofEvents, pendingVariable], { plain }),
}

/** Built on first use, because each is slow to build. */
const environments = new Map<Scope, ConditionEnvironment>()

export function environmentOf(scope: Scope): ConditionEnvironment {
  const known = environments.get(scope)
  if (known) return known
  const made = build[scope]()
  environments.set(scope, made)
  return made
}

/** Lets a condition with an impossible word be refused, because it would never hold. */
function wordsOf({ kinds, countries, operations }: Service): Readonly<Record<string, readonly string[]>> {
  return {
    'payment.kind': kinds.names,
    'payment.currency': countries.currencies,
    'payment.status': [...new Set([...kinds].flatMap(statesOf))],
    'callback.state': callbackStates,
    'request.operation': operations.map(({ id }) => id),
    'message.signature': signatureStates,
    'event.type': domainEventTypes,
  }
}

export interface SeenRow {
  payment?: Payment | undefined
  callback?: Callback | undefined
  entry?: JournalEntry | undefined
  message?: InboxMessage | undefined
  domainEvent?: DomainEvent
}

/** Evaluated lazily, because most parts need few values. */
export class EvaluationContext {
  readonly #core: Core
  readonly seen: SeenRow
  readonly #made: Record<string, Readonly<Record<string, unknown>>> = {}

  constructor(core: Core, seen: SeenRow) {
    this.#core = core
    this.seen = seen
  }

  static of(core: Core, domainEvent: DomainEvent): EvaluationContext {
    const { payments, callbacks, journal, inbox } = core.store
    switch (domainEvent.type) {
      case 'payment': {
        const payment = payments.bySeq(domainEvent.seq)
        if (payment) Object.assign(payment, { status: domainEvent.to, updatedAtUs: domainEvent.updatedAtUs })
        return new EvaluationContext(core, { domainEvent, payment })
      }
      case 'callback': {
        const { state, attempts, settledAtUs } = domainEvent
        const callback = callbacks.byId(domainEvent.id)
        if (callback) Object.assign(callback, { state, attempts, settledAtUs })
        return new EvaluationContext(core, { domainEvent, callback })
      }
      case 'request':
        return new EvaluationContext(core, { domainEvent, entry: journal.bySeq(domainEvent.seq) })
      case 'inbox':
        return new EvaluationContext(core, { domainEvent, message: inbox.byId(domainEvent.id) })
      default:
        return new EvaluationContext(core, { domainEvent })
    }
  }

  get payment() {
    return this.#value(paymentVariable, this.#payment())
  }
  get callback() {
    return this.#value(callbackVariable, this.seen.callback)
  }
  get request() {
    return this.#value(requestVariable, this.seen.entry)
  }
  get message() {
    return this.#value(messageVariable, this.seen.message)
  }
  get event() {
    return this.#value(eventVariable, this.seen.domainEvent)
  }
  get pending() {
    return this.#value(pendingVariable, this.#core)
  }
  get body(): unknown {
    const { callback, request, message } = this
    return (this.seen.callback ? callback : this.seen.entry ? request : message)['body']
  }
  get now() {
    return new Date(Math.floor((this.seen.domainEvent?.atUs ?? this.#core.clock.now()) / 1000))
  }

  #payment(): Payment | undefined {
    const { payment, callback, entry } = this.seen
    const seq = callback?.paymentSeq ?? entry?.paymentSeq ?? null
    return payment ?? (seq === null ? undefined : this.#core.store.payments.bySeq(seq))
  }

  #value<Row>({ name, create }: RowVariable<Row, Core>, row: Row | undefined) {
    this.#made[name] ??= new create(row, this.#core)
    return this.#made[name]
  }
}

export interface Closeness {
  held: string[]
  missed: string[]
}

interface ConditionPart {
  text: string
  node: ASTNode
  holds(seen: object): boolean
}

function partsOf(expression: string, compile: (text: string) => Condition | undefined): ConditionPart[] {
  return conjuncts(parse(expression).ast).map((node) => {
    const text = serialize(node)
    const condition = compile(text)
    return { text, node, holds: (seen) => holds(condition, seen) }
  })
}

export function closenessOf(parts: readonly ConditionPart[], seen: object): Closeness {
  const closeness: Closeness = { held: [], missed: [] }
  for (const part of parts) (part.holds(seen) ? closeness.held : closeness.missed).push(part.text)
  return closeness
}

/** The one that meets most parts, and the first of several. */
export function nearestOf<Thing>(things: Iterable<Thing>, closenessOf: (thing: Thing) => Closeness) {
  let best: { thing: Thing; close: Closeness } | undefined
  for (const thing of things) {
    const close = closenessOf(thing)
    if (best === undefined || close.held.length > best.close.held.length) best = { thing, close }
    if (close.missed.length === 0) break
  }
  return best
}

/** `compile` is asked once for each subject, such as a kind of payment. Without a condition, everything fits. */
export function closenessTo<Subject>(
  when: string | undefined,
  compile: (text: string, subject: Subject) => Condition | undefined,
): (subject: Subject, seen: object) => Closeness {
  const compiled = new Map<Subject, ConditionPart[]>()
  return (subject, seen) => {
    const parts = compiled.get(subject) ?? (when === undefined ? [] : partsOf(when, (text) => compile(text, subject)))
    compiled.set(subject, parts)
    return closenessOf(parts, seen)
  }
}

function holds(condition: Condition | undefined, seen: object): boolean {
  try {
    return condition?.(seen) ?? false
  } catch {
    return false
  }
}

function conjuncts(node: ASTNode): ASTNode[] {
  return node.op === '&&' ? node.args.flatMap(conjuncts) : [node]
}

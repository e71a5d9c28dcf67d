import { type ASTNode, serialize } from '@marcbachmann/cel-js'
import * as z from 'zod'
import type { Core } from '../core/core.ts'
import { childrenOf } from '../core/expressions.ts'
import { alarmAfter } from '../core/host.ts'
import type { InboxMessage } from '../core/model/inbox.ts'
import { must } from '../core/model/must.ts'
import { commonReasons, Refusal, refused } from '../core/model/refusal.ts'
import type { World } from '../core/world.ts'
import {
  closenessOf,
  EvaluationContext,
  environmentOf,
  nearestOf,
  type Scope,
  type SeenRow,
  type WatchedSubject,
} from './predicate.ts'
import { callbackSummary, inboxMessage, paymentSummary, requestEntry } from './present.ts'
import { asTold, newest, type Query, search } from './search.ts'
import { type AnswerOf, type Reader, shape, view } from './view.ts'

const missedShape = shape('Missed', () =>
  z.object({
    part: z.string(),
    found: z.record(z.string(), z.unknown()).describe('`{"payment.status": "PENDING"}`, without what is not there.'),
  }),
)
type Missed = AnswerOf<typeof missedShape>

const SHOWN = 200

function sayMissed(missed: readonly Missed[]): string {
  return missed
    .map(({ part, found }) => {
      const values = Object.entries(found).map(([name, value]) => `${name} is ${JSON.stringify(value)}`)
      return values.length === 0 ? `${part} cannot be worked out` : values.join(' and ')
    })
    .join(', and ')
}

function found(scope: Scope, node: ASTNode, context: EvaluationContext): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name of namesIn(scope, node)) {
    const value = lookUp(scope, name, context)
    if (value !== undefined) values[name] = value
  }
  return values
}

function namesIn(scope: Scope, node: ASTNode): Set<string> {
  const { variables, plain } = environmentOf(scope)
  const names = new Set<string>()
  const walk = (one: ASTNode) => {
    if ((one.op === '.' || one.op === '[]' || one.op === 'id') && rootedIn(one)) names.add(serialize(one))
    else for (const child of childrenOf(one)) walk(child)
  }
  const rootedIn = (one: ASTNode): boolean => {
    if (one.op === 'id') return variables.has(one.args) || Object.hasOwn(plain, one.args)
    return (one.op === '.' || one.op === '[]') && rootedIn(one.args[0])
  }
  walk(node)
  return names
}

function lookUp(scope: Scope, name: string, context: EvaluationContext): unknown {
  try {
    return plainValue(environmentOf(scope).cel.evaluate(name, context))
  } catch {
    return undefined
  }
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text.length <= SHOWN) return value
  return `${text.slice(0, SHOWN)}…`
}

const COMPARED = 1_000

const messageSubject = view(null, (read: Reader<InboxMessage>) => ({
  inbox: read(z.string(), ({ name }) => name),
  ...inboxMessage.fields(() => {}),
}))

const subjectSchemas = () =>
  [paymentSummary.schema(), callbackSummary.schema(), requestEntry.schema(), messageSubject.schema()] as const

export const questionSubjectShape = shape('QuestionSubject', () => z.union(subjectSchemas()))
export type SubjectShown = AnswerOf<typeof questionSubjectShape>

export const nearestShape = () => {
  const [payment, callback, request, message] = subjectSchemas()
  const nearness = { held: z.array(z.string()), missed: z.array(missedShape()) }
  return z
    .union([payment.extend(nearness), callback.extend(nearness), request.extend(nearness), message.extend(nearness)])
    .nullable()
}

interface ShownSubject {
  noun: string
  show(seen: SeenRow, core: Core): SubjectShown
}

export const shownSubjects: Readonly<Record<WatchedSubject, ShownSubject>> = {
  payment: { noun: 'payment', show: ({ payment }, core) => paymentSummary(must(payment), core) },
  callback: { noun: 'callback', show: ({ callback }, core) => callbackSummary(must(callback), core) },
  request: { noun: 'request', show: ({ entry }, core) => requestEntry(must(entry), core) },
  inbox: { noun: 'message', show: ({ message }) => messageSubject(must(message)) },
}

export function nearestMiss(world: World, query: Query) {
  const { noun, show } = shownSubjects[query.subject]
  const there = newest(world, query, COMPARED)
  const { predicate } = query
  const others = predicate ? there.filter((context) => !predicate.holds(context)) : []
  const nearest = predicate && nearestOf(others, (context) => closenessOf(predicate.parts, context))
  if (!nearest) return { nearest: null, why: there.length > 0 ? `there is no other ${noun}` : `there is no ${noun}` }
  const { thing, close } = nearest
  const missed = predicate.parts
    .filter(({ text }) => close.missed.includes(text))
    .map(({ text, node }) => ({ part: text, found: found(predicate.scope, node, thing) }))
  return { nearest: { ...show(thing.seen, world.core), held: close.held, missed }, why: sayMissed(missed) }
}

const MOST_WAITS = 1_000

const MOST_LOOKED_AT = 10_000

export interface Waited {
  enough: boolean
  found: EvaluationContext[]
}

/**
 * Checks what exists, then what happens. `timeoutMs` is real time, because world time may stand still. Ends when the
 * world closes, or when `signal` aborts.
 */
export function nearMissWait(
  world: World,
  query: Query,
  options: { count: number; timeoutMs: number; signal?: AbortSignal },
): Promise<Waited> {
  const { feed, core, host } = world
  if (feed.count('wait') >= MOST_WAITS)
    return Promise.reject(
      new Refusal('TOO_MANY_WAITS', `${MOST_WAITS} wait in this world already; wait for fewer things at once`),
    )
  const { promise, resolve, reject } = Promise.withResolvers<Waited>()
  const found = new Map<number, EvaluationContext>()
  const end = (enough: boolean) => resolve({ enough, found: [...found.values()] })
  const add = (number: number, context: EvaluationContext) => {
    if (found.size < options.count && !found.has(number)) found.set(number, context)
    if (found.size === options.count) end(true)
  }
  const stopListening = feed.listen({
    kind: 'wait',
    happened(domainEvent) {
      if (domainEvent.type !== query.subject) return
      const context = asTold(world, EvaluationContext.of(core, domainEvent))
      if (!query.predicate || query.predicate.holds(context))
        add(
          domainEvent.type === 'payment' || domainEvent.type === 'request' ? domainEvent.seq : domainEvent.id,
          context,
        )
    },
    ended: () =>
      reject(refused(commonReasons.worldClosed, 'this world was reset or removed, or mfano is stopping, meanwhile')),
  })
  options.signal?.addEventListener('abort', () => end(false), { once: true })
  const looking = search(world, query, { limit: options.count, mostLookedAt: MOST_LOOKED_AT })
    .then((there) => {
      for (const { number, context } of there.found) add(number, context)
    })
    .catch(reject)
  // Existing entries are searched to the end, however short the timeout.
  const stopAlarm = alarmAfter(host, options.timeoutMs, () => void looking.then(() => end(false)))
  return promise.finally(() => {
    stopAlarm()
    stopListening()
  })
}

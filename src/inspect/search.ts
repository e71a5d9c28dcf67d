import type { Core } from '../core/core.ts'
import { deferredTurn } from '../core/host.ts'
import type { Between, Bounds, PaymentFilter } from '../core/model/journal.ts'
import { asJson } from '../core/model/json.ts'
import type { Service } from '../core/model/kind.ts'
import { must } from '../core/model/must.ts'
import type { Payment } from '../core/model/payment.ts'
import { commonReasons, Refusal, refused } from '../core/model/refusal.ts'
import type { InstantUs } from '../core/model/time.ts'
import { mutated } from '../core/presentation.ts'
import type { World } from '../core/world.ts'
import { EvaluationContext, type Predicate, readPredicate, type SeenRow, type WatchedSubject } from './predicate.ts'

export interface Query {
  subject: WatchedSubject
  predicate: Predicate | undefined
  bounds: Bounds
}

export interface Numbered {
  number: number
  context: EvaluationContext
}

/** Some 5 ms of work where a condition is evaluated: others wait no longer. */
const PAGE = 100
/** As much work where everything is read and nothing evaluated. */
const WHOLE_PAGE = 250
/** As much work where the database compares. Rows that nobody looks for take time, too. */
const COMPARED = 2_000
export const MOST_LOOKED_AT = 100_000

/** Lets other work run between pages. A page is short when few of the rows that were compared match. */
async function* pagesOf(
  world: World,
  { subject, bounds: { texts, ...bounds } }: Pick<Query, 'subject' | 'bounds'>,
  { read, indexed }: { read: ReadPage; indexed: boolean },
  page: Direction,
): AsyncGenerator<Numbered[]> {
  const { newestFirst, limit } = page
  const any = pages[subject](world.core, new Map())
  let { after = 0, before = Number.MAX_SAFE_INTEGER } = bounds
  for (let nth = 0; ; nth++) {
    const [next] = any({ ...bounds, after, before }, { newestFirst, limit: 1 })
    if (!next) return
    if (nth > 0) await yieldTurn(world)
    const compared = { after, before }
    if (!indexed && newestFirst) compared.after = Math.max(after, next.number - COMPARED)
    else if (!indexed) compared.before = Math.min(before, next.number + COMPARED)
    const found = read({ ...bounds, texts, ...compared }, page)
    yield found
    const last = found.length === limit ? found.at(-1)?.number : undefined
    if (newestFirst) before = last ?? compared.after + 1
    else after = last ?? compared.before - 1
  }
}

/** In order, or the newest first. Lets other work run between things, too, when patterns are matched. */
async function* rows(world: World, query: Query, newestFirst: boolean, limit = PAGE): AsyncGenerator<Numbered> {
  const { subject, predicate } = query
  const equals: Predicate['equals'] = predicate?.equals ?? new Map()
  const read = pages[subject](world.core, equals)
  const indexed = indexedFields[subject].some((name) => text(equals, name) !== undefined)
  for await (const page of pagesOf(world, query, { read, indexed }, { newestFirst, limit }))
    for (const candidate of page) {
      yield candidate
      if (predicate?.matches) await yieldTurn(world)
    }
}

/** Throws when the world closes. */
async function yieldTurn({ host, closing }: World): Promise<void> {
  await deferredTurn(host)
  if (closing.aborted)
    throw refused(commonReasons.worldClosed, 'this world was reset or removed, or mfano is stopping, meanwhile')
}

/** Converts a long list. Lets other work run after each page of it. */
export async function inTurns<T, Made>(world: World, list: readonly T[], convert: (one: T) => Made): Promise<Made[]> {
  const made: Made[] = []
  for (const one of list) {
    if (made.length % PAGE === PAGE - 1) await yieldTurn(world)
    made.push(convert(one))
  }
  return made
}

export async function search(
  world: World,
  query: Query,
  options: { limit: number; before?: number | undefined; texts?: Bounds['texts']; mostLookedAt?: number },
): Promise<{ found: Numbered[]; more: number | null }> {
  const { limit, mostLookedAt = MOST_LOOKED_AT, ...page } = options
  const found: Numbered[] = []
  let looked = 0
  for await (const candidate of candidates(world, { ...query, bounds: { ...query.bounds, ...page } }, true)) {
    if (!query.predicate || query.predicate.holds(candidate.context)) found.push(candidate)
    if (found.length === limit || ++looked === mostLookedAt)
      return { found: asTheyAre(world, query, found), more: candidate.number }
  }
  return { found: asTheyAre(world, query, found), more: null }
}

/**
 * Presents all results at one moment and drops those that no longer match, because other work ran between the pages.
 */
function asTheyAre(world: World, query: Query, found: Numbered[]): Numbered[] {
  const { core } = world
  return found.flatMap(({ number, context }) => {
    const { payment, callback } = context.seen
    const seen = payment
      ? { payment: core.store.payments.bySeq(payment.seq) ?? payment }
      : callback && { callback: core.store.callbacks.byId(callback.id) ?? callback }
    if (!seen) return { number, context }
    const now = asTold(world, new EvaluationContext(core, seen))
    return !query.predicate || query.predicate.holds(now) ? { number, context: now } : []
  })
}

export function newest(world: World, { subject, bounds }: Query, count: number): EvaluationContext[] {
  const there = pages[subject](world.core, new Map())(bounds, { newestFirst: true, limit: count })
  return there.map(({ context }) => asTold(world, context))
}

export async function* candidates(world: World, query: Query, newestFirst: boolean): AsyncGenerator<Numbered> {
  if (!world.presentation.mutation) return yield* rows(world, query, newestFirst)
  // A store cannot look up what is told otherwise.
  for await (const { number, context } of rows(world, { ...query, predicate: undefined }, newestFirst))
    yield { number, context: asTold(world, context) }
}

/**
 * A suite that waits by a kit looks at a payment as its app would: by a callback, or a read. So a wrong answer of
 * `mfano mutants` is wrong here too.
 */
export function asTold({ core, presentation: { mutation } }: World, context: EvaluationContext): EvaluationContext {
  if (!mutation) return context
  const { in: where, of } = mutation
  const seen = { ...context.seen }
  const { payment, callback, entry } = seen
  const wrong = (text: string | null) => JSON.stringify(mutated(asJson(text), mutation))
  if (payment && payment.kind === (where === 'callback' ? of : kindReadBy(core.service, of))) {
    const at = mutation.at.split('.').at(-1) ?? ''
    const { amount, ...told } = mutated({ ...payment, amount: payment.amountMinor }, { ...mutation, at }) as PaymentTold
    seen.payment = { ...payment, status: '', ...told, amountMinor: amount ?? 0 }
  }
  if (where === 'callback' && callback?.topic === of) seen.callback = { ...callback, body: wrong(callback.body) }
  if (where === 'answer' && entry?.operation === of) seen.entry = { ...entry, responseBody: wrong(entry.responseBody) }
  return new EvaluationContext(core, seen)
}

type PaymentTold = Partial<Payment> & { amount?: number }

function kindReadBy({ operations }: Service, id: string): string | undefined {
  const read = operations.find((one) => one.id === id && one.method === 'get')
  return operations.find(({ opens, path }) => opens && read?.path.startsWith(`${path.replace(/\/new$/, '')}/`))?.opens
}

interface Direction {
  newestFirst: boolean
  limit: number
}

type ReadPage = (bounds: Bounds, page: Direction) => Numbered[]

/** An index leads to the rows with such a value, so all of them are read at once. */
const indexedFields: Record<WatchedSubject, readonly string[]> = {
  payment: ['payment.uuid', 'payment.referenceId'],
  callback: ['payment.uuid'],
  request: ['request.requestId'],
  inbox: ['message.name'],
}

const pages: Record<WatchedSubject, (core: Core, equals: Predicate['equals']) => ReadPage> = {
  payment: (core, equals) => {
    const [kind, spelling] = [text(equals, 'payment.kind'), text(equals, 'payment.currency')]
    const [status, referenceId] = [text(equals, 'payment.status'), text(equals, 'payment.referenceId')]
    const currency = spelling === undefined ? undefined : core.service.countries.currencyOf(spelling)
    const uuid = text(equals, 'payment.uuid')
    const only = uuid === undefined ? undefined : (core.store.payments.byUuid(uuid)?.seq ?? 0)
    const filter = {
      ...(kind !== undefined && { kinds: [kind] }),
      ...(status !== undefined && { status }),
      ...(currency !== undefined && { currency }),
      ...(referenceId !== undefined && { referenceId }),
    }
    return (bounds, page) => pageOfPayments(core, { ...filter, ...boundsOfOne(bounds, only) }, page)
  },
  callback: (core, equals) => {
    const uuid = text(equals, 'payment.uuid')
    const state = text(equals, 'callback.state')
    const paymentSeq = uuid === undefined ? undefined : (core.store.payments.byUuid(uuid)?.seq ?? 0)
    return (bounds, page) =>
      core.store.callbacks
        .page({ ...bounds, state, paymentSeq, ...page })
        .map((callback) => ({ number: callback.id, context: new EvaluationContext(core, { callback }) }))
  },
  request: (core, equals) => {
    const operation = text(equals, 'request.operation')
    const method = text(equals, 'request.method')
    const status = equals.get('request.status')
    const requestId = text(equals, 'request.requestId')
    const only = requestId === undefined ? undefined : (core.store.journal.byRequestId(requestId)?.seq ?? 0)
    return (bounds, page) =>
      core.store.journal
        .page({
          ...boundsOfOne(bounds, only),
          // An unknown operation is "" in conditions and null in the store.
          ...(operation && { operation }),
          ...(method !== undefined && { method }),
          ...(typeof status === 'number' && { status }),
          ...page,
        })
        .map((entry) => ({ number: entry.seq, context: new EvaluationContext(core, { entry }) }))
  },
  inbox: (core, equals) => (bounds, page) =>
    core.store.inbox
      .page({ ...bounds, name: text(equals, 'message.name'), ...page })
      .map((message) => ({ number: message.id, context: new EvaluationContext(core, { message }) })),
}

function pageOfPayments(core: Core, filter: PaymentFilter, page: Direction): Numbered[] {
  return core.store.payments
    .page(filter, page)
    .map((payment) => ({ number: payment.seq, context: new EvaluationContext(core, { payment }) }))
}

function boundsOfOne(bounds: Bounds, only: number | undefined): Bounds {
  if (only === undefined) return bounds
  const { after = 0, before = only + 1 } = bounds
  return { ...bounds, after: Math.max(after, only - 1), before: Math.min(before, only + 1) }
}

function text(equals: Predicate['equals'], name: string): string | undefined {
  const value = equals.get(name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

interface QueryFields {
  where?: string | undefined
  since?: InstantUs | undefined
  until?: InstantUs | undefined
}

/** `also`: further conditions in CEL, by the name of the field that asks for each. */
export function toQuery(
  service: Service,
  subject: WatchedSubject,
  { where, since, until }: QueryFields,
  also: Readonly<Record<string, string>> = {},
): Query {
  const predicates = Object.entries({ ...also, where }).flatMap(([field, condition]) =>
    condition === undefined ? [] : [readPredicate(condition, subject, field, service)],
  )
  return { subject, predicate: joined(subject, predicates), bounds: { sinceUs: since, untilUs: until } }
}

/** `equalTo('request', { status: 409 })`: a condition for each field that has a value. */
export function equalTo(
  variable: string,
  fields: Readonly<Record<string, string | number | undefined>>,
): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, `${variable}.${name} == ${JSON.stringify(value)}`]))
}

function joined(subject: WatchedSubject, predicates: readonly Predicate[]): Predicate | undefined {
  if (predicates.length <= 1) return predicates[0]
  return {
    scope: subject,
    holds: (context) => predicates.every((predicate) => predicate.holds(context)),
    parts: predicates.flatMap(({ parts }) => parts),
    equals: new Map(predicates.flatMap(({ equals }) => [...equals])),
    names: new Set(predicates.flatMap(({ names }) => [...names])),
    matches: predicates.some(({ matches }) => matches),
  }
}

export async function searchPayments(
  world: World,
  filter: PaymentFilter,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<{ found: Payment[]; next: number | null }> {
  const found: Payment[] = []
  const { sinceUs, untilUs, texts, referenceId } = filter
  const query = { subject: 'payment', bounds: { sinceUs, untilUs, texts, before } } as const
  const read: ReadPage = (bounds, page) => pageOfPayments(world.core, { ...filter, ...bounds }, page)
  const source = { read, indexed: referenceId !== undefined }
  for await (const page of pagesOf(world, query, source, { newestFirst: true, limit })) {
    found.push(...page.slice(0, limit - found.length).map(({ context }) => must(context.seen.payment)))
    if (found.length === limit) return { found, next: found.at(-1)?.seq ?? null }
  }
  return { found, next: null }
}

/**
 * Only what existed at the start, or between two numbers, so that new records cannot make it endless. Lets other work
 * run between pages. Refuses more than `most`, for callers that keep everything in memory.
 */
export async function* every(
  world: World,
  subject: WatchedSubject,
  most = MOST_LOOKED_AT,
  between: Between = {},
): AsyncGenerator<SeenRow> {
  const [last] = pages[subject](world.core, new Map())({}, { newestFirst: true, limit: 1 })
  const { after, before = (last?.number ?? 0) + 1 } = between
  const query: Query = { subject, predicate: undefined, bounds: { after, before } }
  let looked = 0
  for await (const { number, context } of rows(world, query, false, WHOLE_PAGE)) {
    if (number >= before) return
    if (++looked > most)
      throw new Refusal('TOO_MANY', `this world has more than ${most} of ${subject}, too many to go through`)
    yield context.seen
  }
}

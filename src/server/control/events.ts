import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import { type Host, inSteps } from '../../core/host.ts'
import { zonedText } from '../../core/model/calendar.ts'
import { type DomainEvent, domainEventTypes } from '../../core/model/journal.ts'
import { availableMinor, moneyText, toMajor, walletCode } from '../../core/model/money.ts'
import { keysIn, recordFor } from '../../core/model/must.ts'
import { momentBy, type PaymentCount } from '../../core/model/payment.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { EvaluationContext, readPredicate } from '../../inspect/predicate.ts'
import {
  callbackCountsShape,
  callbackSummary,
  diagnosisShape,
  inboxMessage,
  paymentSummary,
} from '../../inspect/present.ts'
import { type AnswerOf, instantOf, type Line, majorOf, type Reader, shape, view } from '../../inspect/view.ts'
import { paymentsService } from '../../service/service.ts'
import { invalidField } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { typedNumber, worldClockShape } from './fields.ts'

const stream = z.strictObject({
  types: z.string().optional().describe('Types such as payment,callback. Default: all types.'),
  where: z.string().optional().describe('CEL over the domain event and what it is about.'),
  recent: typedNumber(0, 1000).default(0).describe('Begins with so many of the newest, without a last event id.'),
})

// Events, with world time, type, and their subject as it was then. The subject is null when it was removed since.

type Happened<Type extends DomainEvent['type']> = Extract<DomainEvent, { type: Type }>

/** `says`: in one sentence, for people. */
function toldOf<Type extends DomainEvent['type']>(type: Type, says: (event: Happened<Type>, core: Core) => string) {
  const sentence: Line<z.ZodString, Happened<Type>, Core> = [z.string().describe('In one sentence, for people.'), says]
  return { at: instantOf('atUs'), type: z.literal(type), says: sentence }
}

const paymentEvent = view(
  { id: 'PaymentEvent', description: 'A payment was created, or changed its status.' },
  (read: Reader<Happened<'payment'>, Core>) => ({
    ...toldOf('payment', (event, core) => {
      const { from, to, by } = event
      const { payment } = EvaluationContext.of(core, event).seen
      const became = `${from === to ? 'stays ' : from === null ? '' : `${from} to `}${to} by ${by}`
      return payment ? `${payment.kind} ${became}, ${moneyText(payment.amountMinor, payment.currency)}` : became
    }),
    payment: read(paymentSummary.schema().nullable(), (event, core) => {
      const { payment } = EvaluationContext.of(core, event).seen
      return payment ? paymentSummary(payment, core) : null
    }),
    from: z.string().nullable(),
    to: z.string(),
    by: z.enum(momentBy),
  }),
)

const callbackEvent = view(
  { id: 'CallbackEvent', description: 'A callback was created, or an attempt to send it ended.' },
  (read: Reader<Happened<'callback'>, Core>) => ({
    ...toldOf('callback', ({ id, state, attempt }) => {
      const tried = attempt && (attempt.error ?? `answered ${attempt.status}`)
      return `callback ${id} ${state}${attempt ? `, attempt ${attempt.number}: ${tried}` : ''}`
    }),
    callback: read(callbackSummary.schema().nullable(), (event, core) => {
      const { callback } = EvaluationContext.of(core, event).seen
      const nextAttemptAt = event.nextAtUs === null ? null : isoInstant(event.nextAtUs)
      return callback ? { ...callbackSummary(callback, core), nextAttemptAt } : null
    }),
    attempt: z
      .object({
        number: z.number(),
        tookMs: z.number().describe('Real milliseconds until the answer.'),
        status: z.number().nullable(),
        error: z.string().nullable().describe('Why the attempt failed. null after a 2xx answer.'),
        diagnosis: diagnosisShape().nullable().describe('The diagnosis of the attempt.'),
      })
      .nullable(),
  }),
)

const answered = view(null, (_read: Reader<Happened<'request'>>) => ({
  requestId: z.string(),
  operation: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  rule: z.string().nullable(),
}))

const requestEvent = view(
  { id: 'RequestEvent', description: 'The service answered a request.' },
  (read: Reader<Happened<'request'>, Core>) => ({
    ...toldOf('request', ({ method, path, status, rule }) => {
      return `${method} ${path} answered ${status}${rule === null ? '' : `, rule: ${rule}`}`
    }),
    request: read(answered.schema(), (event) => answered(event)),
  }),
)

const inboxEvent = view(
  { id: 'InboxEvent', description: 'An inbox received a callback.' },
  (read: Reader<Happened<'inbox'>, Core>) => ({
    ...toldOf('inbox', ({ id, name }) => `message ${id} in the inbox ${name}`),
    inbox: read(z.string(), ({ name }) => name),
    message: read(inboxMessage.schema().nullable(), (event, core) => {
      const { message } = EvaluationContext.of(core, event).seen
      return message ? inboxMessage(message) : null
    }),
  }),
)

const clockEvent = view(
  { id: 'ClockEvent', description: "The clock's mode or time was set." },
  (read: Reader<Happened<'clock'>, Core>) => ({
    ...toldOf('clock', ({ mode, fromUs }, { scenario }) => `clock ${mode}, set at ${zonedText(fromUs, scenario.zone)}`),
    clock: read(worldClockShape(), ({ mode, rate, atUs }) => ({ mode, rate, now: isoInstant(atUs) })),
    from: instantOf('fromUs'),
  }),
)

const scenarioEvent = view(
  { id: 'ScenarioEvent', description: 'Another scenario applies to new payments.' },
  (read: Reader<Happened<'scenario'>, Core>) => ({
    ...toldOf('scenario', ({ name }) => `${name} applies to new payments`),
    scenario: read(z.string(), ({ name }) => name),
  }),
)

const walletEvent = view(
  { id: 'WalletEvent', description: 'A wallet was funded.' },
  (read: Reader<Happened<'wallet'>, Core>) => ({
    ...toldOf('wallet', ({ amountMinor, currency }) => `${moneyText(amountMinor, currency)} added`),
    wallet: read(
      z.object({ organisationId: z.string(), currency: z.string(), available: z.number() }),
      ({ organisationId, currency }, { ledger, store }) => {
        const account = ledger.find(walletCode(organisationId, currency))
        return {
          organisationId: store.organisations.byId(organisationId).uuid,
          currency,
          available: account ? toMajor(availableMinor(account)) : 0,
        }
      },
    ),
    amount: majorOf('amountMinor'),
  }),
)

const events = {
  payment: paymentEvent,
  callback: callbackEvent,
  request: requestEvent,
  inbox: inboxEvent,
  clock: clockEvent,
  scenario: scenarioEvent,
  wallet: walletEvent,
} as const satisfies Record<DomainEvent['type'], unknown>

export const paymentCountsShape = shape('PaymentCounts', () =>
  z.object({
    total: z.number(),
    byKind: z.array(z.object({ kind: z.string(), status: z.string(), count: z.number() })),
  }),
)

export function paymentCounts(byKind: PaymentCount[]) {
  return { total: byKind.reduce((sum, { count }) => sum + count, 0), byKind }
}

export const eventOperations = [
  controlOperation('event.stream', 'GET /events', {
    summary: 'Stream events as they happen',
    query: stream,
    answers: { 'text/event-stream': 'Server-sent events; each `data` is JSON.' },
    errors: ['INVALID_EXPRESSION', 'TOO_MANY_STREAMS'],
    screen: { examples: ['', '--types callback --recent 20', `--where 'payment.status == "FAILED"' --json`] },
    run({ c, world, query: given }) {
      const { where, recent } = given
      const types = readTypes(given.types)
      const predicate = where === undefined ? undefined : readPredicate(where, 'event', 'where', paymentsService)
      const { core, feed } = world
      const beginning = beginAt(world, c.req.header('last-event-id'), recent)
      return eventStream(world, {
        kind: 'stream',
        head: c.req.raw.method === 'HEAD',
        next: beginning.next,
        greeting: beginning.gap === undefined ? '' : gap(world, beginning.gap),
        text(domainEvent, n) {
          if (!types.has(domainEvent.type)) return ''
          if (predicate && !predicate.holds(EvaluationContext.of(core, domainEvent))) return ''
          const data = { id: `${feed.epoch}.${n}`, ...presentDomainEvent(core, domainEvent) }
          return `id: ${data.id}\n${sentEvent(domainEvent.type, data)}`
        },
        missed: (count) => gap(world, `${count} events came faster than this stream was read`),
      })
    },
  }),
  controlOperation('statistics.show', 'GET /statistics', {
    summary: 'Count payments and callbacks by status',
    answer: () =>
      z.object({
        payments: paymentCountsShape(),
        callbacks: callbackCountsShape(),
        retrying: z.number().describe('Pending, failed at least once, and tried again.'),
      }),
    async run({ world: { core, host }, signal }) {
      const payments = await inSteps(host, core.store.payments.countingByStatus(), signal)
      const { counts, retrying } = await inSteps(host, core.store.callbacks.counting(), signal)
      return { payments: paymentCounts(payments), callbacks: counts, retrying }
    },
  }),
] as const

function readTypes(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set(domainEventTypes)
  const types = text.split(',').map((type) => type.trim())
  const known: readonly string[] = domainEventTypes
  const unknown = types.find((type) => !known.includes(type))
  if (unknown === undefined) return new Set(types)
  throw invalidField(
    `types: must be of ${known.join(', ')}, with commas in between, got "${unknown.slice(0, 80)}".${didYouMean(unknown, known)}`,
  )
}

function beginAt({ feed }: World, lastEventId: string | undefined, recent: number): { next: number; gap?: string } {
  if (lastEventId === undefined) return { next: Math.max(feed.oldest, feed.newest - recent + 1) }
  const [epoch, number] = lastEventId.split('.')
  const last = Number(number)
  const now = feed.newest + 1
  if (epoch !== feed.epoch || !Number.isInteger(last) || last < 0 || last > feed.newest)
    return {
      next: feed.oldest,
      gap: 'the last event id is of another time: the world was reset or put away, or mfano was restarted',
    }
  if (last + 1 >= feed.oldest) return { next: Math.min(last + 1, now) }
  return { next: feed.oldest, gap: `${feed.oldest - last - 1} events are too long ago to be kept` }
}

function gap(world: World, says: string): string {
  const data = {
    at: isoInstant(world.core.clock.now()),
    type: 'gap',
    says,
    catchUp: 'read again what you show: GET /_mfano/payments, /_mfano/callbacks, /_mfano/requests, /_mfano/clock',
  }
  return sentEvent('gap', data)
}

export function presentDomainEvent(core: Core, event: DomainEvent): AnswerOf<typeof domainEventShape> {
  return events[event.type](event as never, core)
}

export const domainEventShape = shape('DomainEvent', () =>
  z.union(Object.values(events).map((event) => event.schema())),
)

export const eventCountsShape = shape('EventCounts', () =>
  z.object(recordFor(keysIn(events).toSorted(), () => z.number().optional())),
)

/** Per world, and separately for operators and payers, so that neither can use up the other's streams. */
const MOST_STREAMS = 100

const BATCH = 200

interface Reading {
  kind: 'stream' | 'payer'
  head: boolean
  next: number
  greeting: string
  text(domainEvent: DomainEvent, n: number): string
  missed(count: number): string
}

export function eventStream(world: World, reading: Reading): Response {
  const { feed, host } = world
  if (feed.count(reading.kind) >= MOST_STREAMS)
    throw new Refusal('TOO_MANY_STREAMS', `this world feeds ${MOST_STREAMS} streams already; close some of them`)
  let { next } = reading
  let wakeLater = () => {}
  return pulledStream(host, reading.head, {
    greeting: `retry: 1000\n: the world ${world.id}, from ${feed.epoch}.${next}\n\n${reading.greeting}`,
    begin(wake, end) {
      // From now on: before the first reading, the world could be closed for being idle.
      const release = world.leases.take()
      const leave = () => {
        stopListening()
        release()
      }
      const ended = () => {
        leave()
        end()
      }
      const stopListening = feed.listen({ kind: reading.kind, happened: wake, ended })
      wakeLater = () => host.defer(wake)
      return leave
    },
    take() {
      let text = ''
      if (next < feed.oldest) {
        text = reading.missed(feed.oldest - next)
        next = feed.oldest
      }
      for (let looked = 0; looked < BATCH && next <= feed.newest; looked++, next++) {
        const domainEvent = feed.at(next)
        if (domainEvent) text += reading.text(domainEvent, next)
      }
      // Others get their turn between batches of which nothing was wanted.
      if (text === '' && next <= feed.newest) wakeLater()
      return text
    },
  })
}

/** Real milliseconds of silence before a comment is sent, so that both sides notice a lost connection. */
const HEARTBEAT_MS = 15_000

interface EventSource {
  /** Sent first. */
  greeting: string
  /**
   * Called before the first event. `wake`: there may be something to take. `end`: nothing follows but `last`. Returns
   * what to do when the reader has left.
   */
  begin(wake: () => void, end: (last?: string) => void): () => void
  /** Events that are to be sent now, as `sentEvent` writes them; nothing for none. What is taken is not given again. */
  take(): string
}

/** A request by HEAD is answered with the headers, and begins nothing: nobody would end it. */
export function pulledStream(host: Host, head: boolean, source: EventSource): Response {
  return new Response(head ? null : bodyOf(host, source), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

export function sentEvent(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

function bodyOf(host: Host, source: EventSource): ReadableStream {
  const encoder = new TextEncoder()
  let text = source.greeting
  let isOver = false
  let wake = () => {}
  let cancelHeartbeat = () => {}
  const end = (last = '') => {
    isOver = true
    text += last
    wake()
  }
  const left = source.begin(() => wake(), end)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          if (!isOver) text += source.take()
          if (text !== '') break
          if (isOver) return controller.close()
          await new Promise<void>((resolve) => {
            wake = resolve
            cancelHeartbeat = host.alarm(HEARTBEAT_MS, () => {
              text = ': nothing new\n\n'
              resolve()
            })
          })
          cancelHeartbeat()
        }
        controller.enqueue(encoder.encode(text))
        text = ''
      },
      cancel() {
        cancelHeartbeat()
        left()
      },
    },
    { highWaterMark: 0 },
  )
}

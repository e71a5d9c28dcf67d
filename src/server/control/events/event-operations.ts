/** Operations that stream domain events. */
import * as z from 'zod'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { type DomainEvent, domainEventTypes } from '../../../core/model/domain-event.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { isoInstant } from '../../../core/model/time.ts'
import type { World } from '../../../core/world.ts'
import { EvaluationContext, type Predicate, readPredicate } from '../../../inspect/predicate.ts'
import { presentDomainEvent } from '../../../inspect/present.ts'
import { paymentsService } from '../../../service/service.ts'
import { controlOperation } from '../declared-operation.ts'
import { eventStream } from './event-stream.ts'

const stream = z.strictObject({
  types: z.string().optional().describe('Words of `domainEventTypes`, with commas in between; all of them without.'),
  where: z.string().optional().describe('CEL over the domain event and what it is about.'),
  lastEventId: z.string().max(100).optional().describe('In place of the header, for those who cannot set one.'),
  recent: z.coerce
    .number()
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(2_000, 'must be at most 2000')
    .default(0)
    .describe('Begins with so many of the newest domain events, where no last event id is given.'),
})

interface Wanted {
  types: ReadonlySet<string>
  predicate: Predicate | undefined
}

const streamEvents = controlOperation('event.stream', {
  method: 'GET',
  path: '/events',
  summary: 'Stream events as they happen',
  query: stream,
  answers: { 'text/event-stream': 'Server-sent events; each `data` is JSON.' },
  errors: ['INVALID_EXPRESSION', 'TOO_MANY_STREAMS'],
  run(c, { query: given }) {
    const { world } = c.env
    const wanted: Wanted = {
      types: readTypes(given.types),
      predicate: given.where === undefined ? undefined : readPredicate(given.where, 'event', 'where', paymentsService),
    }
    const lastEventId = c.req.header('last-event-id') ?? given.lastEventId
    const { core, feed } = world
    const beginning = beginAt(world, lastEventId, given.recent)
    return eventStream(world, {
      kind: 'stream',
      head: c.req.raw.method === 'HEAD',
      next: beginning.next,
      greeting: beginning.gap === undefined ? '' : gap(world, beginning.gap),
      text(domainEvent, n) {
        if (!isWanted(world, wanted, domainEvent)) return ''
        const data = { id: `${feed.epoch}.${n}`, ...presentDomainEvent(core, domainEvent) }
        return `id: ${data.id}\nevent: ${domainEvent.type}\ndata: ${JSON.stringify(data)}\n\n`
      },
      missed: (count) => gap(world, `${count} events came faster than this stream was read`),
    })
  },
})

function readTypes(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set(domainEventTypes)
  const types = text.split(',').map((type) => type.trim())
  const known: readonly string[] = domainEventTypes
  const unknown = types.find((type) => !known.includes(type))
  if (unknown === undefined) return new Set(types)
  throw new Refusal(
    'INVALID_FIELD',
    `types: must be of ${known.join(', ')}, with commas in between, got "${unknown.slice(0, 80)}".${didYouMean(unknown, known)}`,
  )
}

function isWanted({ core }: World, { types, predicate }: Wanted, domainEvent: DomainEvent): boolean {
  if (!types.has(domainEvent.type)) return false
  return predicate === undefined || predicate.holds(EvaluationContext.of(core, domainEvent))
}

/** `gap` says why the stream does not continue where its reader stopped. */
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

function gap(world: World, why: string): string {
  const data = {
    at: isoInstant(world.core.clock.now()),
    type: 'gap',
    why,
    catchUp: 'read again what you show: GET /_mfano/payments, /_mfano/callbacks, /_mfano/requests, /_mfano/clock',
  }
  return `event: gap\ndata: ${JSON.stringify(data)}\n\n`
}

export const eventOperations = [streamEvents] as const

import { Hono } from 'hono'
import { z } from 'zod'
import { type Happening, happeningTypes } from '../engine/happening.ts'
import { didYouMean } from '../model/nearest.ts'
import { Refusal } from '../model/refusal.ts'
import { formatInstant } from '../model/time.ts'
import { type Question, readQuestion } from '../questions/question.ts'
import { Sighting } from '../questions/sighting.ts'
import type { World } from '../world/world.ts'
import { presentHappening } from './happenings.ts'
import { asks, type ControlEnv } from './kit.ts'

/** Streams that one world feeds at once. */
const MOST_STREAMS = 100
/** Real milliseconds of silence after which a comment is sent, so that nobody in between thinks the line is dead. */
const HEARTBEAT_MS = 15_000
/** What is looked at in one go, before others get their turn. */
const BATCH = 200

const stream = z.strictObject({
  /** Words of `happeningTypes`, with commas in between; all of them without. */
  types: z.string().optional(),
  where: z.string().optional(),
  /** In place of the header, for those who cannot set one. */
  lastEventId: z.string().max(100).optional(),
  /** Begins with so many of the newest happenings, where no last event id is given. */
  recent: z.coerce
    .number()
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(2_000, 'must be at most 2000')
    .default(0),
})

/** What a reader of a stream wants. */
interface Wanted {
  types: ReadonlySet<string>
  question: Question | undefined
}

/**
 * Server-sent events of everything that happens in the world, from now on or from behind the last event that a reader
 * had. Each reader has a place in what the world keeps, and nothing else: who reads too slowly misses some and is told so.
 */
export function eventRoutes() {
  return new Hono<ControlEnv>().get('/_mfano/events', asks(stream), (c) => {
    const given = c.req.valid('query')
    const { world } = c.env
    const wanted: Wanted = {
      types: readTypes(given.types),
      question: given.where === undefined ? undefined : readQuestion(given.where, 'event', 'where'),
    }
    const lastEventId = c.req.header('last-event-id') ?? given.lastEventId
    if (world.feed.count('stream') >= MOST_STREAMS)
      throw new Refusal('TOO_MANY_STREAMS', `this world feeds ${MOST_STREAMS} streams already; close some of them`, {
        status: 429,
        message: 'Too many streams',
      })
    // Nobody reads the body of an answer to HEAD, so nobody would end it.
    const body = c.req.raw.method === 'HEAD' ? null : eventStream(world, wanted, lastEventId, given.recent)
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    })
  })
}

function readTypes(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set(happeningTypes)
  const types = text.split(',').map((type) => type.trim())
  const known: readonly string[] = happeningTypes
  const unknown = types.find((type) => !known.includes(type))
  if (unknown === undefined) return new Set(types)
  throw new Refusal(
    'INVALID_FIELD',
    `types: must be of ${known.join(', ')}, with commas in between, got "${unknown.slice(0, 80)}".${didYouMean(unknown, known)}`,
    { message: 'Invalid field' },
  )
}

function eventStream(world: World, wanted: Wanted, lastEventId: string | undefined, recent: number): ReadableStream {
  const { feed, core, host } = world
  const encoder = new TextEncoder()
  const beginning = beginAt(world, lastEventId, recent)
  /** The number of the next happening to look at. */
  let next = beginning.next
  /** Resolves when there is more to look at, or the stream is over. */
  let wake = () => {}
  let begun = false
  // From now on: before the first reading, the world could be closed for being idle.
  const release = world.hold()
  let over = false
  let cancelled = false
  let silent = false
  let stopListening = () => {}
  let cancelHeartbeat = () => {}
  const begin = () => {
    stopListening = feed.listen({ kind: 'stream', happened: () => wake(), ended: end })
    beat()
  }
  const end = () => {
    over = true
    stopListening()
    release()
    cancelHeartbeat()
    wake()
  }
  const text = (n: number, happening: Happening) => {
    const data = { id: `${feed.epoch}.${n}`, ...presentHappening(core, happening) }
    return `id: ${data.id}\nevent: ${happening.type}\ndata: ${JSON.stringify(data)}\n\n`
  }
  const beat = () => {
    cancelHeartbeat = host.alarm(HEARTBEAT_MS, () => {
      silent = true
      wake()
    })
  }

  return new ReadableStream<Uint8Array>(
    {
      /** Called when the reader has room: sends the next that it wants, and waits when there is none. */
      async pull(controller) {
        if (!begun) {
          begun = true
          begin()
          const greeting = `retry: 1000\n: the world ${world.id}, from ${feed.epoch}.${next}\n\n`
          return controller.enqueue(encoder.encode(greeting + (beginning.gap ? gap(world, beginning.gap) : '')))
        }
        for (;;) {
          if (over) return cancelled ? undefined : controller.close()
          if (next < feed.oldest) {
            const missed = `${feed.oldest - next} events came faster than this stream was read`
            next = feed.oldest
            return controller.enqueue(encoder.encode(gap(world, missed)))
          }
          let found = ''
          for (let looked = 0; looked < BATCH && next <= feed.newest; looked++) {
            const happening = feed.at(next) as Happening
            if (isWanted(world, wanted, happening)) found += text(next, happening)
            next++
          }
          if (found !== '') return controller.enqueue(encoder.encode(found))
          if (silent) {
            silent = false
            beat()
            return controller.enqueue(encoder.encode(': nothing new\n\n'))
          }
          await new Promise<void>((resolve) => {
            wake = resolve
            // Others get their turn between batches of which nothing was wanted.
            if (next <= feed.newest) host.defer(resolve)
          })
        }
      },
      cancel() {
        cancelled = true
        end()
      },
    },
    // A reader gets what it asks for: nothing is read ahead for it.
    { highWaterMark: 0 },
  )
}

function isWanted({ core }: World, { types, question }: Wanted, happening: Happening): boolean {
  if (!types.has(happening.type)) return false
  return question === undefined || question.holds(Sighting.of(core, happening))
}

/** Where a stream begins, and why that is not where its reader stopped. */
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

/** Tells a reader that it missed something, and how to find out what. */
function gap(world: World, why: string): string {
  const data = {
    at: formatInstant(world.core.clock.now()),
    type: 'gap',
    why,
    catchUp: 'read again what you show: GET /_mfano/payments, /_mfano/callbacks, /_mfano/requests, /_mfano/clock',
  }
  return `event: gap\ndata: ${JSON.stringify(data)}\n\n`
}

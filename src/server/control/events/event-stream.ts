/** Server-sent events from a world's feed, for operators and for pages of payers. */
import type { DomainEvent } from '../../../core/model/domain-event.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import type { World } from '../../../core/world.ts'

/** Per world, and separately for operators and payers, so that neither can use up the other's streams. */
const MOST_STREAMS = 100
/** Real milliseconds of silence before a comment is sent, so that proxies keep the connection open. */
const HEARTBEAT_MS = 15_000
/** Events that are checked before other work gets a turn. */
const BATCH = 200

/** Each text is a complete event. An empty text sends nothing. */
interface Reading {
  kind: 'stream' | 'payer'
  head: boolean
  next: number
  greeting: string
  text(domainEvent: DomainEvent, n: number): string
  /** Text for `count` events that were dropped before this reader had them. */
  missed(count: number): string
}

export function eventStream(world: World, reading: Reading): Response {
  if (world.feed.count(reading.kind) >= MOST_STREAMS)
    throw new Refusal('TOO_MANY_STREAMS', `this world feeds ${MOST_STREAMS} streams already; close some of them`)
  // Nobody reads the body of an answer to HEAD, so nobody would end it.
  return new Response(reading.head ? null : bodyOf(world, reading), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

function bodyOf(world: World, reading: Reading): ReadableStream {
  const { feed, host } = world
  const encoder = new TextEncoder()
  let { next } = reading
  let wake = () => {}
  let begun = false
  // From now on: before the first reading, the world could be closed for being idle.
  const release = world.lease()
  let over = false
  let cancelled = false
  let silent = false
  let stopListening = () => {}
  let cancelHeartbeat = () => {}
  const begin = () => {
    stopListening = feed.listen({ kind: reading.kind, happened: () => wake(), ended: end })
    beat()
  }
  const end = () => {
    over = true
    stopListening()
    release()
    cancelHeartbeat()
    wake()
  }
  const beat = () => {
    cancelHeartbeat = host.alarm(HEARTBEAT_MS, () => {
      silent = true
      wake()
    })
  }

  return new ReadableStream<Uint8Array>(
    {
      /** Called when the reader has room, so a slow reader does not fill memory. */
      async pull(controller) {
        if (!begun) {
          begun = true
          begin()
          const greeting = `retry: 1000\n: the world ${world.id}, from ${feed.epoch}.${next}\n\n`
          return controller.enqueue(encoder.encode(greeting + reading.greeting))
        }
        for (;;) {
          if (over) return cancelled ? undefined : controller.close()
          if (next < feed.oldest) {
            const missed = feed.oldest - next
            next = feed.oldest
            const told = reading.missed(missed)
            if (told !== '') return controller.enqueue(encoder.encode(told))
          }
          let found = ''
          for (let looked = 0; looked < BATCH && next <= feed.newest; looked++) {
            const domainEvent = feed.at(next)
            if (domainEvent) found += reading.text(domainEvent, next)
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

/** Waits until something is so in a world. */
import { Refusal } from '../model/refusal.ts'
import { commonReasons, refused } from '../model/refusal-reasons.ts'
import { alarmAfter } from '../world/host.ts'
import type { World } from '../world/world.ts'
import { EvaluationContext } from './evaluation-context.ts'
import { type Query, search } from './search.ts'

/** Waits that one world keeps at once. */
const MOST_WAITS = 1_000
/** So much of what is there is looked at, the newest of what the condition's plain comparisons leave. */
const MOST_LOOKED_AT = 10_000

/** What came of waiting: what was found, oldest first in the order of finding, and whether that was enough. */
export interface Waited {
  enough: boolean
  found: EvaluationContext[]
}

/**
 * Waits until a question holds for so many of a subject: looks at what is there, then at what happens. `timeoutMs` is
 * real time, because the world's may stand still. Ends with the world, and when `signal` says that nobody waits any more.
 */
export function waitFor(
  world: World,
  query: Query,
  options: { count: number; timeoutMs: number; signal?: AbortSignal },
): Promise<Waited> {
  const { feed, core, host } = world
  if (feed.count('wait') >= MOST_WAITS)
    return Promise.reject(
      new Refusal('TOO_MANY_WAITS', `${MOST_WAITS} wait in this world already; wait for fewer things at once`, {
        status: 429,
        message: 'Too many waits',
      }),
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
      const context = EvaluationContext.of(core, domainEvent)
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
  const looking = search(world, query, { newestFirst: true, limit: options.count, mostLookedAt: MOST_LOOKED_AT })
    .then((there) => {
      for (const { number, context } of there.found) add(number, context)
    })
    .catch(reject)
  // What is there is looked at to the end, however short the time-out.
  const stopAlarm = alarmAfter(host, options.timeoutMs, () => void looking.then(() => end(false)))
  return promise.finally(() => {
    stopAlarm()
    stopListening()
  })
}

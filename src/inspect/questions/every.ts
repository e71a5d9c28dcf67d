/** Iterates over everything of a subject in a world, in order. */
import { Refusal } from '../../core/model/refusal.ts'
import type { Between } from '../../core/model/test-run.ts'
import type { World } from '../../core/world.ts'
import type { SeenRow, WatchedSubject } from '../predicate.ts'
import { candidates, MOST_LOOKED_AT, type Query, WHOLE_PAGE } from '../search.ts'

/**
 * Only what existed at the start, or between two numbers, so that new records cannot make it endless. Lets other work
 * run between pages. Refuses more than `most`, for callers that keep everything in memory.
 */
export async function* every(
  world: World,
  subject: WatchedSubject,
  most = MOST_LOOKED_AT,
  between?: Between,
): AsyncGenerator<SeenRow> {
  const { after, before } = await untilNow(world, subject, between)
  const query: Query = { subject, predicate: undefined, stretch: { after, before } }
  let looked = 0
  for await (const { number, context } of candidates(world, query, false, WHOLE_PAGE)) {
    if (before !== undefined && number >= before) return
    if (++looked > most)
      throw new Refusal('TOO_MANY', `this world has more than ${most} of ${subject}, too many to go through`)
    yield context.seen
  }
}

async function untilNow(world: World, subject: WatchedSubject, between: Between = {}): Promise<Between> {
  if (between.before !== undefined) return between
  const all: Query = { subject, predicate: undefined, stretch: {} }
  for await (const { number } of candidates(world, all, true)) return { ...between, before: number + 1 }
  return between
}

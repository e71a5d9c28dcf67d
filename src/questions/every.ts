/** All of a subject that a world has stored, in order, for those who work through the whole of it. */
import { Refusal } from '../model/refusal.ts'
import type { World } from '../world/world.ts'
import type { Seen } from './evaluation-context.ts'
import { candidates, MOST_LOOKED_AT } from './search.ts'
import type { Subject } from './subjects.ts'

/** Lets others have their turn between pages; refuses to go through more than can be looked at. */
export async function* every(world: World, subject: Subject): AsyncGenerator<Seen> {
  let looked = 0
  for await (const { context } of candidates(world, { subject, predicate: undefined, stretch: {} }, false)) {
    if (++looked > MOST_LOOKED_AT)
      throw new Refusal(
        'TOO_MANY',
        `this world has more than ${MOST_LOOKED_AT} of ${subject}, too many to go through`,
        {
          message: 'Too many',
        },
      )
    yield context.seen
  }
}

/** Operations that wait until a condition is true. */
import * as z from 'zod'
import { zonedText } from '../../../core/model/calendar.ts'
import { type Hint, hintOf } from '../../../core/model/hint.ts'
import { formatDuration, type InstantUs, isoInstant } from '../../../core/model/time.ts'
import type { World } from '../../../core/world.ts'
import { nearestMiss, nearMissWait, presentSubject } from '../../../inspect/near-miss.ts'
import { subjects } from '../../../inspect/predicate.ts'
import { type Query, toQuery } from '../../../inspect/search.ts'
import { paymentsService } from '../../../service/service.ts'
import type { ControlContext } from '../control-context.ts'
import { type AnyOperation, controlOperation } from '../declared-operation.ts'
import { asRequest } from '../placed.ts'
import { durationField } from '../time-fields.ts'
import { waitResultShape } from './question-answers.ts'

const LONGEST_US = 60_000_000

export const waitFields = {
  where: z.string().optional().describe('CEL; without it, any will do.'),
  count: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1000, 'must be at most 1000')
    .default(1)
    .describe('So many different ones.'),
  timeout: durationField
    .refine((us) => us <= LONGEST_US, `must be at most ${formatDuration(LONGEST_US)}`)
    .default(5_000_000)
    .describe("Real time, because the world's may stand still."),
}
const wait = z.strictObject({
  for: z.enum(subjects, `must be one of ${subjects.join(', ')}`).describe('What is waited for.'),
  ...waitFields,
})

const waitUntil = controlOperation('world.wait', {
  method: 'POST',
  path: '/wait',
  summary: 'Wait until a condition is true',
  body: wait,
  answer: waitResultShape,
  errors: ['WAIT_TIMED_OUT', 'TOO_MANY_WAITS', 'INVALID_EXPRESSION'],
  run(c, { body, operations }) {
    const { for: subject, where, ...how } = body
    return answerWait(c, toQuery(paymentsService, subject, { where }), { ...how, operations })
  },
})

export async function answerWait(
  c: ControlContext,
  query: Query,
  { count, timeout, operations }: { count: number; timeout: number; operations: readonly AnyOperation[] },
) {
  const { world } = c.env
  const { enough, found } = await nearMissWait(world, query, {
    count,
    timeoutMs: timeout / 1000,
    signal: c.req.raw.signal,
  })
  const matches = found.map((context) => presentSubject(world.core, query.subject, context))
  if (!enough) return timedOut(c, query, matches, { count, timeoutUs: timeout, operations })
  return { matched: true as const, now: isoInstant(world.core.clock.now()), matches }
}

/** Status 408, so that a test fails even if it ignores the answer. */
function timedOut(
  c: ControlContext,
  query: Query,
  matches: object[],
  { count, timeoutUs, operations }: { count: number; timeoutUs: number; operations: readonly AnyOperation[] },
): Response {
  const { world } = c.env
  const { nearest, why } = nearestMiss(world, query)
  const { hints: helps = [], ...moves } = whatMoves(world)
  const hints = helps.map(asRequest(operations))
  const clock = { ...moves, why: [moves.why, ...hints.map(({ text }) => text)].join(' ') }
  const some = count === 1 ? 'nothing' : `${matches.length} of ${count}`
  const error = {
    code: 'WAIT_TIMED_OUT',
    message: `Not so within ${formatDuration(timeoutUs)}`,
    details: `${some} found; ${nearest ? `the nearest: ${why}` : why}. ${clock.why}`,
    ...(hints.length > 0 && { hints }),
    matches,
    nearest,
    clock,
  }
  return c.body(JSON.stringify({ error }), 408, { 'content-type': 'application/json' })
}

/** Whether anything can still happen by itself, and what to do if not. */
function whatMoves(world: World): { mode: string; now: string; nextDue: string | null; why: string; hints?: Hint[] } {
  const { clock } = world.core
  const nextUs = world.timekeeper.nextDueUs()
  const at = (atUs: InstantUs) => zonedText(atUs, world.core.scenario.zone)
  const state = {
    mode: clock.mode,
    now: isoInstant(clock.now()),
    nextDue: nextUs === undefined ? null : isoInstant(nextUs),
  }
  if (world.deliverer.busy) return { ...state, why: 'A callback is still under way.' }
  if (nextUs === undefined) return { ...state, why: 'Nothing is due: only a request can make something happen.' }
  if (clock.mode === 'frozen')
    return {
      ...state,
      why: `The clock is frozen, and the next thing is due at ${at(nextUs)}:`,
      hints: [hintOf('{} or', 'clock.settle'), hintOf('{}.', 'clock.advance')],
    }
  return { ...state, why: `The next thing is due at ${at(nextUs)}, and it is ${at(clock.now())}.` }
}

export const waitOperations = [waitUntil] as const

import * as z from 'zod'
import { zonedText } from '../../core/model/calendar.ts'
import { type Hint, hintOf } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { formatDuration, type InstantUs, isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import {
  nearestMiss,
  nearestShape,
  nearMissWait,
  questionSubjectShape,
  type SubjectShown,
  shownSubjects,
} from '../../inspect/near-miss.ts'
import { subjects } from '../../inspect/predicate.ts'
import { candidates, MOST_LOOKED_AT, type Query, toQuery } from '../../inspect/search.ts'
import { shape } from '../../inspect/view.ts'
import { paymentsService } from '../../service/service.ts'
import { clockState } from './clock.ts'
import type { ControlContext } from './control-context.ts'
import { type AnyOperation, type Columns, controlOperation } from './declared-operation.ts'
import { durationField, instant, wholeNumber } from './fields.ts'
import { asRequest } from './placed.ts'

const SHOWN = 10
const times = wholeNumber(0)

const verifyBody = z.strictObject({
  for: z.enum(subjects).default('request').describe('The list that is searched.'),
  where: z.string().optional().describe('A condition in CEL. Default: any.'),
  since: instant.optional().describe('From this simulated time on.'),
  until: instant.optional().describe('Up to when, in simulated time.'),
  times: z
    .strictObject({
      exactly: times.optional().describe('So often, and no more.'),
      atLeast: times.optional().describe('So often, or more.'),
      atMost: times.optional().describe('So often, or less.'),
    })
    .default({ atLeast: 1 })
    .describe('How often. Default: at least once.'),
})

type Verify = z.output<typeof verifyBody>

const waitResultShape = shape('WaitResult', () =>
  z.object({ matched: z.boolean(), now: z.string(), matches: z.array(questionSubjectShape()) }),
)

const verificationShape = shape('Verification', () =>
  z.object({
    ok: z.boolean(),
    found: z.number(),
    why: z.string().nullable(),
    matches: z.array(questionSubjectShape()),
    nearest: nearestShape(),
  }),
)

const ofAnySubject = [
  'requestId',
  'uuid',
  'inbox',
  'id=#',
  'kind',
  'topic=about',
  'payment',
  'method',
  'path',
  'url=to',
  'status:word',
  'state',
  'answered',
  'amount',
  'referenceId',
  'text',
  'at',
  'createdAt',
] as const satisfies Columns<SubjectShown>

const LONGEST_US = 60_000_000

const wait = z.strictObject({
  for: z.enum(subjects).describe('The kind of thing to wait for.'),
  where: z.string().optional().describe('The condition, in CEL. Default: any.'),
  count: wholeNumber(1, 1000).default(1).describe('So many different ones.'),
  timeout: durationField
    .refine((us) => us <= LONGEST_US, `must be at most ${formatDuration(LONGEST_US)}`)
    .default(5_000_000)
    .describe("Real time, because the world's may stand still."),
})

export const questionOperations = [
  controlOperation('world.wait', 'POST /wait', {
    summary: 'Wait until a condition is true',
    description: 'After the timeout the error has the nearest match, and why it does not match.',
    body: wait,
    answer: waitResultShape,
    errors: ['WAIT_TIMED_OUT', 'TOO_MANY_WAITS', 'INVALID_EXPRESSION'],
    screen: {
      words: ['for=SUBJECT'],
      verdict: ['matched', 'the condition became true', 'it did not become true in time'],
      facts: ['matched', 'now'],
      parts: { matches: ['Matches', ofAnySubject] },
      examples: [
        `payment --where 'payment.referenceId == "salary-1" && payment.status == "SUCCESS"'`,
        'callback --count 3 --timeout 30s --json',
      ],
    },
    async run({ c, world, signal, body, operations }) {
      const { for: subject, where, count, timeout } = body
      const query = toQuery(paymentsService, subject, { where })
      const { enough, found } = await nearMissWait(world, query, { count, timeoutMs: timeout / 1000, signal })
      const matches = found.map(({ seen }) => shownSubjects[subject].show(seen, world.core))
      if (!enough) return timedOut(c, query, matches, { count, timeoutUs: timeout, operations })
      return { matched: true as const, now: isoInstant(world.core.clock.now()), matches }
    },
  }),
  controlOperation('world.verify', 'POST /verify', {
    summary: 'Check how often something happened',
    description: 'Use it at the end of a test or a CI job.',
    body: verifyBody,
    answer: verificationShape,
    errors: ['INVALID_EXPRESSION', 'TOO_MANY'],
    screen: {
      words: ['for=SUBJECT'],
      verdict: ['ok', 'it happened as often as expected', 'it did not'],
      facts: ['found', 'why'],
      parts: { matches: ['Matches', ofAnySubject], nearest: ['Nearest', ofAnySubject] },
      examples: [
        `request --where 'body.referenceId == "salary-1"' --exactly 1`,
        `callback --where 'callback.state == "failed"' --exactly 0`,
      ],
    },
    run: ({ world, body }) => verified(world, body),
  }),
] as const

async function verified(world: World, { for: subject, times, ...asked }: Verify) {
  const wanted = toQuery(world.core.service, subject, asked)
  const { noun, show } = shownSubjects[subject]
  const matches: SubjectShown[] = []
  let [looked, found] = [0, 0]
  for await (const { context } of candidates(world, wanted, false)) {
    if (++looked > MOST_LOOKED_AT)
      throw new Refusal(
        'TOO_MANY',
        `there are more than ${MOST_LOOKED_AT} ${noun}s to look at: bound it with since and until, or compare more of their fields`,
      )
    if (wanted.predicate && !wanted.predicate.holds(context)) continue
    found++
    if (matches.length < SHOWN) matches.push(show(context.seen, world.core))
  }
  // A report says whether anything was expected of what it tells.
  await world.commit.submit(() => void world.core.store.counters.next('check'))
  const { exactly = found, atLeast = 0, atMost = found } = times
  const miss = found < Math.max(exactly, atLeast) ? nearestMiss(world, wanted) : undefined
  const ok = !miss && found <= Math.min(exactly, atMost)
  return { ok, found, why: ok ? null : wrongCount(found, times, miss), matches, nearest: miss?.nearest ?? null }
}

function wrongCount(found: number, times: Verify['times'], miss?: ReturnType<typeof nearestMiss>): string {
  const { exactly, atLeast, atMost } = times
  const expected = [
    exactly !== undefined && `exactly ${exactly}`,
    atLeast !== undefined && `at least ${atLeast}`,
    atMost !== undefined && `at most ${atMost}`,
  ]
  const why = `found ${found}, expected ${expected.filter(Boolean).join(' and ')}`
  if (!miss) return why
  return miss.nearest ? `${why}; the nearest: ${miss.why}` : `${why}; ${miss.why}`
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
  const moves = whatMoves(world)
  const hints = (moves.hints ?? []).map(asRequest(operations))
  const clock = { ...clockState(world), why: [moves.why, ...hints.map(({ text }) => text)].join(' ') }
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

function whatMoves(world: World): { why: string; hints?: Hint[] } {
  const { clock, scenario } = world.core
  const nextUs = world.timekeeper.nextDueUs()
  const at = (atUs: InstantUs) => zonedText(atUs, scenario.zone)
  if (world.deliverer.busy) return { why: 'A callback is still under way.' }
  if (nextUs === undefined) return { why: 'Nothing is due: only a request can make something happen.' }
  if (clock.mode !== 'frozen') return { why: `The next thing is due at ${at(nextUs)}, and it is ${at(clock.now())}.` }
  return {
    why: `The clock is frozen, and the next thing is due at ${at(nextUs)}:`,
    hints: [hintOf('{} or', 'clock.settle'), hintOf('{}.', 'clock.advance')],
  }
}

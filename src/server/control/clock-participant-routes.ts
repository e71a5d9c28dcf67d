/** Routes: programs that take part in the clock of a world. */
import { Hono } from 'hono'
import * as z from 'zod'
import type { Look, Participant } from '../../core/model/participant.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { formatDuration, isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { about } from './about.ts'
import { type ControlEnv, json, takes } from './control-context.ts'
import { grantStream, presentGrant } from './grant-stream.ts'
import { duration, instant } from './time-fields.ts'

const LEASE_MAX_US = 600_000_000
const LOOK_MAX_US = 60_000_000
const MOST = 100

const joining = z.strictObject({
  /** What it is called where time did not wait for it. */
  name: z.string().trim().min(1, 'must not be empty').max(200, 'must be at most 200 characters'),
  /** Real time that it may work at an instant before time goes on without it. */
  lease: duration.refine((us) => us >= 1_000 && us <= LEASE_MAX_US, 'must be from 1ms to 10m').default(10_000_000),
})
const requests = z.int('must be a whole number').min(0, 'must be at least 0').default(0)
const rest = z.strictObject({
  /** The number of the grant that it has gone to. */
  grant: z.int('must be a whole number').min(1, 'must be at least 1'),
  /** When its next timer is due; null: it has none. */
  next: instant.nullable(),
  /** Requests of its own that it waits for, and that only time seems to end. */
  requests,
  /** Whether it did anything since it said so last: others that take part may have to do with it, and are asked again. */
  active: z.boolean().default(false),
  /** Timers that it ran by itself before the instant that its grant named. */
  timers: z.int('must be a whole number').min(0, 'must be at least 0').default(0),
  /** Answers with the next grant, once there is one, in the place of the stream: one message less at each instant. */
  wait: z.boolean().default(false),
})
const reached = z.strictObject({
  /** The instant, before the one that its grant names. */
  now: instant,
})
const idle = z.strictObject({
  /** Whether nothing in it can go on before somebody answers it, or asks it for something. */
  idle: z.boolean(),
  /** Requests of its own that it waits for. */
  requests,
})
const look = z.strictObject({
  /** Real time; one that does not say within it is not idle. */
  timeout: duration
    .refine((us) => us <= LOOK_MAX_US, `must be at most ${formatDuration(LOOK_MAX_US)}`)
    .default(5_000_000),
})
const path = { id: 'A participant: its id.' }
const errors = ['404 NOT_FOUND'] as const

/** Conservative co-simulation: each participant is granted instants, works until it rests, and says when its next timer is due. */
export function clockParticipantRoutes() {
  return new Hono<ControlEnv>()
    .get('/_mfano/clock/participants', about('List programs that take part in simulated time'), (c) =>
      json(c, { participants: c.env.world.participants.list().map(present) }),
    )

    .post(
      '/_mfano/clock/participants',
      about('Take part in simulated time', {
        description: 'Read its grants within 10 seconds: then time waits for it.',
        errors: ['429 TOO_MANY_PARTICIPANTS'],
      }),
      takes(joining),
      (c) => {
        const { participants } = c.env.world
        const { name, lease } = c.req.valid('json')
        if (participants.count >= MOST)
          throw new Refusal('TOO_MANY_PARTICIPANTS', `${MOST} programs take part in this world's time already`, {
            status: 429,
            message: 'Too many participants',
          })
        return json(c, present(participants.join(name, lease / 1000)), 201)
      },
    )

    .get(
      '/_mfano/clock/participants/:id/grants',
      about('Stream the instants that a participant is granted', {
        path,
        errors: ['404 NOT_FOUND', '409 ILLEGAL_TRANSITION'],
        answers: { 'text/event-stream': 'Server-sent events `grant` and `look`; each `data` is JSON.' },
      }),
      (c) => grantStream(c.env.world, required(c.env.world, c.req.param('id')), c.req.raw.method === 'HEAD'),
    )

    .post(
      '/_mfano/clock/participants/:id/rest',
      about('Say that a participant rests, and what is due next', { path, errors }),
      takes(rest),
      async (c) => {
        const { participants } = c.env.world
        const id = required(c.env.world, c.req.param('id'))
        const { next, wait, ...report } = c.req.valid('json')
        // Asked for before the report, which may have time go on at once.
        const granted = wait ? participants.nextGrant(id) : undefined
        participants.report(id, { ...report, nextDueUs: next ?? undefined })
        const grant = await granted
        return json(c, { id, grant: grant ? presentGrant(grant) : null })
      },
    )

    .post(
      '/_mfano/clock/participants/:id/reached',
      about('Say to which instant a participant went by itself', {
        description: 'Asked before its next request, which then finds the world at this instant.',
        path,
        errors,
      }),
      takes(reached),
      (c) => {
        const { participants } = c.env.world
        const id = required(c.env.world, c.req.param('id'))
        participants.reached(id, c.req.valid('json').now)
        return json(c, { id })
      },
    )

    .post(
      '/_mfano/clock/participants/:id/idle',
      about('Answer a look at a participant', { path, errors }),
      takes(idle),
      (c) => {
        const { world } = c.env
        const id = required(world, c.req.param('id'))
        world.participants.looked(id, c.req.valid('json'))
        return json(c, { id })
      },
    )

    .post(
      '/_mfano/clock/participants/look',
      about('Ask every participant whether it is idle', {
        description: 'It changes nothing. A judge asks so whether an app has come to rest.',
      }),
      takes(look),
      async (c) => {
        const looks: Look[] = await c.env.world.participants.look(c.req.valid('json').timeout / 1000)
        return json(c, { participants: looks })
      },
    )

    .delete('/_mfano/clock/participants/:id', about('Leave simulated time', { path, errors }), (c) => {
      const { world } = c.env
      const id = required(world, c.req.param('id'))
      world.participants.leave(id)
      return json(c, { id })
    })
}

function required(world: World, id: string): string {
  if (world.participants.has(id)) return id
  throw new Refusal(
    'NOT_FOUND',
    `no participant has the id "${id.slice(0, 80)}": it left, its connection ended, or the world was reset; GET /_mfano/clock/participants lists them`,
    { status: 404, message: 'Not found' },
  )
}

function present({ id, name, state, leaseMs, nextDueUs, requests, grantedUs }: Participant) {
  return {
    id,
    name,
    /** Time waits for one that is working; `overdue`: no longer, until it rests. */
    state,
    /** Real time that it may work at an instant. */
    lease: formatDuration(leaseMs * 1000),
    /** When its next timer is due; null: it has none, or has not said. */
    nextDue: nextDueUs === undefined ? null : isoInstant(nextDueUs),
    /** Requests of its own that it waited for when it came to rest. */
    requests,
    /** The instant that it was granted last. */
    now: isoInstant(grantedUs),
  }
}

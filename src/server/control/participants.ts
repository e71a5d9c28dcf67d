import * as z from 'zod'
import type { Grant } from '../../core/model/remote.ts'
import { formatDuration, isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { notFound } from './control-context.ts'
import { internalOperation } from './declared-operation.ts'
import { durationField, instant, titleField, wholeNumber } from './fields.ts'
import { leaseField, remoteStream, requireRoom } from './forwarders.ts'
import { sentEvent } from './pulled-stream.ts'

const LOOK_MAX_US = 60_000_000

const joining = z.strictObject({ name: titleField, lease: leaseField.default(10_000_000) })

const requests = wholeNumber(0).default(0)

/** `active`: it did something since it said so last, so others that may have to do with it are asked again. */
const rest = z.strictObject({
  grant: wholeNumber(1),
  next: instant.nullable(),
  requests,
  active: z.boolean().default(false),
  timers: wholeNumber(0).default(0),
})

const look = z.strictObject({
  timeout: durationField
    .refine((us) => us <= LOOK_MAX_US, `must be at most ${formatDuration(LOOK_MAX_US)}`)
    .default(5_000_000),
})

type Participants = World['participants']

function presentParticipant(participant: ReturnType<Participants['list']>[number]) {
  const { id, name, state, leaseMs, nextDueUs, requests, granted } = participant
  return {
    ...{ id, name, state, requests },
    lease: formatDuration(leaseMs * 1000),
    nextDue: nextDueUs === undefined ? null : isoInstant(nextDueUs),
    now: isoInstant(granted.nowUs),
  }
}

/** `before`: it may go on by itself to its timers before this instant, as long as it asks nobody for anything. */
function presentGrant({ number, nowUs, rate, beforeUs }: Grant) {
  return { grant: number, now: isoInstant(nowUs), rate, before: beforeUs > nowUs ? isoInstant(beforeUs) : null }
}

/**
 * Conservative co-simulation: a participant is granted an instant, works until it is idle, and reports its next timer.
 */
export const participantOperations = [
  internalOperation('participant.list', 'GET /clock/participants', {
    run: ({ world }) => ({ participants: world.participants.list().map(presentParticipant) }),
  }),
  internalOperation('participant.join', 'POST /clock/participants', {
    body: joining,
    status: 201,
    run({ world, body: { name, lease } }) {
      const { participants } = world
      requireRoom(participants.count, 'TOO_MANY_PARTICIPANTS', "take part in this world's time")
      return presentParticipant(participants.join(name, lease / 1000))
    },
  }),
  internalOperation('participant.grants', 'GET /clock/participants/:id/grants', {
    run: ({ c, world, params: { id } }) =>
      remoteStream(c, world.participants, required(world, id), ({ grant, look }) =>
        [grant && sentEvent('grant', presentGrant(grant)), look !== undefined && sentEvent('look', { look })]
          .filter(Boolean)
          .join(''),
      ),
  }),
  internalOperation('participant.rest', 'POST /clock/participants/:id/rest', {
    body: rest,
    run: ({ body: { next, ...report }, ...of }) =>
      tell(of, (participants, id) => participants.report(id, { ...report, nextDueUs: next ?? undefined })),
  }),
  // Asked before its next request, which then finds the world at this instant.
  internalOperation('participant.reached', 'POST /clock/participants/:id/reached', {
    body: z.strictObject({ now: instant }),
    run: ({ body, ...of }) => tell(of, (participants, id) => participants.reached(id, body.now)),
  }),
  internalOperation('participant.idle', 'POST /clock/participants/:id/idle', {
    body: z.strictObject({ idle: z.boolean(), requests }),
    run: ({ body, ...of }) => tell(of, (participants, id) => participants.looked(id, body)),
  }),
  // A judge asks so whether an app has come to rest. One that does not say so in time is not idle.
  internalOperation('participant.look', 'POST /clock/participants/look', {
    body: look,
    run: async ({ world, body: { timeout } }) => ({ participants: await world.participants.look(timeout / 1000) }),
  }),
  internalOperation('participant.leave', 'DELETE /clock/participants/:id', {
    run: (of) => tell(of, (participants, id) => participants.leave(id)),
  }),
] as const

function tell(
  { world, params }: { world: World; params: { id: string } },
  report: (participants: Participants, id: string) => void,
) {
  const id = required(world, params.id)
  report(world.participants, id)
  return { id }
}

function required(world: World, id: string): string {
  if (world.participants.has(id)) return id
  throw notFound(
    `no participant has the id "${id.slice(0, 80)}": it left, its connection ended, or the world was reset;`,
    'participant.list',
  )
}

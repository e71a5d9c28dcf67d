import * as z from 'zod'
import { type Grant, participantStates } from '../../core/model/remote.ts'
import { formatDuration, isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { instantOf, type Reader, shape, view } from '../../inspect/view.ts'
import { notFound } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { durationField, instant, wholeNumber } from './fields.ts'
import { leaseField, remoteIdShape, remoteNameField, remoteStream, requireRoom } from './forwarders.ts'
import { sentEvent } from './pulled-stream.ts'

const LOOK_MAX_US = 60_000_000

const joining = z.strictObject({
  name: remoteNameField.describe('Name where time did not wait for it.'),
  lease: leaseField
    .default(10_000_000)
    .describe('Real time that it may work at an instant before time goes on without it.'),
})

const requests = wholeNumber(0).default(0)

const rest = z.strictObject({
  grant: wholeNumber(1).describe('The number of the grant that it has gone to.'),
  next: instant.nullable().describe('When its next timer is due; null: it has none.'),
  requests: requests.describe('Requests of its own that it waits for, and that only time seems to end.'),
  active: z
    .boolean()
    .default(false)
    .describe(
      'Whether it did anything since it said so last: others that take part may have to do with it, and are asked again.',
    ),
  timers: wholeNumber(0).default(0).describe('Timers that it ran by itself before the instant that its grant named.'),
})

const reached = z.strictObject({
  now: instant.describe('The instant, before the one that its grant names.'),
})

const idle = z.strictObject({
  idle: z.boolean().describe('Whether nothing in it can go on before somebody answers it, or asks it for something.'),
  requests: requests.describe('Requests of its own that it waits for.'),
})

const look = z.strictObject({
  timeout: durationField
    .refine((us) => us <= LOOK_MAX_US, `must be at most ${formatDuration(LOOK_MAX_US)}`)
    .default(5_000_000)
    .describe('Real time; one that does not say within it is not idle.'),
})

const ofParticipant = { internal: true, params: { id: 'A participant: its id.' }, errors: ['NOT_FOUND'] } as const

type Participant = ReturnType<World['participants']['list']>[number]

const participantView = view('Participant', (read: Reader<Participant>) => ({
  id: z.string(),
  name: z.string(),
  state: z
    .enum(participantStates)
    .describe('Time waits for one that is working; `overdue`: no longer, until it rests.'),
  lease: read(z.string().describe('Real time that it may work at an instant.'), ({ leaseMs }) =>
    formatDuration(leaseMs * 1000),
  ),
  nextDue: read(
    z.string().nullable().describe('When its next timer is due; null: it has none, or has not said.'),
    ({ nextDueUs }) => (nextDueUs === undefined ? null : isoInstant(nextDueUs)),
  ),
  requests: z.number().describe('Requests of its own that it waited for when it came to rest.'),
  now: read(z.string().describe('The instant that it was granted last.'), ({ granted }) => isoInstant(granted.nowUs)),
}))

const grantView = view('Grant', (read: Reader<Grant>) => ({
  grant: read(z.number(), ({ number }) => number),
  now: instantOf('nowUs'),
  rate: z.number().describe('World seconds per real second; at 0 time stands until the next grant.'),
  before: read(
    z
      .string()
      .nullable()
      .describe(
        'It may go on by itself to its timers before this instant, as long as it asks nobody for anything; null: to none.',
      ),
    ({ beforeUs, nowUs }) => (beforeUs > nowUs ? isoInstant(beforeUs) : null),
  ),
}))

const looksShape = shape('Looks', () =>
  z.object({
    participants: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        idle: z
          .boolean()
          .describe(
            'Nothing in it can go on before somebody answers it, or asks it for something; false also where it does not say in time.',
          ),
        requests: z.number(),
      }),
    ),
  }),
)

/**
 * Conservative co-simulation: a participant is granted an instant, works until it is idle, and reports its next timer.
 */
export const participantOperations = [
  controlOperation('participant.list', 'GET /clock/participants', {
    summary: 'List programs that have joined the clock',
    internal: true,
    answer: () => z.object({ participants: z.array(participantView.schema()) }),
    run: ({ world }) => ({ participants: world.participants.list().map((one) => participantView(one)) }),
  }),
  controlOperation('participant.join', 'POST /clock/participants', {
    summary: 'Join the clock',
    internal: true,
    description: 'Read its grants within 10 seconds: then time waits for it.',
    body: joining,
    answer: participantView.schema,
    status: 201,
    errors: ['TOO_MANY_PARTICIPANTS'],
    run({ world, body: { name, lease } }) {
      const { participants } = world
      requireRoom(participants.count, 'TOO_MANY_PARTICIPANTS', "take part in this world's time")
      return participantView(participants.join(name, lease / 1000))
    },
  }),
  controlOperation('participant.grants', 'GET /clock/participants/:id/grants', {
    summary: 'Stream the times that a participant may go to',
    ...ofParticipant,
    answers: { 'text/event-stream': 'Server-sent events `grant`, `look` and `end`; each `data` is JSON.' },
    run: ({ c, world, params: { id } }) =>
      remoteStream(c, world.participants, required(world, id), ({ grant, look }) =>
        [grant && sentEvent('grant', grantView(grant)), look !== undefined && sentEvent('look', { look })]
          .filter(Boolean)
          .join(''),
      ),
  }),
  controlOperation('participant.rest', 'POST /clock/participants/:id/rest', {
    summary: 'Report that a participant rests and what is due',
    ...ofParticipant,
    body: rest,
    answer: remoteIdShape,
    run: ({ body: { next, ...report }, ...of }) =>
      tell(of, (participants, id) => participants.report(id, { ...report, nextDueUs: next ?? undefined })),
  }),
  controlOperation('participant.reached', 'POST /clock/participants/:id/reached', {
    summary: 'Report that a participant moved by itself',
    ...ofParticipant,
    description: 'Asked before its next request, which then finds the world at this instant.',
    body: reached,
    answer: remoteIdShape,
    run: ({ body, ...of }) => tell(of, (participants, id) => participants.reached(id, body.now)),
  }),
  controlOperation('participant.idle', 'POST /clock/participants/:id/idle', {
    summary: 'Answer a check of a participant',
    ...ofParticipant,
    body: idle,
    answer: remoteIdShape,
    run: ({ body, ...of }) => tell(of, (participants, id) => participants.looked(id, body)),
  }),
  controlOperation('participant.look', 'POST /clock/participants/look', {
    summary: 'Ask every participant whether it is idle',
    internal: true,
    description: 'It changes nothing. A judge asks so whether an app has come to rest.',
    body: look,
    answer: looksShape,
    run: async ({ world, body: { timeout } }) => ({ participants: await world.participants.look(timeout / 1000) }),
  }),
  controlOperation('participant.leave', 'DELETE /clock/participants/:id', {
    summary: 'Leave the clock',
    ...ofParticipant,
    answer: remoteIdShape,
    run: (of) => tell(of, (participants, id) => participants.leave(id)),
  }),
] as const

function tell(
  { world, params }: { world: World; params: { id: string } },
  report: (participants: World['participants'], id: string) => void,
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

import * as z from 'zod'
import { must } from '../../core/model/must.ts'
import { type KnownRefusal, Refusal } from '../../core/model/refusal.ts'
import type { Grant, RemoteLine } from '../../core/model/remote.ts'
import { formatDuration, isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { isHttpUrl } from '../../service/fields.ts'
import { type ControlContext, notFound } from './control-context.ts'
import { internalOperation } from './declared-operation.ts'
import { pulledStream, sentEvent } from './events.ts'
import { addressField, durationField, instant, titleField, wholeNumber } from './fields.ts'

const LEASE_MAX_US = 600_000_000
const MOST = 100
const leaseField = durationField.refine((us) => us >= 1_000 && us <= LEASE_MAX_US, 'must be from 1ms to 10m')

function requireRoom(count: number, code: KnownRefusal, doing: string): void {
  if (count >= MOST) throw new Refusal(code, `${MOST} programs ${doing} already`)
}

type Remotes = World['participants'] | World['forwarders']

/** Ends when the remote leaves, with an event `end`. Asked by HEAD, it sends only the headers. */
function remoteStream<R extends Remotes>(
  { env: { world }, req }: ControlContext,
  remotes: R,
  id: string,
  print: (event: ReturnType<R['take']>[number]) => string,
): Response {
  return pulledStream(world.host, req.raw.method === 'HEAD', {
    greeting: 'retry: 1000\n\n',
    begin(wake, end) {
      // Whatever is open when it ends belongs to the next reader.
      const line: RemoteLine = { wake, end: (why) => end(sentEvent('end', { why })) }
      remotes.connect(id, line)
      return () => remotes.disconnect(id, line)
    },
    take: () => remotes.take(id).map(print).join(''),
  })
}

const BODY_MAX = 100_000
const TEXT_MAX = 2_000
/** No receiver needs more, and each attempt keeps them. */
const HEADERS_MAX = 16_384
const httpAddress = z.string().max(2000).refine(isHttpUrl, 'must be an http or https address')

/** `callbackUrl`: only callbacks to addresses that begin so. */
const joiningForwarder = z.strictObject({
  name: titleField,
  forwardTo: httpAddress,
  callbackUrl: addressField.optional(),
  lease: leaseField.default(60_000_000),
})

/** The answer of the receiver, or why there was none. */
const outcome = z.strictObject({
  delivery: z.string(),
  status: z.int('must be a whole number').min(200).max(599).optional(),
  headers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .refine((headers) => JSON.stringify(headers).length <= HEADERS_MAX, `must have at most ${HEADERS_MAX} characters`)
    .optional(),
  body: z.string().max(BODY_MAX, `must be at most ${BODY_MAX} characters`).default(''),
  failure: z
    .strictObject({
      code: z.string().max(TEXT_MAX),
      message: z.string().max(TEXT_MAX),
      stage: z.enum(['address', 'name', 'connect', 'tls', 'answer', 'body']).optional(),
      received: z.string().max(TEXT_MAX).optional(),
    })
    .optional(),
  tookMs: z.number().min(0, 'must be at least 0'),
  sentTo: httpAddress.optional(),
})

function presentForwarder(forwarder: ReturnType<World['forwarders']['list']>[number]) {
  const { id, name, forwardTo, state, answered, open, callbackUrl = null, leaseMs } = forwarder
  return {
    ...{ id, name, forwardTo, state, answered, callbackUrl },
    open: open.size,
    lease: formatDuration(leaseMs * 1000),
  }
}

export const forwarderOperations = [
  internalOperation('forwarder.list', 'GET /forwarders', {
    run: ({ world }) => ({ forwarders: world.forwarders.list().map(presentForwarder) }),
  }),
  internalOperation('forwarder.join', 'POST /forwarders', {
    body: joiningForwarder,
    status: 201,
    run({ world, body: { lease, forwardTo, callbackUrl, name } }) {
      const { forwarders } = world
      requireRoom(forwarders.count, 'TOO_MANY_FORWARDERS', 'forward callbacks of this world')
      return presentForwarder(forwarders.join({ name, forwardTo, callbackUrl, leaseMs: lease / 1000 }))
    },
  }),
  // Deliveries without an answer are sent again to a forwarder that reads them once more.
  internalOperation('forwarder.deliveries', 'GET /forwarders/:id/deliveries', {
    run: ({ c, world, params: { id } }) =>
      remoteStream(c, world.forwarders, requireForwarder(world, id), ({ id: delivery, post }) => {
        const { url, headers, body, timeoutMs } = post
        return sentEvent('delivery', { delivery, url, headers, body, timeoutMs })
      }),
  }),
  internalOperation('forwarder.answer', 'POST /forwarders/:id/answers', {
    body: outcome,
    run({ world, params, body: { delivery, status, headers, body, failure, tookMs, sentTo } }) {
      const { forwarders } = world
      const id = requireForwarder(world, params.id)
      if ((status === undefined) === (failure === undefined))
        throw new Refusal('REQ_INVALID_FIELD', 'status: expected status or failure, and not both')
      const sent = { tookMs, ...(sentTo !== undefined && { sentTo: new URL(sentTo) }) }
      const ended =
        status === undefined
          ? { ...sent, failure: must(failure) }
          : { ...sent, status, body, ...(headers && { headers }) }
      if (!forwarders.answer(id, delivery, ended))
        throw new Refusal(
          'DELIVERY_OVER',
          `nobody waits for what came of the delivery "${delivery.slice(0, 80)}": it was answered already, or took too long`,
        )
      return { id }
    },
  }),
  internalOperation('forwarder.leave', 'DELETE /forwarders/:id', {
    run({ world, params }) {
      const id = requireForwarder(world, params.id)
      world.forwarders.leave(id)
      return { id }
    },
  }),
] as const

function requireForwarder(world: World, id: string): string {
  if (world.forwarders.has(id)) return id
  if (world.forwarders.isReplaced(id))
    throw new Refusal('FORWARDER_REPLACED', 'another forwarder of the same name took over; join under another name')
  throw new Refusal(
    'NOT_FOUND',
    `no forwarder has the id "${id.slice(0, 80)}": it left, was away for longer than its lease, or the world was reset; join again`,
  )
}

const LOOK_MAX_US = 60_000_000

const joiningParticipant = z.strictObject({ name: titleField, lease: leaseField.default(10_000_000) })

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
    body: joiningParticipant,
    status: 201,
    run({ world, body: { name, lease } }) {
      const { participants } = world
      requireRoom(participants.count, 'TOO_MANY_PARTICIPANTS', "take part in this world's time")
      return presentParticipant(participants.join(name, lease / 1000))
    },
  }),
  internalOperation('participant.grants', 'GET /clock/participants/:id/grants', {
    run: ({ c, world, params: { id } }) =>
      remoteStream(c, world.participants, requireParticipant(world, id), ({ grant, look }) =>
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
  const id = requireParticipant(world, params.id)
  report(world.participants, id)
  return { id }
}

function requireParticipant(world: World, id: string): string {
  if (world.participants.has(id)) return id
  throw notFound(
    `no participant has the id "${id.slice(0, 80)}": it left, its connection ended, or the world was reset;`,
    'participant.list',
  )
}

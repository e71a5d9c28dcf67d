import * as z from 'zod'
import { must } from '../../core/model/must.ts'
import { type KnownRefusal, Refusal } from '../../core/model/refusal.ts'
import { forwarderStates, type RemoteLine } from '../../core/model/remote.ts'
import { formatDuration } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { type Reader, shape, view } from '../../inspect/view.ts'
import { isHttpUrl } from '../../service/fields.ts'
import type { ControlContext } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { durationField } from './fields.ts'
import { pulledStream, sentEvent } from './pulled-stream.ts'

const LEASE_MAX_US = 600_000_000
const MOST = 100
export const remoteNameField = z.string().trim().min(1, 'must not be empty').max(200, 'must be at most 200 characters')
export const leaseField = durationField.refine((us) => us >= 1_000 && us <= LEASE_MAX_US, 'must be from 1ms to 10m')
export const remoteIdShape = shape('RemoteId', () => z.object({ id: z.string() }))

export function requireRoom(count: number, code: KnownRefusal, doing: string): void {
  if (count >= MOST) throw new Refusal(code, `${MOST} programs ${doing} already`)
}

type Remotes = World['participants'] | World['forwarders']

/** Ends when the remote leaves, with an event `end`. Asked by HEAD, it sends only the headers. */
export function remoteStream<R extends Remotes>(
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
const httpAddress = z.string().max(2000).refine(isHttpUrl, 'must be an http or https address')

const joining = z.strictObject({
  name: remoteNameField.describe('Name in attempts. It replaces another forwarder of its name.'),
  forwardTo: httpAddress.describe('Where it posts callbacks, for people who look at the list.'),
  callbackUrl: z
    .string()
    .min(1, 'must not be empty')
    .max(2000, 'must have at most 2000 characters')
    .optional()
    .describe('Only callbacks to addresses that begin so; all of them without it.'),
  lease: leaseField.default(60_000_000).describe('Real time that callbacks wait for it while its connection is lost.'),
})

/** No receiver needs more, and each attempt keeps them. */
const HEADERS_MAX = 16_384

const TEXT_MAX = 2_000
const stages = ['address', 'name', 'connect', 'tls', 'answer', 'body'] as const

const outcome = z.strictObject({
  delivery: z.string().describe('The id of the delivery.'),
  status: z.int('must be a whole number').min(200).max(599).optional().describe("The status of the receiver's answer."),
  headers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .refine((headers) => JSON.stringify(headers).length <= HEADERS_MAX, `must have at most ${HEADERS_MAX} characters`)
    .optional()
    .describe('Headers of that answer, by names in small letters.'),
  body: z
    .string()
    .max(BODY_MAX, `must be at most ${BODY_MAX} characters`)
    .default('')
    .describe('The beginning of the body of that answer.'),
  failure: z
    .strictObject({
      code: z.string().max(TEXT_MAX).describe('As the system names it: `ECONNREFUSED`, `TIMEOUT`.'),
      message: z.string().max(TEXT_MAX).describe('The message of the system.'),
      stage: z.enum(stages).optional().describe('How far it got.'),
      received: z.string().max(TEXT_MAX).optional().describe('The bytes that came and are no HTTP.'),
    })
    .optional()
    .describe('Why there was no answer, instead of a status.'),
  tookMs: z.number().min(0, 'must be at least 0').describe('Real milliseconds until the answer.'),
  sentTo: httpAddress.optional().describe('Where it really went.'),
})

const ofForwarder = {
  internal: true,
  params: { id: 'A forwarder: its id.' },
  errors: ['NOT_FOUND', 'FORWARDER_REPLACED'],
} as const

type Forwarder = ReturnType<World['forwarders']['list']>[number]

const forwarderView = view('Forwarder', (read: Reader<Forwarder>) => ({
  id: z.string(),
  name: z.string(),
  forwardTo: z.string(),
  state: z
    .enum(forwarderStates)
    .describe('`away`: its connection is lost, and callbacks wait for it until its lease ends.'),
  answered: z.number(),
  open: read(z.number().describe('Deliveries that it has yet to answer.'), ({ open }) => open.size),
  callbackUrl: read(z.string().nullable(), ({ callbackUrl }) => callbackUrl ?? null),
  lease: read(z.string(), ({ leaseMs }) => formatDuration(leaseMs * 1000)),
}))

export const forwarderOperations = [
  controlOperation('forwarder.list', 'GET /forwarders', {
    summary: 'List programs that forward callbacks of this world',
    internal: true,
    answer: () => z.object({ forwarders: z.array(forwarderView.schema()) }),
    run: ({ world }) => ({ forwarders: world.forwarders.list().map((one) => forwarderView(one)) }),
  }),
  controlOperation('forwarder.join', 'POST /forwarders', {
    summary: 'Forward callbacks of this world',
    internal: true,
    description:
      'Read its deliveries within 10 seconds: from then on it gets the callbacks, and what it answers is the attempt.',
    body: joining,
    answer: forwarderView.schema,
    status: 201,
    errors: ['TOO_MANY_FORWARDERS'],
    run({ world, body: { lease, forwardTo, callbackUrl, name } }) {
      const { forwarders } = world
      requireRoom(forwarders.count, 'TOO_MANY_FORWARDERS', 'forward callbacks of this world')
      return forwarderView(forwarders.join({ name, forwardTo, callbackUrl, leaseMs: lease / 1000 }))
    },
  }),
  controlOperation('forwarder.deliveries', 'GET /forwarders/:id/deliveries', {
    summary: 'Stream the callbacks that a forwarder is to post',
    ...ofForwarder,
    description: 'Deliveries without an answer are sent again to a forwarder that reads it once more.',
    answers: {
      'text/event-stream':
        'Server-sent events `delivery` and `end`; each `data` is JSON. A delivery has `delivery`, `url`, `headers`, `body` and `timeoutMs`.',
    },
    run: ({ c, world, params: { id } }) =>
      remoteStream(c, world.forwarders, required(world, id), ({ id: delivery, post }) => {
        const { url, headers, body, timeoutMs } = post
        return sentEvent('delivery', { delivery, url, headers, body, timeoutMs })
      }),
  }),
  controlOperation('forwarder.answer', 'POST /forwarders/:id/answers', {
    summary: "Report the receiver's answer to a delivery",
    ...ofForwarder,
    body: outcome,
    answer: remoteIdShape,
    errors: [...ofForwarder.errors, 'DELIVERY_OVER'],
    run({ world, params, body: { delivery, status, headers, body, failure, tookMs, sentTo } }) {
      const { forwarders } = world
      const id = required(world, params.id)
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
  controlOperation('forwarder.leave', 'DELETE /forwarders/:id', {
    summary: 'Stop forwarding callbacks',
    ...ofForwarder,
    answer: remoteIdShape,
    run({ world, params }) {
      const id = required(world, params.id)
      world.forwarders.leave(id)
      return { id }
    },
  }),
] as const

function required(world: World, id: string): string {
  if (world.forwarders.has(id)) return id
  if (world.forwarders.isReplaced(id))
    throw new Refusal('FORWARDER_REPLACED', 'another forwarder of the same name took over; join under another name')
  throw new Refusal(
    'NOT_FOUND',
    `no forwarder has the id "${id.slice(0, 80)}": it left, was away for longer than its lease, or the world was reset; join again`,
  )
}

import * as z from 'zod'
import { diagnose, isReceived } from '../../core/diagnose.ts'
import { type ConnectionStep, inSteps } from '../../core/host.ts'
import {
  type Callback,
  callbackStates,
  callbackTarget,
  type Failure,
  type Network,
  type Tried,
  type TryStage,
  tryStages,
} from '../../core/model/callback.ts'
import { type Kind, moneyIn } from '../../core/model/kind.ts'
import { must } from '../../core/model/must.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import { hintOf } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { callbackHeaders, secretText, signer } from '../../core/sign.ts'
import type { World } from '../../core/world.ts'
import { callbackCountsShape, callbackDetail, callbackSummary, diagnosisShape } from '../../inspect/present.ts'
import { equalTo, search, toQuery } from '../../inspect/search.ts'
import { type AnswerOf, shape } from '../../inspect/view.ts'
import { paymentsService } from '../../service/service.ts'
import { type ControlBindings, notFound } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { addressField, instant, listLimit, pageBefore, searched } from './fields.ts'

const list = z.strictObject({
  state: z.enum(callbackStates).optional().describe('The state of the callback.'),
  payment: z.string().optional().describe('The uuid of what it tells of.'),
  search: searched('Part of its body, address or payment, in any case. A phone number may have any spelling.'),
  limit: listLimit,
  before: pageBefore,
  since: instant.optional().describe('Created from this simulated time on.'),
  until: instant.optional().describe('Created up to this simulated time.'),
  where: z.string().optional().describe('CEL over the callback, its body and its payment.'),
})

const ofCallback = { id: 'A callback: its number, or the uid that receivers see.' }

const callbackScreen = {
  facts: [
    'id',
    'uid',
    'topic=about',
    'payment',
    'url=to',
    'state',
    'createdAt',
    'nextAttemptAt',
    'fault.does=fault',
    'fault.rule=by rule',
  ],
  parts: {
    body: ['Body'],
    tries: ['Attempts', ['number=#', 'sentAt', 'status=answer:status', 'tookMs=took', 'forwarder', 'error']],
  },
} as const

const questionOf = () =>
  z.strictObject({
    url: addressField.describe('The address to try.'),
    send: z.enum(toldKinds()).optional().describe('Also send a sample callback of this kind. Default: none.'),
  })

const examinationShape = shape('Examination', () =>
  z.object({
    url: z.string(),
    sentTo: z.string().nullable().describe('The address that callbacks to it go to from here, when that differs.'),
    from: z.object({ container: z.boolean(), callbackHost: z.string().nullable() }),
    ok: z.boolean(),
    stages: z.array(z.object({ stage: z.enum(tryStages), ok: z.boolean(), tookMs: z.number(), text: z.string() })),
    untried: z.array(z.enum(tryStages)).describe('Later stages, which were not tried.'),
    diagnosis: diagnosisShape().nullable(),
    sample: z
      .object({
        kind: z.string().nullable(),
        headers: z.record(z.string(), z.string()),
        body: z.record(z.string(), z.unknown()),
      })
      .nullable()
      .describe('The request, when one was sent.'),
    answer: z.object({ status: z.number(), body: z.string() }).nullable(),
  }),
)

export const callbackOperations = [
  controlOperation('callback.list', 'GET /callbacks', {
    summary: 'List callbacks, newest first',
    query: list,
    answer: () =>
      z.object({
        counts: callbackCountsShape(),
        next: z.number().nullable(),
        callbacks: z.array(callbackSummary.schema()),
      }),
    errors: ['INVALID_EXPRESSION'],
    list: {
      rows: 'callbacks',
      none: hintOf('No callbacks yet. mfano sends one when a payment with a callbackUrl ends: {}', 'payment.list'),
      columns: ['id', 'topic=about', 'payment', 'url=to', 'state', 'attempts=tries', 'createdAt', 'nextAttemptAt'],
    },
    screen: {
      says: ({ counts }) =>
        Object.entries(counts)
          .flatMap(([state, n]) => (n > 0 ? [`${n} ${state}`] : []))
          .join(', '),
      examples: ['', '--state failed --json'],
    },
    async run({ world, signal, query }) {
      const { limit, before, search: texts, payment: uuid, state } = query
      const { core } = world
      const payment = uuid === undefined ? undefined : core.store.payments.byUuid(uuid.toLowerCase())
      if (uuid !== undefined && !payment)
        throw new Refusal('NOT_FOUND', `payment: no payment has the uuid "${uuid.slice(0, 80)}"`)
      const wanted = toQuery(paymentsService, 'callback', query, {
        ...equalTo('callback', { state }),
        ...equalTo('payment', { uuid: payment?.uuid }),
      })
      const { found, more } = await search(world, wanted, { limit, before, texts })
      const { counts } = await inSteps(world.host, core.store.callbacks.counting(), signal)
      return {
        counts,
        next: more,
        callbacks: found.map(({ context }) => callbackSummary(must(context.seen.callback), core)),
      }
    },
  }),
  controlOperation('callback.resume', 'POST /callbacks/resume', {
    summary: 'Resume the callbacks of an imported world',
    description: 'An imported world sends none before that. Callbacks that became due meanwhile are sent now.',
    answer: () =>
      z.object({
        resumed: z.boolean().describe('false: they were not paused.'),
        pending: z.number().describe('Callbacks that are sent now or later.'),
      }),
    screen: {
      says: ({ resumed, pending }) =>
        resumed ? `Callbacks are sent again. Pending: ${pending}.` : 'Callbacks were not paused.',
      examples: ['', '--world shop'],
    },
    async run({ world }) {
      const { resumed } = await world.perform({ command: 'resume-callbacks' })
      const { counts } = await inSteps(world.host, world.core.store.callbacks.counting())
      return { resumed, pending: counts.pending + counts.held }
    },
  }),
  controlOperation('callback.secret', 'GET /callbacks/secret', {
    summary: 'Get the secret that signs callbacks',
    answer: () => z.object({ secret: z.string() }),
    run: ({ world }) => ({ secret: secretText(world.callbackSecrets.now) }),
  }),
  controlOperation('callback.show', 'GET /callbacks/:id', {
    summary: 'Show one callback with every attempt',
    params: ofCallback,
    answer: callbackDetail.schema,
    screen: {
      ...callbackScreen,
      says({ heldFor, tries }) {
        if (heldFor === 'resume')
          return hintOf('Paused, because the world came from a file. Send it: {}', 'callback.resume')
        const diagnosis = tries.at(-1)?.diagnosis
        return diagnosis ? `Why: ${diagnosis.why}\nDo:  ${diagnosis.todo}` : ''
      },
      examples: ['1', '1 --json'],
    },
    run: ({ world, params }) => callbackDetail(find(world, params.id), world.core),
  }),
  controlOperation('callback.redeliver', 'POST /callbacks/:id/redeliver', {
    summary: 'Send a callback again',
    params: ofCallback,
    answer: callbackDetail.schema,
    screen: {
      ...callbackScreen,
      says: ({ id }) => hintOf('Sending now. See the result: {}', 'callback.show', { id }),
      examples: ['1'],
    },
    async run({ world, params }) {
      const callback = await world.perform({ command: 'redeliver', callbackId: find(world, params.id).id })
      return callbackDetail(callback, world.core)
    },
  }),
  controlOperation('callback.examine', 'POST /doctor', {
    summary: 'Check whether callbacks can reach an address',
    description: 'It tries name, connection, TLS and answer in turn, and says how to mend the first that fails.',
    agent: { tool: 'doctor', openWorld: true },
    body: questionOf,
    answer: examinationShape,
    errors: ['NOT_POSSIBLE'],
    screen: {
      verdict: ['ok', 'callbacks would arrive', 'they would not'],
      facts: ['url=address', 'sentTo=sent to', 'untried=not tried', 'diagnosis.why=why', 'diagnosis.todo=to do'],
      parts: { stages: ['Stages', ['stage', 'ok', 'tookMs=took', 'text']] },
      says: ({ ok, sample }) =>
        sample === null && ok
          ? 'No callback was sent. Add --send send-money to see how your app answers a sample.'
          : '',
      examples: [
        'http://localhost:3000/callbacks',
        'https://shop.test/hooks/payments --send till --url http://mfano:8080 --world test-1',
      ],
    },
    run: ({ env, signal, body }) => examine(env, body, signal),
  }),
] as const

function find(world: World, id: string): Callback {
  const { callbacks } = world.core.store
  const found = /^\d{1,15}$/.test(id) ? callbacks.byId(Number(id)) : callbacks.byUid(id)
  if (!found) throw notFound(`no callback has the id "${id.slice(0, 80)}";`, 'callback.list')
  return found
}

/** Belongs to no payment, so that a receiver that looks the sample up finds nothing. */
const NO_PAYMENT = '00000000-0000-0000-0000-000000000000'

const SHOWN = 2000

function toldKinds(): string[] {
  return paymentsService.kinds.filter(({ callback }) => callback?.to === 'request').map(({ name }) => name)
}

async function examine(
  env: ControlBindings,
  { url, send: kind }: z.output<ReturnType<typeof questionOf>>,
  left: AbortSignal,
): Promise<AnswerOf<typeof examinationShape>> {
  const { world } = env
  const send = kind === undefined ? undefined : paymentsService.kinds.of(kind)
  const place: Network = world.host.reach?.place ?? { container: false, callbackHost: undefined }
  const own = await world.ownInbox(url)
  const to = own ? { target: own, moved: true } : callbackTarget(url, place)
  const { steps, outcome, sample } = to ? await go(env, { url, target: to.target, send, left }) : noAddress
  const { timeoutMs } = world.core.scenario.callbacks
  const success = world.core.scenario.assumptions['callback-success']
  const tried = outcome && { url, outcome, timeoutMs, success, place, ...(to?.moved && { sentTo: to.target }) }
  const ok = tried === undefined || isReceived(tried)
  const diagnosis = tried ? diagnose(tried) : null
  return {
    url,
    sentTo: to?.moved ? to.target.href : null,
    from: { container: place.container, callbackHost: place.callbackHost ?? null },
    ok,
    // Each stage needs the one before it, so that only the last can have failed.
    stages: steps.map((step, i) => {
      const last = i === steps.length - 1
      const found = 'found' in step ? step.found : ''
      return { stage: step.stage, ok: ok || !last, tookMs: step.tookMs, text: (last && diagnosis?.what) || found }
    }),
    untried: stagesTo(to?.target).filter((stage) => !steps.some((step) => step.stage === stage)),
    diagnosis,
    sample: sample ? { kind: send?.name ?? null, headers: sample.headers, body: JSON.parse(sample.body) } : null,
    answer: outcome && 'status' in outcome ? { status: outcome.status, body: outcome.body.slice(0, SHOWN) } : null,
  }
}

function stagesTo(target: URL | undefined): TryStage[] {
  return ['name', 'connect', ...(target?.protocol === 'https:' ? (['tls'] as const) : []), 'answer']
}

interface Way {
  steps: readonly ConnectionStep[]
  outcome?: Tried['outcome']
  sample?: ReturnType<typeof sampleCallback>
}

const notHttp: Failure = { code: 'ERR_INVALID_URL', message: 'not an http or https URL' }
const noAddress: Way = { steps: [{ stage: 'address', tookMs: 0, failure: notHttp }], outcome: notHttp }

interface Try {
  url: string
  target: URL
  send: Kind | undefined
  left: AbortSignal
}

async function go(env: ControlBindings, { url, target, send, left }: Try): Promise<Way> {
  const { world } = env
  const { timeoutMs } = world.core.scenario.callbacks
  const signal = AbortSignal.any([left, world.closing])
  const { reach } = world.host
  const { forwarders } = world
  if (!reach && !send)
    throw new Refusal('NOT_POSSIBLE', `this host cannot look, only send: {"send":"${toldKinds()[0]}"} sends a sample`)
  // A forwarder goes there from another machine.
  const steps = reach && !forwarders.takes(url) ? await reach.probe(target, { timeoutMs, signal }) : []
  const last = steps.at(-1)
  if (last && 'failure' in last) return { steps, outcome: last.failure }
  if (!send) return { steps }
  const sample = sampleCallback(env, send)
  const sent = await world.send({ url, ...sample, timeoutMs, signal })
  const tookMs = Math.round(sent.tookMs)
  if ('failure' in sent)
    return {
      steps: [...steps, { stage: sent.failure.stage ?? 'answer', tookMs, failure: sent.failure }],
      outcome: sent.failure,
      sample,
    }
  return { steps: [...steps, { stage: 'answer', tookMs, found: `answered ${sent.status}` }], outcome: sent, sample }
}

/** Looks like the callback of a successful payment, but is marked as a sample and belongs to no payment. */
function sampleCallback({ world, baseUrl }: ControlBindings, kind: Kind) {
  const { core, callbackSecrets } = world
  const opening = paymentsService.operations.find(({ opens }) => opens === kind.name)
  const request = (opening?.example?.(baseUrl) ?? {}) as JsonObject
  const nowUs = core.clock.now()
  const payment: Payment = {
    seq: 0,
    kind: kind.name,
    id: 0,
    uuid: NO_PAYMENT,
    organisationId: 1,
    counterpartyId: null,
    referenceId: null,
    ...moneyIn(kind, request),
    status: kind.ends[0],
    request,
    details: {},
    plan: { rule: 'sample', trace: '', afterUs: 0, end: kind.ends[0], with: {}, revise: null },
    history: [],
    callbackUrl: null,
    createdAtUs: nowUs,
    updatedAtUs: nowUs,
  }
  const marked = { ...callbackHeaders(), 'mfano-sample': 'doctor' }
  const body = JSON.stringify(kind.callback?.body(core, payment))
  if (core.scenario.assumptions['callback-signature'] === 'none') return { headers: marked, body }
  return { headers: { ...marked, ...signer(callbackSecrets, 'msg_sample', nowUs, body)() }, body }
}

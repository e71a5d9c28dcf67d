/** Checks whether callbacks would reach an address, before the first payment. */
import * as z from 'zod'
import { diagnose, isReceived } from '../../../core/diagnose.ts'
import type { ConnectionStep } from '../../../core/host.ts'
import { callbackTarget, type Failure, type Tried, type TryStage } from '../../../core/model/attempt.ts'
import { type Kind, moneyIn } from '../../../core/model/kind.ts'
import type { JsonObject, Payment } from '../../../core/model/payment.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { callbackHeaders, signer } from '../../../core/sign.ts'
import { paymentsService } from '../../../service/service.ts'
import type { ControlContext } from '../control-context.ts'
import { type AnswerOf, controlOperation } from '../declared-operation.ts'
import { examinationShape } from './callback-answers.ts'

/** Belongs to no payment, so that a receiver that looks the sample up finds nothing. */
const NO_PAYMENT = '00000000-0000-0000-0000-000000000000'
const SHOWN = 2000

function toldKinds(): string[] {
  return paymentsService.kinds.filter(({ callback }) => callback?.to === 'request').map(({ name }) => name)
}

const questionOf = () =>
  z.strictObject({
    url: z
      .string()
      .min(1, 'must not be empty')
      .max(2000, 'must have at most 2000 characters')
      .describe('The address to try, as a callbackUrl would name it.'),
    send: z
      .enum(toldKinds(), `must be one of ${toldKinds().join(', ')}`)
      .optional()
      .describe('Sends a sample callback of this kind too; without it nothing is sent.'),
  })

const examineAddress = controlOperation('callback.examine', {
  method: 'POST',
  path: '/doctor',
  summary: 'Check whether callbacks can reach an address',
  body: questionOf,
  answer: examinationShape,
  errors: ['NOT_POSSIBLE'],
  async run(c, { body }) {
    const { url, send } = body
    return examine(c, url, send === undefined ? undefined : paymentsService.kinds.of(send))
  },
})

async function examine(
  c: ControlContext,
  url: string,
  send: Kind | undefined,
): Promise<AnswerOf<typeof examinationShape>> {
  const { world } = c.env
  const place = world.host.reach?.place ?? { container: false, callbackHost: undefined }
  const own = await world.ownInbox(url)
  const to = own ? { target: own, moved: true } : callbackTarget(url, place.callbackHost)
  const { steps, outcome, sample } = to ? await go(c, url, to.target, send) : noAddress
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
    sample: sample ? { kind: send?.name ?? null, headers: sample.headers, body: recordIn(sample.body) } : null,
    answer: outcome && 'status' in outcome ? { status: outcome.status, body: outcome.body.slice(0, SHOWN) } : null,
  }
}

function recordIn(json: string): Record<string, unknown> {
  return JSON.parse(json)
}

function stagesTo(target: URL | undefined): TryStage[] {
  return ['name', 'connect', ...(target?.protocol === 'https:' ? (['tls'] as const) : []), 'answer']
}

/** How far the callback got. `outcome` is present if the last stage does not decide it. */
interface Way {
  steps: readonly ConnectionStep[]
  outcome?: Tried['outcome']
  sample?: Sample
}

const notHttp: Failure = { code: 'ERR_INVALID_URL', message: 'not an http or https URL' }
const noAddress: Way = { steps: [{ stage: 'address', tookMs: 0, failure: notHttp }], outcome: notHttp }

async function go(c: ControlContext, url: string, target: URL, send: Kind | undefined): Promise<Way> {
  const { world } = c.env
  const { timeoutMs } = world.core.scenario.callbacks
  const signal = AbortSignal.any([c.req.raw.signal, world.closing])
  const { reach } = world.host
  const { forwarders } = world
  if (!reach && !send)
    throw new Refusal(
      'NOT_POSSIBLE',
      `this host cannot look without sending; {"send":"${toldKinds()[0]}"} sends a sample`,
    )
  // A forwarder goes there from another machine.
  const steps = reach && !forwarders.takes(url) ? await reach.probe(target, { timeoutMs, signal }) : []
  const last = steps.at(-1)
  if (last && 'failure' in last) return { steps, outcome: last.failure }
  if (!send) return { steps }
  const sample = sampleCallback(c, send)
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

interface Sample {
  headers: Record<string, string>
  body: string
}

/** Looks like the callback of a successful payment, but is marked as a sample and belongs to no payment. */
function sampleCallback({ env: { world, baseUrl } }: ControlContext, kind: Kind): Sample {
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
    lastCallbackId: null,
  }
  const marked = { ...callbackHeaders(core.scenario.assumptions), 'mfano-sample': 'doctor' }
  const body = JSON.stringify(kind.callback?.body(core, payment))
  if (core.scenario.assumptions['callback-signature'] === 'none') return { headers: marked, body }
  return { headers: { ...marked, ...signer(callbackSecrets, 'msg_sample', nowUs, body)() }, body }
}

export const doctorOperations = [examineAddress] as const

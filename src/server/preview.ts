/** Shows what a request would lead to: makes it in a copy of the world, and runs time there. */
import { detachedHost, type Host } from '../core/host.ts'
import { presentZone, type Zone } from '../core/model/calendar.ts'
import type { Kind } from '../core/model/kind.ts'
import type { Payment } from '../core/model/payment.ts'
import { Refusal } from '../core/model/refusal.ts'
import { formatDuration, type InstantUs, isoInstant, LAST_INSTANT_US } from '../core/model/time.ts'
import { remaining } from '../core/rail-outcomes.ts'
import { faultTarget, turnOn } from '../core/response-faults.ts'
import type { World } from '../core/world.ts'
import type { Env } from '../http/http-service.ts'
import { serviceApp } from '../http/service-app.ts'
import { paymentsService } from '../service/service.ts'
import { attemptsLeft, type PreviewStep } from './control/scenario/callback-steps.ts'
import {
  collectCommand,
  dryRun,
  EXPLAINED_BASE_URL,
  type ExplainRequest,
  explainedRequest,
  instantOf,
  type PreparedRequest,
  prepareRequest,
  type RequestSubject,
} from './control/scenario/explain-request.ts'
import { answerInstead, type PreviewRecording, stepsOf } from './control/scenario/preview-steps.ts'

/** In order of world time. */
export interface PreviewSequence {
  scenario: string
  what: string
  /** Null when no rule decides. */
  rule: string | null
  fault: string | null
  startUs: InstantUs
  zone: Zone
  steps: PreviewStep[]
}

/** Limit of events in a copy. */
const MOST_STEPS = 20_000

/**
 * `copy`: an equal world with the given host; closed here. Runs two futures, because a receiver may or may not accept
 * callbacks.
 */
export async function preview(
  world: World,
  copy: (host: Host) => World,
  asked: ExplainRequest,
): Promise<PreviewSequence> {
  const about = explainedRequest(world, asked)
  const { kind, operation, off } = about
  const startUs = instantOf(world, asked)
  const { scenario } = world.core
  const first: PreviewStep = {
    atUs: startUs,
    from: operation ? 'merchant' : 'rail',
    to: 'mfano',
    what: operation ? faultTarget(operation) : paidBy(kind),
  }
  const sequence = {
    scenario: scenario.name,
    what: kind?.name ?? (operation ? faultTarget(operation) : ''),
    startUs,
    zone: scenario.zone,
  }
  const answered = (what: string): PreviewStep => ({ atUs: startUs, from: 'mfano', to: first.from, what })
  if (off && operation)
    return {
      ...sequence,
      rule: null,
      fault: null,
      steps: [first, answered(`404 RESOURCE_NOT_FOUND: ${turnOn(operation)}`)],
    }
  if (!kind) {
    const { fault } = dryRun(world, asked)
    const status = operation?.answer.status ?? 200
    const steps = [first, answered(fault ? answerInstead(fault, `${status}`) : `${status}`)]
    return { ...sequence, rule: null, fault: fault?.by ?? null, steps }
  }
  const taken = await future(copy(detachedHost(startUs)), asked, about, first)
  const sent = taken.steps.some(({ to }) => to === 'merchant')
  const refused = sent
    ? await future(
        copy(detachedHost(startUs, { status: 503, body: '', tookMs: 0 })),
        asked,
        about,
        first,
        taken.certain,
      )
    : undefined
  const steps = [...taken.steps, ...(refused?.left ?? [])].sort((a, b) => a.atUs - b.atUs)
  return { ...sequence, rule: taken.rule, fault: taken.fault, steps }
}

function paidBy(kind: Kind | null): string {
  return paymentsService.collections.find((one) => one.kind === kind?.name)?.phrase ?? 'a customer pays'
}

/** One of two futures. `certain`: by callback, the attempts that happen in both. */
interface Future {
  steps: PreviewStep[]
  rule: string | null
  fault: string | null
  certain: ReadonlyMap<number, number>
  /** Attempts that happen only if earlier ones fail. */
  left: PreviewStep[]
}

async function future(
  copy: World,
  asked: ExplainRequest,
  about: RequestSubject,
  first: PreviewStep,
  certain: ReadonlyMap<number, number> = new Map(),
): Promise<Future> {
  try {
    await copy.perform({ command: 'set-clock', mode: 'frozen', nowUs: first.atUs })
    const request = await copy.commit.submit(() => prepareRequest(copy, asked, about))
    const token = await request.token?.sign()
    for (let nth = 1; nth < (asked.nth ?? 1); nth++) {
      await copy.commit.submit(() => request.suppose())
      await send(copy, request, token)
      await copy.runClock({ to: (nowUs) => nowUs })
    }
    await copy.commit.submit(() => request.suppose())
    const recording = await record(copy, () => send(copy, request, token))
    const { steps, certain: known } = stepsOf(copy.core, recording, first)
    const { trace, payment } = recording
    return {
      steps,
      rule: trace.refusal?.rule ?? (payment?.plan ?? trace.payment?.railed.plan)?.rule ?? null,
      fault: trace.fault?.fault?.by ?? null,
      certain: known,
      left: attemptsLeft(copy.core, recording.events, certain),
    }
  } finally {
    copy.close()
  }
}

/** Makes the request, acts as merchant and operator, and runs time until nothing is due. */
async function record(copy: World, make: () => Promise<void>): Promise<PreviewRecording> {
  const { core } = copy
  const recording: PreviewRecording = {
    events: [],
    trace: {},
    payment: undefined,
    answeredAt: 0,
    polled: new Set(),
    topUpAt: undefined,
  }
  const stop = copy.feed.listen({
    kind: 'settle',
    happened: (domainEvent) => recording.events.push(domainEvent),
    ended() {},
  })
  core.trace = recording.trace
  await make()
  core.trace = undefined
  recording.answeredAt = recording.events.length
  const request = recording.events.find(({ type }) => type === 'request')
  const made = recording.events.find((one) => one.type === 'payment' && one.from === null)
  const seq =
    request?.type === 'request'
      ? core.store.journal.bySeq(request.seq)?.paymentSeq
      : made?.type === 'payment'
        ? made.seq
        : null
  const payment = seq === null || seq === undefined ? undefined : core.store.payments.bySeq(seq)
  recording.payment = payment
  if (payment) {
    if (core.store.floatQueue.has(payment.seq)) {
      await copy.runClock({ to: (nowUs) => nowUs })
      recording.topUpAt = recording.events.length
      await topUp(copy, payment)
    }
    await poll(copy, payment, recording)
    await copy.runClock({ to: () => LAST_INSTANT_US, untilIdle: true, most: MOST_STEPS })
  }
  stop()
  recording.payment = payment && core.store.payments.bySeq(payment.seq)
  return recording
}

/** Over HTTP, like a merchant; a collection starts without a request. */
async function send(copy: World, request: PreparedRequest, token: string | undefined): Promise<void> {
  const { operation, body } = request
  if (!operation) {
    await copy.perform(collectCommand(copy.core, request)).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
    return
  }
  const { path } = operation
  const env: Env = {
    world: copy,
    baseUrl: EXPLAINED_BASE_URL,
    path,
    connection: { sever: async () => new Response(null, { status: 502 }) },
    observe: ({ error }) => {
      if (error !== undefined) throw error
    },
  }
  const headers = {
    'content-type': 'application/json',
    ...Object.fromEntries((operation.headers ?? []).map(({ name }) => [name, 'mfano'])),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const answer = await serviceApp(paymentsService).fetch(
    new Request(EXPLAINED_BASE_URL + path, {
      method: operation.method.toUpperCase(),
      headers,
      body: JSON.stringify(body),
    }),
    env,
  )
  await answer.arrayBuffer()
}

async function topUp(copy: World, { plan, currency }: Payment): Promise<void> {
  const { core } = copy
  const float = core.scenario.rails.float.find((one) => one.name === plan.float && one.currency === currency)
  if (!float) return
  const waitingMinor = core.store.floatQueue
    .of(float.name, currency)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const amountMinor = Math.max(1, waitingMinor - remaining(core, float))
  await copy.perform({ command: 'fund-float', name: float.name, currency, amountMinor })
}

async function poll(copy: World, { seq, plan }: Payment, recording: PreviewRecording): Promise<void> {
  for (let reads = 0; reads < (plan.untilPoll ?? 0); reads++) {
    const before = recording.events.length
    await copy.perform({ command: 'poll-payment', seq })
    for (const domainEvent of recording.events.slice(before)) recording.polled.add(domainEvent)
  }
}

export function presentSequence({ what: kind, startUs, zone, steps, scenario, rule, fault }: PreviewSequence) {
  const shown = steps.map(({ atUs, from, to, what, only }) => ({
    at: isoInstant(atUs),
    after: formatDuration(atUs - startUs),
    from,
    to,
    what,
    only: only ?? null,
  }))
  return { scenario, timezone: presentZone(zone), kind, rule, fault, steps: shown }
}

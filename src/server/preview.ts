/** Shows what a request would lead to: makes it in a copy of the world, and runs time there. */
import type { PostResult } from '../core/host.ts'
import { presentZone } from '../core/model/calendar.ts'
import type { DomainEvent } from '../core/model/journal.ts'
import type { Payment } from '../core/model/payment.ts'
import { formatDuration, isoInstant, LAST_INSTANT_US } from '../core/model/time.ts'
import { remaining } from '../core/rail-outcomes.ts'
import { faultTarget } from '../core/response-faults.ts'
import type { World } from '../core/world.ts'
import { type ExplainRequest, inCopy, type MadeRequest } from './control/scenario/explain-request.ts'
import { attemptsLeft, type PreviewRun, stepsOf } from './control/scenario/preview-steps.ts'

/** Limit of events in a copy. */
const MOST_STEPS = 20_000

/**
 * `copy`: opens a copy whose receivers answer so, by default 200; closed here. Runs two futures, because a receiver may
 * or may not accept callbacks.
 */
export async function preview(copy: (answer?: PostResult) => World, asked: ExplainRequest) {
  const { sequence, certain } = await inCopy(copy(), asked, async (made) => {
    const run = await runOn(made)
    const { kind, operation, payment, trace, startUs } = run
    const { name: scenario, zone } = run.copy.core.scenario
    const { steps, certain } = stepsOf(run)
    /** Null when no rule decides. */
    const rule = trace.refusal?.rule ?? (payment?.plan ?? trace.payment?.railed.plan)?.rule ?? null
    const what = kind?.name ?? (operation ? faultTarget(operation) : '')
    return { sequence: { scenario, what, rule, fault: trace.fault?.fault?.by ?? null, startUs, zone, steps }, certain }
  })
  if (certain.size === 0) return sequence
  const failing = copy({ status: 503, body: '', tookMs: 0 })
  const left = await inCopy(failing, asked, async (made) => attemptsLeft(await runOn(made), certain), sequence.startUs)
  return { ...sequence, steps: [...sequence.steps, ...left].sort((a, b) => a.atUs - b.atUs) }
}

/** Acts as merchant and operator, and runs time until nothing is due. */
async function runOn(made: MadeRequest): Promise<PreviewRun> {
  const { copy, payment, events } = made
  const polled = new Set<DomainEvent>()
  if (!payment) return { ...made, polled, topUpAt: undefined }
  let topUpAt: number | undefined
  if (copy.core.store.floatQueue.has(payment.seq)) {
    await copy.runClock({ to: (nowUs) => nowUs })
    topUpAt = events.length
    await topUp(copy, payment)
  }
  for (let reads = 0; reads < (payment.plan.untilPoll ?? 0); reads++) {
    const before = events.length
    await copy.perform({ command: 'poll-payment', seq: payment.seq })
    for (const event of events.slice(before)) polled.add(event)
  }
  await copy.runClock({ to: () => LAST_INSTANT_US, untilIdle: true, most: MOST_STEPS })
  return { ...made, payment: copy.core.store.payments.bySeq(payment.seq), polled, topUpAt }
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

/** In order of world time. */
export type PreviewSequence = Awaited<ReturnType<typeof preview>>

export function presentSequence({ what: kind, startUs, zone, steps, scenario, rule, fault }: PreviewSequence) {
  const shown = steps.map(({ atUs, only, ...step }) => ({
    at: isoInstant(atUs),
    after: formatDuration(atUs - startUs),
    ...step,
    only: only ?? null,
  }))
  return { scenario, timezone: presentZone(zone), kind, rule, fault, steps: shown }
}

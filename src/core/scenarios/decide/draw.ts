/** Draws random delays, once for a payment's plan or an answer's fault. */

import type { CallbackFault, UndrawnCallbackFault } from '../../model/callback-fault.ts'
import type { Draw } from '../../model/chance.ts'
import type { Delay } from '../../model/delays.ts'
import type { Plan } from '../../model/payment.ts'
import type { DurationUs } from '../../model/time.ts'
import { LONGEST_LATENCY_US } from '../../response-faults.ts'
import type { Paying } from '../language/paying.ts'
import type { PlannedFaults } from '../language/planned-faults.ts'

/** `label`: what the delay is for. Draws depend on it, so that one delay does not change another. */
type DrawLabelled = (delay: Delay, label: string) => DurationUs

const MILLISECOND_US = 1_000
/** Standard deviations above the mean: the 95th percentile of a normal distribution. */
const P95_DEVIATIONS = 1.6448536269514722

/** A range is uniform, in milliseconds. */
export function drawDelay(delay: Delay, draw: () => Draw): DurationUs {
  if (delay.fromUs === delay.toUs) return delay.fromUs
  if (delay.lognormal) {
    const { medianUs, p95Us } = delay.lognormal
    const deviations = (Math.log(p95Us / medianUs) / P95_DEVIATIONS) * normal(draw())
    const drawn = Math.round((medianUs * Math.exp(deviations)) / MILLISECOND_US) * MILLISECOND_US
    return Math.min(delay.toUs, Math.max(delay.fromUs, drawn))
  }
  const steps = Math.floor((delay.toUs - delay.fromUs) / MILLISECOND_US)
  return delay.fromUs + Math.floor(draw().unit() * (steps + 1)) * MILLISECOND_US
}

function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw.unit())) * Math.cos(2 * Math.PI * draw.unit())
}

export function drawLatency(latency: Delay, draw: () => Draw): number {
  return Math.min(drawDelay(latency, draw), LONGEST_LATENCY_US) / 1000
}

export function drawPlannedFaults(
  faults: PlannedFaults,
  name: string,
  draw: DrawLabelled,
): Pick<Plan, 'answer' | 'twice' | 'untilPoll' | 'callback'> {
  const { callback, ...rest } = faults
  return callback ? { ...rest, callback: drawCallback(callback, name, draw) } : rest
}

export function drawCallback({ delay, ...rest }: UndrawnCallbackFault, by: string, draw: DrawLabelled): CallbackFault {
  return { by, ...(delay && { delayUs: draw(delay, 'callback') }), ...rest }
}

export function drawPay(paying: Paying | null, draw: DrawLabelled): Pick<Plan, 'payAfterUs' | 'confirmAfterUs'> {
  if (!paying) return { payAfterUs: null }
  const { after, confirm } = paying
  return {
    payAfterUs: draw(after, 'pay'),
    ...(confirm !== undefined && { confirmAfterUs: confirm && draw(confirm, 'confirm') }),
  }
}

/** Draws random delays. */
import type { Draw } from './chance.ts'
import type { Delay } from './delays.ts'
import type { DurationUs } from './time.ts'

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

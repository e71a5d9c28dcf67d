/** Why a payment or callback waits, and what moves it on. */
import { formatDuration, type InstantUs } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'

export interface Reason {
  waitsFor: 'nothing' | 'time' | 'reads' | 'float' | 'payer' | 'operator' | 'receiver'
  dueAtUs?: InstantUs
  why: string
  next: string[]
}

export function moveTime({ core: { clock } }: World, toUs: InstantUs, control: string): string {
  // Rounded up to whole milliseconds, the smallest unit of durations.
  const worldUs = Math.max(0, Math.ceil((toUs - clock.now()) / 1000) * 1000)
  const advance = `POST ${control}/clock/advance {"by":"${formatDuration(worldUs)}"}`
  if (clock.mode === 'frozen') return `Move the clock, which stands still: ${advance}`
  return `Wait ${formatDuration(worldUs / clock.rate)}, or move the clock: ${advance}`
}

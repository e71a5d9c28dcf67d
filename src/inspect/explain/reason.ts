/** Why a payment or callback waits, and what moves it on. */
import { type Hint, hintOf } from '../../core/model/hint.ts'
import { formatDuration, type InstantUs } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'

export interface Reason {
  waitsFor: 'nothing' | 'time' | 'reads' | 'float' | 'payer' | 'operator' | 'receiver'
  dueAtUs?: InstantUs
  why: string
  next: (string | Hint)[]
}

export function moveTime({ core: { clock } }: World, toUs: InstantUs): Hint {
  // Rounded up to whole milliseconds, the smallest unit of durations.
  const worldUs = Math.max(0, Math.ceil((toUs - clock.now()) / 1000) * 1000)
  const frozen = clock.mode === 'frozen'
  const words = frozen
    ? 'Move the clock, which stands still: {}'
    : `Wait ${formatDuration(worldUs / clock.rate)}, or move the clock: {}`
  return hintOf(words, 'clock.advance', { by: formatDuration(worldUs) })
}

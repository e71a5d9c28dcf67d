/** Moving the clock: how far, what stops it early, and what happened. */
import type { DomainEvent } from './journal.ts'
import type { Absence } from './remote.ts'
import type { InstantUs } from './time.ts'

export interface ClockRun {
  /** The last instant to reach; `nowUs` is read when the run starts. Throws when it is not allowed. */
  to(nowUs: InstantUs): InstantUs
  untilIdle?: boolean
  until?: ((domainEvent: DomainEvent) => boolean) | undefined
  already?: (() => boolean) | undefined
  /** Stops after this many steps and attempts, because answers may cause more for ever. */
  most?: number
  /** Real milliseconds. */
  timeoutMs?: number
  /** Aborted when nobody waits for the run's result any more. */
  left?: AbortSignal
  keep?: number
}

export type Ended = 'target_reached' | 'nothing_pending' | 'breakpoint_holds' | 'step_limit' | 'timeout'

export interface ClockRunResult {
  fromUs: InstantUs
  nowUs: InstantUs
  steps: number
  callbacks: { delivered: number; failed: number }
  ended: Ended
  broke: DomainEvent | undefined
  /**
   * The first `keep` events in order. Parallel attempts are sorted by callback and number, so that runs compare equal.
   */
  happened: readonly DomainEvent[]
  absent: readonly Absence[]
  counts: Partial<Record<DomainEvent['type'], number>>
}

import type { DomainEvent } from './journal.ts'
import type { Absence } from './remote.ts'
import type { InstantUs } from './time.ts'

export interface Due {
  dueAtUs: InstantUs
  /** Orders what is due at one instant, so that runs repeat exactly. */
  seq: number
  subject: number
  event: string
}

export type DueDelivery = Due & { url: string }

export type Position = Pick<Due, 'dueAtUs' | 'seq'>

/** Separate lanes, so that the next step of a payment is found without passing over deliveries. */
export const LANE = { steps: 0, deliveries: 1 } as const

export type Lane = (typeof LANE)[keyof typeof LANE]

export interface ClockRun {
  /** The last instant to reach; `nowUs` is read when the run starts. Throws when it is not allowed. */
  to(nowUs: InstantUs): InstantUs
  untilIdle?: boolean
  until?: ((domainEvent: DomainEvent) => boolean) | undefined
  already?: (() => boolean) | undefined
  /** Stops after this many steps and attempts, because answers may cause more for ever. */
  most?: number
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

/** Runs of the clock: how far, what ends them, and what happened on the way. */
import type { DomainEvent } from './domain-event.ts'
import type { Absence } from './participant.ts'
import type { InstantUs } from './time.ts'

/** How far time is to be moved, and what ends that before. */
export interface ClockRun {
  /** The last instant to reach, from the now of its turn. Throws when it may not be. */
  to(nowUs: InstantUs): InstantUs
  /** Ends with the last thing that is due, and stays at its instant. */
  untilIdle?: boolean
  /** Ends with the instant of the first domain event that this holds for; what else is due then still happens. */
  until?: ((domainEvent: DomainEvent) => boolean) | undefined
  /** Asked once before anything is done: it need not begin. */
  already?: (() => boolean) | undefined
  /** Ends after so many steps and attempts, because those who answer may cause the next for ever. */
  most?: number
  /** Ends after so many real milliseconds. */
  timeoutMs?: number
  /** So many domain events are kept. */
  keep?: number
}

/** Why time was not moved any further. */
export type Ended = 'target_reached' | 'nothing_pending' | 'breakpoint_holds' | 'step_limit' | 'timeout'

/** What became of a run. */
export interface ClockRunResult {
  fromUs: InstantUs
  nowUs: InstantUs
  steps: number
  callbacks: { delivered: number; failed: number }
  ended: Ended
  /** What the breakpoint held for. */
  broke: DomainEvent | undefined
  /** The first of what happened, in order; of attempts that were under way together, by callback and number. */
  happened: readonly DomainEvent[]
  /** Participants that time did not wait for, each once. */
  absent: readonly Absence[]
  /** How much happened, by type. */
  counts: Partial<Record<DomainEvent['type'], number>>
}

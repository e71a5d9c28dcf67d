/** The needs of one run of a schedule: an app, its world, and how long to wait for what. */
import type { Control } from '../../client/control.ts'
import type { World } from '../../core/world.ts'
import type { AppProcess } from '../app/app-process.ts'
import type { Merchant } from '../app/merchant-file.ts'
import type { ScheduleLane } from './lane.ts'

export interface ScheduleRun {
  merchant: Merchant
  app: AppProcess
  lane: ScheduleLane
  /** The world's control plane. */
  control: Control
  /** Another one after the service was started again. */
  world(): World
  signal: AbortSignal
  /** The longest that an app may work without a rest, and until it is ready again, in milliseconds. */
  patienceMs: number
  readyWithinMs: number
  pace: Pace
  /** How the app answered what was asked of it, in order. */
  acts: string[]
  /** Told how many real milliseconds after it had come to rest an app went on, by a timer of its own. */
  late?: ((ms: number) => void) | undefined
  /** Told of real milliseconds in which the app was at rest, and something was waited for that it might do by itself. */
  waited(ms: number): void
  /** Ends the service, and starts it again on its own data. */
  restartService(): Promise<void>
}

/**
 * How long nothing must have happened until nothing more is expected, in real milliseconds. For an app without timers of
 * its own it is all the same: what sleeps goes on sleeping.
 */
export interface Pace {
  /** After each step. */
  afterStepMs: number
  /** Before the books are read. */
  beforeBooksMs: number
  /** Until a callback that a sleeping app does not answer is given up, as the service gives it up some time. */
  deafAfterMs: number
}

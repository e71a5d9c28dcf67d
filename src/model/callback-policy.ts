/** How callbacks are retried. */
import type { DurationUs } from './time.ts'

export interface CallbackPolicy {
  /** Attempts in all, the first included. */
  attempts: number
  /** World time before the second, third … attempt; the last repeats. */
  backoffUs: DurationUs[]
  /** Real time that a receiver has to answer. */
  timeoutMs: number
  /** The first n attempts reach the receiver, but their answer is lost on the way back, so they count as failed. */
  loseAnswers: number
}

/** How callbacks are retried. */
import type { DurationUs } from './time.ts'

/** Attempts under way at once to one receiver, where nothing else is said: half of a world's places. */
export const MOST_AT_ONCE = 64

export interface CallbackPolicy {
  /** Attempts in all, the first included. */
  attempts: number
  /** World time before the second, third … attempt; the last repeats. */
  backoffUs: DurationUs[]
  /** Real time that a receiver has to answer. */
  timeoutMs: number
  /** The first n attempts reach the receiver, but their answer is lost on the way back, so they count as failed. */
  loseAnswers: number
  /** Attempts under way at once to one receiver. */
  concurrency: number
  /** World time between two callbacks that leave at once; nothing where they leave as they come. */
  gapUs: DurationUs
  /** What the time in a signature is: the receiver's, which a library checks, or the world's. */
  signatureTime: 'real' | 'world'
}

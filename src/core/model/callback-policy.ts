/** Settings for retries of callbacks. */
import type { DurationUs } from './time.ts'

/** Attempts at once to one receiver by default: half of a world's, so one slow receiver cannot block all others. */
export const MOST_AT_ONCE = 64

export interface CallbackPolicy {
  attempts: number
  /** World time before the second, third … attempt; the last repeats. */
  backoffUs: DurationUs[]
  /** Real time, because a real receiver answers. */
  timeoutMs: number
  /** The first n answers are lost on the way back, so the receiver has the callback and mfano counts a failure. */
  loseAnswers: number
  concurrency: number
  /** World time between two callbacks that are due at once; 0 sends them without a pause. */
  gapUs: DurationUs
  /** Libraries check the signature's time against the real clock, so `real` is what they accept. */
  signatureTime: 'real' | 'world'
}

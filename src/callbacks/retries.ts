import type { DurationUs } from '../model/time.ts'
import type { CallbackPolicy } from '../scenarios/scenario.ts'

/** World time until the next attempt after the `attempt`-th failed (from 1); null when that was the last. */
export function retryAfter(policy: CallbackPolicy, attempt: number): DurationUs | null {
  if (attempt >= policy.attempts) return null
  return policy.backoffUs[Math.min(attempt, policy.backoffUs.length) - 1] ?? 0
}

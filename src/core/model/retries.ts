/** When a callback is tried again. */

import type { CallbackFault } from './callback-fault.ts'
import type { CallbackPolicy } from './callback-policy.ts'
import type { DurationUs } from './time.ts'

/** Which try an attempt is, from 1: copies that leave together with the first one are no tries of their own. */
export function tryOf(attempt: number, fault: CallbackFault | null): number {
  return fault?.together ? Math.max(1, attempt - (fault.duplicate ?? 1) + 1) : attempt
}

/** World time until the next attempt after the `attempt`-th failed (from 1); null when that was the last. */
export function retryAfter(policy: CallbackPolicy, attempt: number): DurationUs | null {
  if (attempt >= policy.attempts) return null
  return policy.backoffUs[Math.min(attempt, policy.backoffUs.length) - 1] ?? 0
}

/** When a failed callback is sent again. */

import type { CallbackFault } from './callback-fault.ts'
import type { CallbackPolicy } from './callback-policy.ts'
import type { DurationUs } from './time.ts'

export function tryOf(attempt: number, fault: CallbackFault | null): number {
  return fault?.together ? Math.max(1, attempt - (fault.duplicate ?? 1) + 1) : attempt
}

export function retryAfter(policy: CallbackPolicy, attempt: number): DurationUs | null {
  if (attempt >= policy.attempts) return null
  return policy.backoffUs[Math.min(attempt, policy.backoffUs.length) - 1] ?? 0
}

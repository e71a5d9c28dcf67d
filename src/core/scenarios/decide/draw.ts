/** Draws random delays, once for a payment's plan. */

import type { CallbackFault, UndrawnCallbackFault } from '../../model/callback-fault.ts'
import type { Delay } from '../../model/delays.ts'
import type { Plan } from '../../model/payment.ts'
import type { DurationUs } from '../../model/time.ts'
import type { PlannedFaults } from '../language/planned-faults.ts'
import type { Paying } from '../language/rules.ts'

/** `label`: what the delay is for. Draws depend on it, so that one delay does not change another. */
type DrawLabelled = (delay: Delay, label: string) => DurationUs

export function drawPlannedFaults(
  faults: PlannedFaults,
  name: string,
  draw: DrawLabelled,
): Pick<Plan, 'answer' | 'twice' | 'untilPoll' | 'callback'> {
  const { callback, ...rest } = faults
  return callback ? { ...rest, callback: drawCallback(callback, name, draw) } : rest
}

export function drawCallback({ delay, ...rest }: UndrawnCallbackFault, by: string, draw: DrawLabelled): CallbackFault {
  return { by, ...(delay && { delayUs: draw(delay, 'callback') }), ...rest }
}

export function drawPay(paying: Paying | null, draw: DrawLabelled): Pick<Plan, 'payAfterUs' | 'confirmAfterUs'> {
  if (!paying) return { payAfterUs: null }
  const { after, confirm } = paying
  return {
    payAfterUs: draw(after, 'pay'),
    ...(confirm !== undefined && { confirmAfterUs: confirm && draw(confirm, 'confirm') }),
  }
}

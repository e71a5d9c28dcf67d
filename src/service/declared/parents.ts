/** Parent organisations and their rights. */
import type { Core } from '../../core/core.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { refused } from '../../core/model/refusal-reasons.ts'
import { chosen } from '../assumed/assumptions.ts'
import { serviceReasons } from '../requests/service-reasons.ts'

export function requireParent(caller: Organisation): void {
  if (caller.parentId === null) return
  throw refused(
    serviceReasons.callerIsSubAccount,
    `only a parent organisation may do this, and "${caller.name}" is a sub-account`,
  )
}

export function requireSubscription(core: Core, caller: Organisation): void {
  if (chosen(core)['subscription-required'] === 'no') return
  if (core.store.organisations.subscription(caller.parentId ?? caller.id)?.active) return
  throw refused(
    serviceReasons.subscriptionNeeded,
    'sub-accounts need an active subscription; POST /api/sandbox/v1/multiaccount/subscribe first',
  )
}

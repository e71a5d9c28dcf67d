/** Parent organisations and their rights. */
import type { Asked } from '../../http/operation.ts'
import { chosen, reason } from '../assumed/assumptions.ts'

export const callerIsSubAccount = reason(
  'caller',
  'AUTH_FORBIDDEN',
  'a sub-account calls an operation of a parent',
  'convention: a sub-account that calls an operation of a parent',
)
export const subscriptionNeeded = reason(
  'caller',
  'AUTH_FORBIDDEN',
  'sub-accounts are used without an active subscription',
  'subscription-required',
  'yes',
)

export function requireParent({ caller, refuse }: Asked<typeof callerIsSubAccount>): void {
  if (caller.parentId === null) return
  throw refuse(callerIsSubAccount, `only a parent organisation may do this, and "${caller.name}" is a sub-account`)
}

export function requireSubscription({ core, caller, refuse }: Asked<typeof subscriptionNeeded>): void {
  if (chosen(core)['subscription-required'] === 'no') return
  if (core.store.organisations.subscription(caller.parentId ?? caller.id)?.active) return
  throw refuse(
    subscriptionNeeded,
    'sub-accounts need an active subscription; POST /api/sandbox/v1/multiaccount/subscribe first',
  )
}

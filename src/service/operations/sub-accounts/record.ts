/** What is said of sub-accounts. */
import type { Organisation } from '../../../model/payment.ts'
import type { View } from '../../../model/view.ts'
import type { Subscription } from '../../../store/organisation-table.ts'
import { parentSummary, timestamp, timestampFresh } from '../../record-parts.ts'

/** The sub-account record as the list prints it: without its parent. Fields specified, key order published. */
export function subAccountRecord(view: View, organisation: Organisation) {
  return {
    uuid: organisation.uuid,
    name: organisation.name,
    phoneNumber: organisation.phoneNumber,
    email: organisation.email,
    uniqueReference: organisation.uniqueReference,
    environment: organisation.environment,
    createdAt: timestamp(view, organisation.createdAtUs),
    updatedAt: timestamp(view, organisation.updatedAtUs),
    collectionCallbackUrl: organisation.collectionCallbackUrl,
    parent: organisation.parentId === null,
  }
}

/** The answer to its creation: with its parent, and times before storage has cut them. Specified; order and digits published. */
export function subAccountCreated(view: View, organisation: Organisation, parentId: number) {
  const { parent, ...record } = subAccountRecord(view, organisation)
  return {
    ...record,
    createdAt: timestampFresh(view, organisation.createdAtUs, 8),
    updatedAt: timestampFresh(view, organisation.updatedAtUs, 8),
    parentOrganisation: parentSummary(view, parentId),
    parent,
  }
}

/** The answer to a subscription. Published. */
export function subscriptionRecord(view: View, subscription: Subscription) {
  return {
    uuid: subscription.uuid,
    active: subscription.active,
    createdAt: timestampFresh(view, subscription.createdAtUs, 9),
    updatedAt: timestampFresh(view, subscription.updatedAtUs, 9),
  }
}

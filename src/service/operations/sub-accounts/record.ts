/** Records of sub-accounts. */
import type { Subscription } from '../../../core/model/organisation.ts'
import type { Organisation } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { chosen } from '../../assumed/assumptions.ts'
import { isParent, parentSummary, timestamps } from '../../declared/record-parts.ts'

/** Without its parent. Fields specified, key order published. */
export function subAccountRecord(view: View, organisation: Organisation) {
  return {
    uuid: organisation.uuid,
    name: organisation.name,
    phoneNumber: organisation.phoneNumber,
    email: organisation.email,
    uniqueReference: organisation.uniqueReference,
    environment: chosen(view)['sub-account-environment'] === 'sandbox' ? 'sandbox' : null,
    ...timestamps(view, organisation, 'six-digits'),
    collectionCallbackUrl: organisation.collectionCallbackUrl,
    parent: isParent(view, organisation),
  }
}

/** With its parent, and with times as they are before storage cuts digits. Specified; order and digits published. */
export function subAccountCreated(view: View, organisation: Organisation, parentId: number) {
  const { parent, ...record } = subAccountRecord(view, organisation)
  return {
    ...record,
    ...timestamps(view, organisation, 'eight-digits'),
    parentOrganisation: parentSummary(view, parentId),
    parent,
  }
}

/** Published. */
export function subscriptionRecord(view: View, subscription: Subscription) {
  return {
    uuid: subscription.uuid,
    active: subscription.active,
    ...timestamps(view, subscription, 'nine-digits'),
  }
}

/** Finds the records that a caller may see. */

import type { Core } from '../../core/core.ts'
import type { Kind } from '../../core/model/kind.ts'
import type { Currency } from '../../core/model/money.ts'
import type { Organisation, Payment } from '../../core/model/payment.ts'
import { published } from '../../core/model/refusal-reasons.ts'
import { perform } from '../../core/perform.ts'
import { endingEvent } from '../../core/rail-outcomes.ts'
import type { Asked } from '../../http/operation.ts'
import { chosen, reason } from '../assumed/assumptions.ts'
import { isUuid } from '../fields.ts'

const organisationUnknown = reason('resource', 'RESOURCE_NOT_FOUND', 'no organisation has the id', published)
const organisationForeign = reason(
  'resource',
  'AUTH_FORBIDDEN',
  "an organisation is none of the caller's",
  "convention: another's organisation",
)
export const organisationReasons = [organisationUnknown, organisationForeign]
export type OrganisationReason = (typeof organisationReasons)[number]

export const paymentUnknown = reason('resource', 'RESOURCE_NOT_FOUND', 'the caller has no such payment', published)
const referenceForId = reason('fields', 'REQ_INVALID_FIELD', 'a reference came for an id', 'reference-lookup', 'off')
export const paymentReasons = [paymentUnknown, referenceForId]
export type PaymentReason = (typeof paymentReasons)[number]

export function visibleTo(core: Core, caller: Organisation): number[] {
  return [caller.id, ...core.store.organisations.childrenOf(caller.id).map((child) => child.id)]
}

/** By the `companyId` of a read. */
export function companyRead(asked: Asked<OrganisationReason>, uuid: string): Organisation {
  const { core, caller } = asked
  if (chosen(core)['company-id'] === 'with-sub-accounts') return company(asked, uuid, 'companyId')
  return organisationAmong(asked, [caller.id], "the caller's organisation", uuid, 'companyId')
}

export function company(asked: Asked<OrganisationReason>, uuid: string, field: string): Organisation {
  return organisationAmong(
    asked,
    visibleTo(asked.core, asked.caller),
    "the caller's organisation or one of its sub-accounts",
    uuid,
    field,
  )
}

export function relative(asked: Asked<OrganisationReason>, uuid: string, field: string): Organisation {
  const { core, caller } = asked
  if (caller.parentId === null) return company(asked, uuid, field)
  const family = visibleTo(core, core.store.organisations.byId(caller.parentId))
  return organisationAmong(
    asked,
    family,
    "the caller's organisation, its parent or another sub-account of that",
    uuid,
    field,
  )
}

function organisationAmong(
  { core, refuse }: Asked<OrganisationReason>,
  ids: readonly number[],
  who: string,
  uuid: string,
  field: string,
): Organisation {
  const organisation = core.store.organisations.byUuid(uuid.toLowerCase())
  if (!organisation) {
    throw refuse(
      organisationUnknown,
      `${field}: no organisation has the id "${uuid}"`,
      `${field} must be the id of an organisation`,
    )
  }
  if (ids.includes(organisation.id)) return organisation
  throw refuse(organisationForeign, `${field}: must be ${who}, got "${uuid}"`, `${field} must be ${who}`)
}

/** By our id alone. Another's payment is refused as if it did not exist. */
export function findOwn<Request>(
  { core, caller, refuse }: Asked<typeof paymentUnknown>,
  { name, phrase }: Kind<Request>,
  uuid: string,
  field: string,
): Payment {
  const payment = core.store.payments.byUuid(uuid)
  if (payment?.kind === name && visibleTo(core, caller).includes(payment.organisationId)) return payment
  const noun = phrase.replace(/^an? /, '')
  throw refuse(
    paymentUnknown,
    `${field}: no ${noun} of yours has the id "${uuid}"`,
    `${field} must be the id of ${phrase} of yours`,
  )
}

/** By our id or the caller's reference. Another's payment is refused as if it did not exist. */
export function findOwnPayment<Request>(
  { core, caller, refuse }: Asked<PaymentReason>,
  requestId: string,
  kind: Kind<Request>,
  options: { company?: Organisation | undefined; currency?: Currency } = {},
): Payment<Request> {
  const visible = options.company ? [options.company.id] : visibleTo(core, caller)
  const fits = (payment: Payment) =>
    payment.kind === kind.name &&
    visible.includes(payment.organisationId) &&
    (options.currency === undefined || payment.currency === options.currency)
  const byUuid = isUuid(requestId) ? core.store.payments.byUuid(requestId.toLowerCase()) : undefined
  if (byUuid && fits(byUuid)) return polled(core, kind, byUuid)
  if (chosen(core)['reference-lookup'] === 'in-request-id') {
    const byReference = core.store.payments.byReference(requestId).find(fits)
    if (byReference) return polled(core, kind, byReference)
  } else if (!isUuid(requestId)) {
    throw refuse(referenceForId, `requestId: must be a uuid, got "${requestId}"`, 'requestId must be a uuid')
  }
  throw refuse(
    paymentUnknown,
    `requestId: no ${kind.name} payment of yours has the id or reference "${requestId}"`,
    'requestId must be the id of a payment of yours',
  )
}

/** Counts the read, which may end a payment that waits for it. */
export function polled<Request>(core: Core, kind: Kind<Request>, payment: Payment): Payment<Request> {
  const waits = payment.plan.untilPoll !== undefined && endingEvent(kind, payment) !== undefined
  const read: Payment = waits ? perform(core, { command: 'poll-payment', seq: payment.seq }) : payment
  // Its request was validated by the schema of its kind before it was stored.
  return asRead(core, read) as Payment<Request>
}

/** Under `callback-moment`, a read shows the end only after the callback. */
export function asRead(core: Core, payment: Payment): Payment {
  if (chosen(core)['callback-moment'] === 'at-once') return payment
  const before = payment.history.at(-2)
  if (before === undefined) return payment
  const callback = core.store.callbacks.ofPayment(payment.seq).at(-1)
  if (callback?.state !== 'pending' || callback.attempts > 0) return payment
  return { ...payment, status: before.status, updatedAtUs: before.atUs, details: {} }
}

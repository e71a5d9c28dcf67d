/** Finds the records that a caller may see. */
import type { Core } from '../../core/core.ts'
import type { Kind } from '../../core/model/kind.ts'
import type { Currency } from '../../core/model/money.ts'
import type { Organisation, Payment } from '../../core/model/payment.ts'
import { refused } from '../../core/model/refusal-reasons.ts'
import { perform } from '../../core/perform.ts'
import { endingEvent } from '../../core/rail-outcomes.ts'
import { chosen } from '../assumed/assumptions.ts'
import { isUuid } from '../fields.ts'
import { serviceReasons } from '../requests/service-reasons.ts'

export function visibleTo(core: Core, caller: Organisation): number[] {
  return [caller.id, ...core.store.organisations.childrenOf(caller.id).map((child) => child.id)]
}

/** By the `companyId` of a read. */
export function companyRead(core: Core, caller: Organisation, uuid: string): Organisation {
  if (chosen(core)['company-id'] === 'with-sub-accounts') return company(core, caller, uuid, 'companyId')
  return organisationAmong(core, [caller.id], "the caller's organisation", uuid, 'companyId')
}

export function company(core: Core, caller: Organisation, uuid: string, field: string): Organisation {
  return organisationAmong(
    core,
    visibleTo(core, caller),
    "the caller's organisation or one of its sub-accounts",
    uuid,
    field,
  )
}

export function relative(core: Core, caller: Organisation, uuid: string, field: string): Organisation {
  if (caller.parentId === null) return company(core, caller, uuid, field)
  const family = visibleTo(core, core.store.organisations.byId(caller.parentId))
  return organisationAmong(
    core,
    family,
    "the caller's organisation, its parent or another sub-account of that",
    uuid,
    field,
  )
}

function organisationAmong(core: Core, ids: readonly number[], who: string, uuid: string, field: string): Organisation {
  const organisation = core.store.organisations.byUuid(uuid.toLowerCase())
  if (!organisation) {
    throw refused(serviceReasons.organisationUnknown, `${field}: no organisation has the id "${uuid}"`, {
      fields: [{ field, message: `${field} must be the id of an organisation` }],
    })
  }
  if (ids.includes(organisation.id)) return organisation
  throw refused(serviceReasons.organisationForeign, `${field}: must be ${who}, got "${uuid}"`, {
    fields: [{ field, message: `${field} must be ${who}` }],
  })
}

/** By our id or the caller's reference. Another's payment is refused as if it did not exist. */
export function findOwnPayment<Request>(
  core: Core,
  caller: Organisation,
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
    throw refused(serviceReasons.referenceForId, `requestId: must be a uuid, got "${requestId}"`, {
      fields: [{ field: 'requestId', message: 'requestId must be a uuid' }],
    })
  }
  throw refused(
    serviceReasons.paymentUnknown,
    `requestId: no ${kind.name} payment of yours has the id or reference "${requestId}"`,
    {
      fields: [{ field: 'requestId', message: 'requestId must be the id of a payment of yours' }],
    },
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

import type { Core } from '../engine/core.ts'
import { perform } from '../engine/perform.ts'
import { endingEvent } from '../engine/rails.ts'
import type { Answer } from '../http/operation.ts'
import type { Currency } from '../model/money.ts'
import type { Organisation, Payment, PaymentKind } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import type { PaymentFilter } from '../store/payment-table.ts'
import { isUuid } from './fields.ts'

/** Whose records a caller may see: its own and, as parent, its sub-accounts'. */
export function visibleTo(core: Core, caller: Organisation): number[] {
  return [caller.id, ...core.store.organisations.childrenOf(caller.id).map((child) => child.id)]
}

/** The organisation that a field names; another's is forbidden, one that is not there not found. */
export function company(core: Core, caller: Organisation, uuid: string, field = 'companyId'): Organisation {
  const organisation = core.store.organisations.byUuid(uuid.toLowerCase())
  if (!organisation) {
    throw new Refusal('RESOURCE_NOT_FOUND', `${field}: no organisation has the id "${uuid}"`, {
      fields: [{ field, message: `${field} must be the id of an organisation` }],
    })
  }
  if (!visibleTo(core, caller).includes(organisation.id)) {
    throw new Refusal(
      'AUTH_FORBIDDEN',
      `${field}: "${uuid}" is neither the caller's organisation nor one of its sub-accounts`,
      {
        fields: [{ field, message: `${field} must be the caller's organisation or one of its sub-accounts` }],
      },
    )
  }
  return organisation
}

/** The payment that a `requestId` names, by our id or the caller's reference. Another's looks as if it did not exist. */
export function findPayment(
  core: Core,
  caller: Organisation,
  requestId: string,
  kind: PaymentKind,
  options: { company?: Organisation; currency?: Currency } = {},
): Payment {
  const visible = options.company ? [options.company.id] : visibleTo(core, caller)
  const fits = (payment: Payment) =>
    payment.kind === kind &&
    visible.includes(payment.organisationId) &&
    (options.currency === undefined || payment.currency === options.currency)
  const byUuid = isUuid(requestId) ? core.store.payments.byUuid(requestId.toLowerCase()) : undefined
  if (byUuid && fits(byUuid)) return polled(core, byUuid)
  if (core.scenario.assumptions['reference-lookup'] === 'in-request-id') {
    const byReference = core.store.payments.byReference(requestId).find(fits)
    if (byReference) return polled(core, byReference)
  }
  throw new Refusal(
    'RESOURCE_NOT_FOUND',
    `requestId: no ${kind} payment of yours has the id or reference "${requestId}"`,
    {
      fields: [{ field: 'requestId', message: 'requestId must be the id of a payment of yours' }],
    },
  )
}

/** A read of a payment that waits to be read counts, and may end it. */
export function polled(core: Core, payment: Payment): Payment {
  if (payment.plan.untilPoll === undefined || endingEvent(payment) === undefined) return payment
  return perform(core, { command: 'poll-payment', seq: payment.seq })
}

/** `{"status":200,"message":…,"data":…}` */
export function enveloped(status: number, message: string, data: unknown): Answer {
  return { status, body: { status, message, data } }
}

/** Lists up to this many are answered at once; longer ones are streamed. */
const AT_ONCE_MAX = 500

/** All payments of a kind, presented one by one, in an envelope. Order and scope are assumptions. */
export function listed(
  core: Core,
  message: string,
  filter: { kind: PaymentKind; owner: Organisation },
  present: (payment: Payment) => unknown,
): Answer {
  const own = core.scenario.assumptions['list-scope'] === 'own'
  const organisationIds = own ? [filter.owner.id] : visibleTo(core, filter.owner)
  return listedWhere(core, message, { kinds: [filter.kind], organisationIds }, present)
}

/** The list of all payments that a filter describes. */
export function listedWhere(
  core: Core,
  message: string,
  wanted: PaymentFilter,
  present: (payment: Payment) => unknown,
): Answer {
  const newestFirst = core.scenario.assumptions['list-order'] === 'newest-first'
  const { payments } = core.store
  const first = payments.page(wanted, { limit: AT_ONCE_MAX, newestFirst })
  if (first.length < AT_ONCE_MAX) return enveloped(200, message, first.map(present))
  const items = function* () {
    for (const payment of payments.each(wanted, newestFirst)) yield present(payment)
  }
  return {
    status: 200,
    list: { before: `{"status":200,"message":${JSON.stringify(message)},"data":[`, items: items(), after: ']}' },
  }
}

/** Finds what an operation asks for, lists it, and refuses what is not the caller's. */
import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import type { PaymentFilter } from '../../core/model/journal.ts'
import type { Kind, View } from '../../core/model/kind.ts'
import type { Currency } from '../../core/model/money.ts'
import type { Organisation, Payment } from '../../core/model/payment.ts'
import { perform } from '../../core/perform.ts'
import { endingEvent } from '../../core/rail-outcomes.ts'
import type { Answer, RefusalContext } from '../../http/operation.ts'
import { chosen, reason } from '../assumptions/assumptions.ts'
import { isUuid } from '../fields.ts'
import { request, requestUnder } from '../requests/request.ts'

export const referenceUsed = reason(
  'reference',
  'REQ_INVALID_FIELD',
  'the reference was used before',
  'duplicate-reference',
  'refuse',
)

const organisationUnknown = reason('resource', 'RESOURCE_NOT_FOUND', 'no organisation has the id')
const organisationForeign = reason(
  'resource',
  'AUTH_FORBIDDEN',
  "an organisation is none of the caller's",
  "convention: another's organisation",
)
export const organisationReasons = [organisationUnknown, organisationForeign]
export type OrganisationReason = (typeof organisationReasons)[number]

export const paymentUnknown = reason('resource', 'RESOURCE_NOT_FOUND', 'the caller has no such payment')
const referenceForId = reason('fields', 'REQ_INVALID_FIELD', 'a reference came for an id', 'reference-lookup', 'off')
export const paymentReasons = [paymentUnknown, referenceForId]
export type PaymentReason = (typeof paymentReasons)[number]

export function visibleTo(core: Core, caller: Organisation): number[] {
  return [caller.id, ...core.store.organisations.childrenOf(caller.id).map((child) => child.id)]
}

export function companyRead(asked: RefusalContext<OrganisationReason>, uuid: string): Organisation {
  if (chosen(asked.core)['company-id'] === 'with-sub-accounts') return company(asked, uuid, 'companyId')
  return organisationAmong(asked, [asked.caller.id], "the caller's organisation", uuid, 'companyId')
}

export function company(asked: RefusalContext<OrganisationReason>, uuid: string, field: string): Organisation {
  const who = "the caller's organisation or one of its sub-accounts"
  return organisationAmong(asked, visibleTo(asked.core, asked.caller), who, uuid, field)
}

export function relative(asked: RefusalContext<OrganisationReason>, uuid: string, field: string): Organisation {
  const { core, caller } = asked
  if (caller.parentId === null) return company(asked, uuid, field)
  const family = visibleTo(core, core.store.organisations.byId(caller.parentId))
  const who = "the caller's organisation, its parent or another sub-account of that"
  return organisationAmong(asked, family, who, uuid, field)
}

function organisationAmong(
  { core, refuse }: RefusalContext<OrganisationReason>,
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
  { core, caller, refuse }: RefusalContext<typeof paymentUnknown>,
  { name, phrase }: Kind<Request>,
  uuid: string,
  field: string,
): Payment {
  const payment = core.store.payments.byUuid(uuid.toLowerCase())
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
  { core, caller, refuse }: RefusalContext<PaymentReason>,
  requestId: string,
  kind: Kind<Request>,
  options: { company?: Organisation | undefined; currency?: Currency | undefined } = {},
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
function asRead(core: Core, payment: Payment): Payment {
  if (chosen(core)['callback-moment'] === 'at-once') return payment
  const before = payment.history.at(-2)
  if (before === undefined) return payment
  const callback = core.store.callbacks.ofPayment(payment.seq).at(-1)
  if (callback?.state !== 'pending' || callback.attempts > 0) return payment
  return { ...payment, status: before.status, updatedAtUs: before.atUs, details: {} }
}

export function enveloped(message: string, data: unknown): Answer {
  return { status: 200, body: { status: 200, message, data } }
}

/** Records. Longer lists are streamed, because their text would take too much memory. */
const AT_ONCE_MAX = 500

/** Records per page. Assumed (`list-pages`). */
const PAGE_SIZE = 20

const LAST_PAGE = 500

export interface ListQuery {
  page?: string
}

export function listQuery<Shape extends z.ZodRawShape>(own?: z.ZodObject<Shape>) {
  const query = request({
    fields: ({ optional }, choices) => ({
      ...(own && requestUnder(own, choices).schema.shape),
      ...(choices['list-pages'] === 'twenty' && {
        page: optional('assumed', 'Which page, counted from 0.', z.string().regex(/^\d{1,9}$/, 'must be digits'), {
          pattern: 'list-pages',
        }),
      }),
    }),
  })
  return query as z.ZodType as z.ZodType<z.infer<z.ZodObject<Shape>> & ListQuery>
}

interface AskedPage {
  kind: string
  owner: Organisation
  query: ListQuery
}

/** Requests were validated by the schema of their kind before they were stored. */
type Show<Request> = (view: View, payment: Payment<Request>) => unknown

export function listed<Request>(
  core: Core,
  message: string,
  { kind, owner, query }: AskedPage,
  show: Show<Request>,
): Answer {
  const choices = chosen(core)
  const wanted: PaymentFilter = {
    kinds: [kind],
    organisationIds: choices['list-scope'] === 'own' ? [owner.id] : visibleTo(core, owner),
    ...(choices['tanzania-in-lists'] === 'left-out' && { notCurrency: 'TZS' }),
  }
  return listedWhere(core, message, { wanted, query }, show)
}

export function listedWhere<Request>(
  core: Core,
  message: string,
  { wanted, query }: { wanted: PaymentFilter } & Pick<AskedPage, 'query'>,
  show: Show<Request>,
): Answer {
  const choices = chosen(core)
  const present = (payment: Payment) => show(core, asRead(core, payment) as Payment<Request>)
  if (choices['list-pages'] === 'whole') return whole(core, message, wanted, present)
  const page = Math.min(LAST_PAGE, Number(query.page ?? 0))
  const newestFirst = choices['list-order'] === 'newest-first'
  const upTo = core.store.payments.page(wanted, { limit: (page + 1) * PAGE_SIZE, newestFirst })
  return enveloped(message, upTo.slice(page * PAGE_SIZE).map(present))
}

function whole(core: Core, message: string, wanted: PaymentFilter, present: (payment: Payment) => unknown): Answer {
  const newestFirst = chosen(core)['list-order'] === 'newest-first'
  const { payments } = core.store
  const first = payments.page(wanted, { limit: AT_ONCE_MAX, newestFirst })
  if (first.length < AT_ONCE_MAX) return enveloped(message, first.map(present))
  const items = function* () {
    for (const payment of payments.each(wanted, newestFirst)) yield present(payment)
  }
  return {
    status: 200,
    list: { before: `{"status":200,"message":${JSON.stringify(message)},"data":[`, items: items(), after: ']}' },
  }
}

import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import { waitsForRail } from '../../core/lifecycle.ts'
import type { PaymentFilter } from '../../core/model/journal.ts'
import type { Kind, View } from '../../core/model/kind.ts'
import { type Currency, toMinor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import type { JsonObject, Organisation, Payment } from '../../core/model/payment.ts'
import { commonReasons, published, type Reason } from '../../core/model/refusal.ts'
import { perform } from '../../core/perform.ts'
import { endingEvent } from '../../core/rail-outcomes.ts'
import type { Basis } from '../../http/json-schema.ts'
import {
  type Answer,
  type AnswerContract,
  type Asked,
  basisOf,
  type Call,
  type DeclaredOperation,
  type Operation,
  operation,
} from '../../http/operation.ts'
import { asPlanned } from '../../http/response-fault.ts'
import { type FieldRule, unmet } from '../../http/validate.ts'
import { chosen, reason } from '../assumed/assumptions.ts'
import { countries } from '../countries/countries.ts'
import { companyId, envelope, isUuid, publishedEnvelope, readEnvelope } from '../fields.ts'
import { request, requestUnder } from '../requests/request.ts'
import type { PaymentRecord } from './record.ts'

interface AskedFields {
  request?: object
  currency?: Currency
  referenceId?: string | undefined
  counterpartyId?: number
}

export const referenceUsed = reason(
  'reference',
  'REQ_INVALID_FIELD',
  'the reference was used before',
  'duplicate-reference',
  'refuse',
)

const { stage, code, when } = commonReasons.fundsShort
const fundsShortAtCreation = reason(stage, code, when, 'funds-check', 'at-creation')

function openingReasons(kind: Kind): Reason[] {
  const { direction, reference, refusedAtOnce } = kind
  const { railClosed, limitExceeded, fundsShort, booksFull } = commonReasons
  return [
    ...(reference ? [reference.used] : []),
    ...(refusedAtOnce ? [refusedAtOnce.reason] : []),
    ...(waitsForRail(kind) ? [railClosed] : []),
    ...(direction === 'none' ? [] : [limitExceeded, booksFull]),
    ...(direction === 'out' ? [fundsShortAtCreation] : direction === 'between' ? [fundsShort] : []),
  ]
}

export function warnOf(limits: readonly FieldRule[], body: object, warn: (warning: string) => void): void {
  for (const { text } of unmet(limits, body, () => false)) warn(text.replace(', got', ' as documented, got'))
}

/** Holds for all operations of a kind. `message`: of its reads, in their envelopes. */
export interface Served<Request> {
  tag: string
  base: string
  noun?: string
  message?: string
  record?: PaymentRecord<Request>
  status?: PaymentRecord<Request>
}

type Opens<Request, Refuses extends Reason> = DeclaredOperation<undefined, undefined, Request, Refuses>
type OpeningCall<Request, Refuses extends Reason> = Call<undefined, undefined, Request, Refuses>

/** `path`: below the base of the kind. Without `answer`, what was accepted is enveloped with `message`. */
interface Opening<Request, Refuses extends Reason>
  extends Omit<Opens<Request, Refuses>, 'method' | 'path' | 'tag' | 'body' | 'answer' | 'callback' | 'handle'> {
  path?: string
  message?: string
  answer?: AnswerContract
  accepted: {
    schema: z.ZodType
    show(view: View, payment: Payment<Request>, call: OpeningCall<Request, Refuses>): unknown
  }
  told?: { description?: string; basis?: Basis }
  ask?(call: OpeningCall<Request, Refuses>): AskedFields
}

interface ById {
  requestId: string
  companyId?: string
}

interface Reading<Query, Request>
  extends Omit<DeclaredOperation<undefined, Query>, 'method' | 'path' | 'tag' | 'answer' | 'handle'> {
  answer?: AnswerContract
  show?(view: View, payment: Payment<Request>): unknown
}

export const specifiedById = request({ fields: ({ requestId }) => ({ requestId: requestId('specified') }) })
const publishedById = request({ fields: ({ requestId }) => ({ requestId: requestId('published') }) })
export const byIdOfCompany = request({
  fields: ({ requestId }) => ({
    requestId: requestId('specified'),
    companyId,
  }),
})

export type OperationsOf<Request> = ReturnType<typeof operationsOf<Request>>

/** Ways to declare the operations of a kind. The basis of a read tells which of the two envelopes it has. */
export function operationsOf<Request>(kind: Kind<Request>, served: Served<Request>) {
  const { tag, base, noun = 'payment', message: ofReads = 'Success', record } = served

  function opens<Refuses extends Reason = never>(opening: Opening<Request, Refuses>): Operation {
    const { path = '/new', message = 'Success', accepted, told, ask, ...contract } = opening
    const envelopeOf = basisOf(contract.source) === 'specified' ? envelope : publishedEnvelope
    const enveloped = { status: 201, description: 'Accepted', schema: envelopeOf(201, message, accepted.schema) }
    const { answer = enveloped } = contract
    const answered = answerOf({ ...contract, answer })
    return operation<undefined, undefined, Request & Opened, Reason>({
      ...contract,
      method: 'post',
      path: base + path,
      tag,
      body: kind.request as z.ZodType as z.ZodType<Request & Opened>,
      answer,
      refuses: [...(contract.refuses ?? []), ...openingReasons(kind)],
      ...(kind.callback && { callback: outcomeTold(kind.callback.schema, told) }),
      opens: kind.name,
      handle: (call) => {
        const { core, caller, body, trace, headers, outcome } = call
        const asked = ask?.(call)
        const { payment, replayed } = perform(core, {
          command: 'open-payment',
          kind: kind.name,
          organisationId: caller.id,
          currency: asked?.currency ?? countries.home.currency,
          amountMinor: must(toMinor(body.amount ?? 0)),
          request: (asked?.request ?? body) as JsonObject,
          referenceId: asked?.referenceId ?? body.referenceId,
          counterpartyId: asked?.counterpartyId,
          callbackUrl: body.callbackUrl,
          trace,
          headers,
          outcome,
        })
        const shown = accepted.show(core, payment as Payment as Payment<Request>, call)
        return { ...answered(core, shown), ...asPlanned(payment, replayed) }
      },
    })
  }

  function answerOfRead(description: string, schema: z.ZodType, source: string) {
    const isSpecified = basisOf(source) === 'specified'
    const enveloped = isSpecified ? readEnvelope(ofReads, schema) : publishedEnvelope(200, ofReads, schema)
    return { status: 200, description, schema: enveloped }
  }

  function readsOne<Query extends ById>(
    path: string,
    description: string,
    shown: PaymentRecord<Request>,
    { show = shown.show, ...contract }: Reading<Query, Request>,
  ): Operation {
    const isSpecified = basisOf(contract.source) === 'specified'
    const query: z.ZodType<ById> = contract.query ?? (isSpecified ? specifiedById : publishedById)
    const { answer = answerOfRead(description, shown.schema, contract.source) } = contract
    const answered = answerOf({ ...contract, answer })
    return operation<undefined, ById, undefined, PaymentReason | OrganisationReason>({
      ...contract,
      method: 'get',
      path: base + path,
      tag,
      query,
      answer,
      refuses: [...paymentReasons, ...companyReasons(query)],
      handle: (call) => {
        const { core, query } = call
        const owner = query.companyId === undefined ? undefined : companyRead(call, query.companyId)
        return answered(core, show(core, findOwnPayment(call, query.requestId, kind, { company: owner })))
      },
    })
  }

  return {
    opens,
    single: <Query extends ById>(reading: Reading<Query, Request>) =>
      readsOne('/single', `The ${noun}`, must(record), reading),
    status: <Query extends ById>(reading: Reading<Query, Request>) =>
      readsOne('/status', 'Its status', must(served.status ?? record), reading),
    all: <Query extends { companyId?: string }>({ query: own, ...contract }: Reading<Query, Request>): Operation => {
      const { schema, show } = must(record)
      return operation<undefined, { companyId?: string } & ListQuery, undefined, OrganisationReason>({
        ...contract,
        method: 'get',
        path: `${base}/all`,
        tag,
        query: listQuery(own instanceof z.ZodObject ? own : undefined),
        answer: answerOfRead('All of them', z.array(schema), contract.source),
        refuses: companyReasons(own),
        handle: (call) => {
          const { core, caller, query } = call
          const owner = query.companyId === undefined ? caller : companyRead(call, query.companyId)
          return listed(core, ofReads, { kind: kind.name, owner, query }, show)
        },
      })
    },
  }
}

interface Opened {
  amount?: number
  referenceId?: string
  callbackUrl?: string
}

function outcomeTold(
  schema: z.ZodType,
  { description = 'The final outcome', basis = 'published' }: { description?: string; basis?: Basis } = {},
): NonNullable<Operation['callback']> {
  return { schema, description, basis, url: '{$request.body#/callbackUrl}' }
}

/** Only some reads take the id of a company. */
function companyReasons(query: z.ZodType | undefined): readonly OrganisationReason[] {
  return query instanceof z.ZodObject && 'companyId' in query.shape ? organisationReasons : []
}

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
type PaymentReason = (typeof paymentReasons)[number]

export function visibleTo(core: Core, caller: Organisation): number[] {
  return [caller.id, ...core.store.organisations.childrenOf(caller.id).map((child) => child.id)]
}

function companyRead(asked: Asked<OrganisationReason>, uuid: string): Organisation {
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
function asRead(core: Core, payment: Payment): Payment {
  if (chosen(core)['callback-moment'] === 'at-once') return payment
  const before = payment.history.at(-2)
  if (before === undefined) return payment
  const callback = core.store.callbacks.ofPayment(payment.seq).at(-1)
  if (callback?.state !== 'pending' || callback.attempts > 0) return payment
  return { ...payment, status: before.status, updatedAtUs: before.atUs, details: {} }
}

export function enveloped(status: number, message: string, data: unknown): Answer {
  return { status, body: { status, message, data } }
}

export function answerOf({ answer, statusUnder }: Pick<Operation, 'answer' | 'statusUnder'>) {
  // Read with the first answer, because a start makes no schemas.
  let message: string | null | undefined
  return (core: Core, data: unknown): Answer => {
    if (message === undefined) {
      const field = answer.schema instanceof z.ZodObject ? answer.schema.shape['message'] : undefined
      message = field instanceof z.ZodLiteral ? String(field.value) : null
    }
    const status = statusUnder?.(core.scenario.assumptions) ?? answer.status
    return { status, body: message === null ? data : { status, message, data } }
  }
}

/** Records. Longer lists are streamed, because their text would take too much memory. */
const AT_ONCE_MAX = 500

/** Records per page. Assumed (`list-pages`). */
export const PAGE_SIZE = 20

export const LAST_PAGE = 500

interface ListQuery {
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

function listed<Request>(core: Core, message: string, { kind, owner, query }: AskedPage, show: Show<Request>): Answer {
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
  return enveloped(200, message, upTo.slice(page * PAGE_SIZE).map(present))
}

function whole(core: Core, message: string, wanted: PaymentFilter, present: (payment: Payment) => unknown): Answer {
  const newestFirst = chosen(core)['list-order'] === 'newest-first'
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

/** Declares a kind of payment with its operations: what makes one, and what reads one, its status, and all. */
import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import { lifecycle, waitsForRail } from '../../core/lifecycle.ts'
import type { Kind, KindCallback, PartyField, RecordField, View } from '../../core/model/kind.ts'
import { type Currency, toMinor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import { commonReasons, type Reason } from '../../core/model/refusal.ts'
import { textOf } from '../../core/model/text.ts'
import { perform } from '../../core/perform.ts'
import { type Basis, grounded } from '../../http/json-schema.ts'
import {
  type Answer,
  type AnswerContract,
  basisOf,
  type Call,
  type DeclaredOperation,
  type Operation,
  operation,
  type RefusalContext,
  type RequiredHeader,
} from '../../http/operation.ts'
import { chosen, reason } from '../assumptions/assumptions.ts'
import { countries } from '../countries/countries.ts'
import { companyId, envelope, type Source } from '../fields.ts'
import type { Collection, ServiceWebhook } from '../parts.ts'
import { request } from '../requests/request.ts'
import {
  companyRead,
  findOwnPayment,
  type ListQuery,
  listed,
  listQuery,
  type OrganisationReason,
  organisationReasons,
  type PaymentReason,
  paymentReasons,
} from './lookups.ts'
import type { PaymentRecord } from './record.ts'

export interface ServedKind<Request = unknown> extends Kind<Request> {
  readonly operations: readonly Operation[]
  readonly webhook?: ServiceWebhook
  readonly collections?: readonly Collection[]
}

type CallbackDeclaration<Request> = Omit<KindCallback<Request>, 'schema' | 'body' | 'to'> & {
  /** Without it, the address that the request named. */
  readonly to?: 'organisation'
  readonly record: Pick<PaymentRecord<Request>, 'schema' | 'show'>
}

/** Typed by the schema, so that its methods know the fields of `payment.request`. */
type Definition<Schema extends z.ZodObject> = Omit<
  ServedKind<z.output<Schema>>,
  'request' | 'party' | 'currencyIn' | 'operations' | 'record' | 'fields' | 'callback'
> &
  Served<z.output<Schema>> & {
    readonly request: Schema
    readonly party: Omit<PartyField, 'spelled'> | null
    readonly currency?: string
    readonly callback?: CallbackDeclaration<z.output<Schema>>
    /** Fields that `with:` may set and the record does not show. */
    readonly beyondRecord?: Readonly<Record<string, RecordField>>
    operations(declare: OperationsOf<z.output<Schema>>, kind: Kind<z.output<Schema>>): readonly Operation[]
  }

export function kind<Schema extends z.ZodObject>(definition: Definition<Schema>): ServedKind<z.output<Schema>> {
  const { tag, base, noun, message, status, operations, currency, party, record, beyondRecord, callback, ...rest } =
    definition
  const made: Kind<z.output<Schema>> = {
    ...rest,
    ...(record && { record: record.show }),
    ...(callback && { callback: toldOf(callback) }),
    fields: { ...record?.settable, ...beyondRecord },
    party: party?.type === 'phone' ? { ...party, spelled: (phone) => countries.internationalPhone(phone) } : party,
    currencyIn: (request) =>
      (currency !== undefined && countries.currencyOf(textOf(request[currency]))) || countries.home.currency,
  }
  return { ...made, operations: operations(operationsOf(made, definition), made) }
}

function toldOf<Request>({ record, to, ...rest }: CallbackDeclaration<Request>): KindCallback<Request> {
  return { ...rest, to: to ?? 'request', schema: record.schema, body: record.show }
}

interface AskedFields {
  request?: object
  currency?: Currency
  referenceId?: string | undefined
  counterpartyId?: number
}

/** Holds for all operations of a kind. `message`: of its reads, in their envelopes. */
interface Served<Request> {
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
  extends Omit<DeclaredOperation<undefined, Query>, 'method' | 'path' | 'tag' | 'answer' | 'handle'>,
    Partial<Pick<Operation, 'path' | 'tag' | 'answer'>> {
  /** Only payments in it are read. */
  currency?: Currency
  show?(view: View, payment: Payment<Request>): unknown
}

const byId = {
  specified: request({ fields: ({ requestId }) => ({ requestId: requestId('specified') }) }),
  published: request({ fields: ({ requestId }) => ({ requestId: requestId('published') }) }),
}
export const byIdOfCompany = request({
  fields: ({ requestId }) => ({
    requestId: requestId('specified'),
    companyId,
  }),
})

type OperationsOf<Request> = ReturnType<typeof operationsOf<Request>>

function sourceOf({ source }: Pick<Operation, 'source'>): Source {
  return basisOf(source) === 'specified' ? 'specified' : 'published'
}

/** Ways to declare the operations of a kind. */
function operationsOf<Request>(kind: Kind<Request>, served: Served<Request>) {
  const { tag, base, noun = 'payment', message: ofReads = 'Success', record } = served

  function opens<Refuses extends Reason = never>(opening: Opening<Request, Refuses>): Operation {
    const { path = '/new', message = 'Success', accepted, told, ask, ...contract } = opening
    const { answer = envelope(201, 'Accepted', message, accepted.schema, sourceOf(contract)) } = contract
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
        // A repeated reference gets a normal answer, so that a retry succeeds.
        const faults = replayed ? {} : plannedFaults(payment)
        return { ...answered(core, shown), rule: payment.plan.rule, payment: { seq: payment.seq, replayed }, ...faults }
      },
    })
  }

  /** Only the published reference shows the 200 of a read. */
  function answerOfRead(description: string, schema: z.ZodType, contract: Pick<Operation, 'source'>) {
    return envelope(200, description, ofReads, schema, sourceOf(contract), 'published')
  }

  function readsOne<Query extends ById>(
    path: string,
    description: string,
    shown: PaymentRecord<Request>,
    { show = shown.show, currency, ...contract }: Reading<Query, Request>,
  ): Operation {
    const query: z.ZodType<ById> = contract.query ?? byId[sourceOf(contract)]
    const { answer = answerOfRead(description, shown.schema, contract) } = contract
    const answered = answerOf({ ...contract, answer })
    return operation<undefined, ById, undefined, PaymentReason | OrganisationReason>({
      path: base + path,
      tag,
      ...contract,
      method: 'get',
      query,
      answer,
      refuses: [...paymentReasons, ...companyReasons(query)],
      handle: (call) => {
        const { core, query } = call
        const owner = query.companyId === undefined ? undefined : companyRead(call, query.companyId)
        return answered(core, show(core, findOwnPayment(call, query.requestId, kind, { company: owner, currency })))
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
        answer: answerOfRead('All of them', z.array(schema), contract),
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

function plannedFaults({ seq, plan }: Payment): Pick<Answer, 'fault' | 'tellFirst'> {
  return {
    ...(plan.answer !== undefined && { fault: { by: plan.rule, executed: true, answer: plan.answer } }),
    ...(plan.callback?.early && { tellFirst: seq }),
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

export function answerOf({ answer, statusUnder }: Pick<Operation, 'answer' | 'statusUnder'>) {
  const { message } = answer
  return (core: Core, data: unknown): Answer => {
    const status = statusUnder?.(core.scenario.assumptions) ?? answer.status
    return { status, body: message === undefined ? data : { status, message, data } }
  }
}

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

export function requireParent({ caller, refuse }: RefusalContext<typeof callerIsSubAccount>): void {
  if (caller.parentId === null) return
  throw refuse(callerIsSubAccount, `only a parent organisation may do this, and "${caller.name}" is a sub-account`)
}

export function requireSubscription({ core, caller, refuse }: RefusalContext<typeof subscriptionNeeded>): void {
  if (chosen(core)['subscription-required'] === 'no') return
  if (core.store.organisations.subscription(caller.parentId ?? caller.id)?.active) return
  throw refuse(
    subscriptionNeeded,
    'sub-accounts need an active subscription; POST /api/sandbox/v1/multiaccount/subscribe first',
  )
}

/**
 * A payout reserves money at once, and posts or releases it as the rail decides. The rail can revise a final state
 * once: a success is taken back, or a failure turns out as done. `asks`: a phone's holder is asked, who may leave the
 * prompt unanswered.
 */
export function payoutMachine(id: string, { asks } = { asks: false }): Kind['machine'] {
  return lifecycle().createMachine({
    id,
    context: ({ input }) => input,
    initial: 'PENDING',
    states: {
      PENDING: {
        entry: 'reserve',
        after: {
          settle: [
            { guard: 'endsWell', target: 'SUCCESS', actions: ['post', 'notify'] },
            { target: 'FAILED', actions: ['void', 'notify'] },
          ],
          ...(asks && { unanswered: { target: 'FAILED', actions: ['void', 'notify'] as const } }),
        },
        on: {
          SUCCEED: { target: 'SUCCESS', actions: ['post', 'notify'] },
          FAIL: { target: 'FAILED', actions: ['void', 'notify'] },
        },
      },
      SUCCESS: {
        after: { revise: { target: 'FAILED', actions: ['reverse', 'notify'] } },
        on: { REVERSE: { target: 'FAILED', actions: ['reverse', 'notify'] } },
      },
      FAILED: {
        after: { revise: { target: 'SUCCESS', actions: ['post', 'notify'] } },
      },
    },
  })
}

// Reads of Tanzania payouts and collections. They start like all others, and are read under paths of their own.

const deviceId: RequiredHeader = {
  name: 'Device-Id',
  why: 'identifies the calling device or client',
  schema: {
    type: 'string',
    pattern: '\\S',
    description: 'Identifies the calling device or client; any text.',
    'x-basis': 'specified',
    'x-constraints': { required: grounded('specified'), pattern: grounded('blank-text') },
  },
}

/** Status and text of the envelope are from a withdrawn page; the records are specified. */
export function tanzanian<Request>(noun: string, { schema, show }: PaymentRecord<Request>) {
  return {
    tag: 'Tanzania',
    headers: [deviceId],
    errorForm: 'tz-error-body',
    currency: 'TZS',
    answer: envelope(200, `The ${noun}`, 'SUCCESS', schema, 'specified', 'published'),
    show: (view: View, payment: Payment<Request>) => ({ ...show(view, payment), status: statusWord(view, payment) }),
  } as const
}

/** A pending payment has been accepted by the operator, and which word says so is assumed (`tz-status-word`). */
function statusWord<Request>(view: View, payment: Payment<Request>): string {
  return payment.status === 'PENDING' ? chosen(view)['tz-status-word'] : payment.status
}

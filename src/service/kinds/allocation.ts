/** Moves money between a parent and its sub-accounts. Both directions have the same operations. */
import * as z from 'zod'
import { lifecycle } from '../../core/lifecycle.ts'
import type { PaymentFilter } from '../../core/model/journal.ts'
import { float } from '../../core/model/json.ts'
import type { Kind } from '../../core/model/kind.ts'
import type { JsonObject, Organisation } from '../../core/model/payment.ts'
import { commonReasons, type Reason } from '../../core/model/refusal.ts'
import { perform } from '../../core/perform.ts'
import {
  type Call,
  type DeclaredOperation,
  type Operation,
  operation,
  type RefusalContext,
} from '../../http/operation.ts'
import { type Chosen, chosen, reason } from '../assumptions/assumptions.ts'
import {
  company,
  enveloped,
  findOwn,
  type ListQuery,
  listedWhere,
  listQuery,
  type OrganisationReason,
  organisationReasons,
  paymentUnknown,
  relative,
  visibleTo,
} from '../declarations/lookups.ts'
import { kind, requireSubscription, subscriptionNeeded } from '../declarations/payment-kind.ts'
import { record, shared } from '../declarations/record.ts'
import { answered, envelope, published as publishedField, schemaField, UNMARKED, uuid } from '../fields.ts'
import { EXAMPLE_COMPANY, EXAMPLE_UUID, request } from '../requests/request.ts'

interface Family {
  name: string
  phrase: string
  tag: string
  noun: string
  base: string
  made: string
  summary: string
  pages: { create: string; made: string; admin: string; received: string }
  example: object
  /** The wallet that pays, if the name can be trusted: assumption `allocation-direction`. */
  takesFrom: 'parent' | 'sub-account'
  bySubAccounts: readonly Chosen['allocation-callers'][]
  notEnds?: Readonly<Record<string, string>>
}

const allocationDirection = reason(
  'resource',
  'REQ_INVALID_FIELD',
  'an allocation takes from a sub-account, or a de-allocation from a parent',
  'allocation-direction',
  'as-named',
)
const parentNotNamed = reason('resource', 'REQ_INVALID_FIELD', 'a sub-account is named for a parent')

function allocationKind(family: Family, cancels: (kind: Kind) => Operation[] = () => []) {
  const { name, phrase, tag, noun, base, summary, pages, example, bySubAccounts, takesFrom, notEnds } = family
  return kind({
    name,
    phrase,
    tag,
    base,
    direction: 'between',
    /** Both wallets change at once. It can be cancelled later. */
    machine: lifecycle().createMachine({
      id: name,
      context: ({ input }) => input,
      initial: 'SUCCESS',
      states: {
        SUCCESS: { entry: 'move', on: { CANCEL: { target: 'CANCELLED', actions: 'reverse' } } },
        CANCELLED: {},
      },
    }),
    request: allocationRequest,
    party: null,
    ends: ['SUCCESS'],
    ...(notEnds && { notEnds }),
    opening: ({ store }, { fromOrganisationId, toOrganisationId }): JsonObject => ({
      fromOrganisation: store.organisations.byUuid(fromOrganisationId)?.id ?? null,
      toOrganisation: store.organisations.byUuid(toOrganisationId)?.id ?? null,
    }),
    operations: ({ opens }, kind) => [
      opens({
        id: `create${noun}`,
        summary,
        description: 'Both wallets change at once.',
        source: `specification, Sub-accounts; published virtual/${pages.create}`,
        answer: envelope(201, 'Done', 'Created Successfully', allocationResult.schema),
        accepted: allocationResult,
        example: () => example,
        refuses: [subscriptionNeeded, allocationDirection, ...organisationReasons],
        ask: (call) => {
          const { core, body } = call
          requireSubscription(call)
          const from = company(call, body.fromOrganisationId, 'fromOrganisationId')
          requireDirection(call, from, takesFrom)
          const receiver = bySubAccounts.includes(chosen(core)['allocation-callers']) ? relative : company
          const to = receiver(call, body.toOrganisationId, 'toOrganisationId')
          // A uuid may come in capitals.
          const request = { ...body, fromOrganisationId: from.uuid, toOrganisationId: to.uuid }
          return { request, counterpartyId: to.id }
        },
      }),
      ...cancels(kind),
      ...lists(family),
    ],
  })
}

function requireDirection(
  { core, refuse }: RefusalContext<typeof allocationDirection>,
  from: Organisation,
  takesFrom: Family['takesFrom'],
): void {
  const isParent = from.parentId === null
  if (chosen(core)['allocation-direction'] === 'either' || isParent === (takesFrom === 'parent')) return
  const expected = `must be the id of a ${takesFrom}`
  throw refuse(
    allocationDirection,
    `fromOrganisationId: ${expected}, got that of "${from.name}"`,
    `fromOrganisationId ${expected}`,
  )
}

type ListContract<Query, Refuses extends Reason> = Pick<
  DeclaredOperation<undefined, Query, undefined, Refuses>,
  'id' | 'path' | 'summary' | 'source' | 'only' | 'query' | 'refuses'
>

function lists({ name, tag, noun, base, made, pages }: Family): Operation[] {
  const list = <Query extends ListQuery, Refuses extends Reason = never>(
    { refuses = [], ...contract }: ListContract<Query, Refuses>,
    wanted: (call: Call<undefined, Query, undefined, Refuses>) => Omit<PaymentFilter, 'kinds'>,
  ) =>
    operation<undefined, Query, undefined, Reason>({
      ...contract,
      method: 'get',
      tag,
      answer: allocationListAnswer,
      refuses: [subscriptionNeeded, ...refuses],
      handle: (call) => {
        requireSubscription(call)
        const asked = { wanted: { kinds: [name], ...wanted(call) }, query: call.query }
        return listedWhere(call.core, 'SUCCESS', asked, allocationRecord.show)
      },
    })
  return [
    list(
      {
        id: `list${noun}s`,
        path: made,
        summary: `List the ${name}s that the caller made`,
        source: `published virtual/${pages.made}`,
        query: listQuery(),
      },
      ({ caller }) => ({ organisationIds: [caller.id] }),
    ),
    list(
      {
        id: `list${noun}sOfParent`,
        path: `${base}/org/all/admins`,
        summary: `List all ${name}s of a parent and its sub-accounts`,
        source: `published virtual/${pages.admin}`,
        query: adminQuery,
        refuses: [parentNotNamed, ...organisationReasons],
      },
      (call) => ({ organisationIds: visibleTo(call.core, parentNamed(call, call.query.parentOrganisationId)) }),
    ),
    list(
      {
        id: `listReceived${noun}s`,
        path: `${base}/sub/org/all`,
        summary: `List the ${name}s that were made to the caller`,
        source: `published virtual/${pages.received} (unlisted)`,
        only: { assumption: 'unlisted-operations', is: 'on' },
        query: listQuery(),
      },
      ({ caller }) => ({ counterpartyId: caller.id }),
    ),
  ]
}

function parentNamed(asked: RefusalContext<OrganisationReason | typeof parentNotNamed>, uuid: string): Organisation {
  const parent = company(asked, uuid, 'parentOrganisationId')
  if (parent.parentId === null) return parent
  throw asked.refuse(
    parentNotNamed,
    `parentOrganisationId: must be the id of a parent organisation, got that of the sub-account "${parent.name}"`,
    'parentOrganisationId must be the id of a parent organisation',
  )
}

const allocationRequest = request({
  id: 'AllocationRequest',
  basis: 'specified',
  fields: ({ amount, asText }) => ({
    fromOrganisationId: asText(
      uuid('specified', 'Whose wallet is debited: the caller or one of its sub-accounts.', { required: UNMARKED }),
    ),
    toOrganisationId: asText(
      uuid('specified', 'Whose wallet is credited: the caller or one of its sub-accounts.', { required: UNMARKED }),
    ),
    amount: amount('specified', 'Kenyan shillings.', { required: UNMARKED }),
  }),
  rules: () => [
    {
      field: 'toOrganisationId',
      differsFrom: 'fromOrganisationId',
      expected: 'must be another organisation than fromOrganisationId',
      ground: 'convention: an allocation to oneself',
    },
  ],
})

type AllocationRequest = z.infer<typeof allocationRequest>

/** Specified; order published. */
const allocationResult = record<AllocationRequest>('AllocationResult', 'specified', {
  status: shared(
    schemaField('specified', 'The money has moved.', z.literal('SUCCESS'), { const: 'specified' }),
    () => 'SUCCESS',
  ),
  requestId: shared(uuid('specified', 'The allocationId.'), 'uuid'),
  amount: shared(answered.floatAmount, ({ payment }) => float(payment.amountMinor)),
})

const allocationRecord = record<AllocationRequest>('AllocationRecord', 'published', {
  status: shared(
    schemaField(
      'published',
      'SUCCESS; a cancelled one shows CANCELLED or SUCCESS: assumption cancelled-allocation-status.',
      z.enum(['SUCCESS', 'CANCELLED']),
      { enum: 'cancelled-allocation-status' },
    ),
    ({ view, payment }) => (chosen(view)['cancelled-allocation-status'] === 'SUCCESS' ? 'SUCCESS' : payment.status),
  ),
  requestId: shared(uuid('published', 'The allocationId.'), 'uuid'),
  amount: shared(publishedField.floatAmount, ({ payment }) => float(payment.amountMinor)),
})

const allocationListAnswer = envelope(200, 'All of them', 'SUCCESS', z.array(allocationRecord.schema), 'published')

const CANCELLED = 'Allocation cancelled successfully'
const cancelText = schemaField('published', 'A plain text.', z.literal(CANCELLED), { const: 'published' })

const cancelQuery = request({
  fields: () => ({
    allocationId: uuid('published', 'The requestId of the allocation.', { required: 'published' }),
  }),
})
const adminQuery = listQuery(
  request({
    fields: () => ({
      parentOrganisationId: uuid('published', 'The parent whose allocations are listed.', { required: 'published' }),
    }),
  }),
)

const cancelledAlready = reason(
  'resource',
  'REQ_BAD_REQUEST',
  'an allocation is cancelled a second time',
  'convention: a second cancel of an allocation',
)

/** The maker and its parent may cancel an allocation. For others it does not exist. */
function cancels(kind: Kind): Operation {
  return operation({
    id: 'cancelAllocation',
    method: 'get',
    path: '/api/sandbox/v1/allocations/single/cancel',
    tag: 'Allocations',
    summary: 'Cancel one allocation',
    description: 'A GET that moves money: what was allocated goes back, if the receiver still has it.',
    source: 'published virtual/admin-cancel-sub-accounts-allocation',
    query: cancelQuery,
    answer: envelope(200, 'Cancelled', 'SUCCESS', cancelText, 'published'),
    refuses: [subscriptionNeeded, paymentUnknown, cancelledAlready, commonReasons.fundsShort, commonReasons.booksFull],
    handle: (call) => {
      const { core, query, refuse } = call
      requireSubscription(call)
      const allocation = findOwn(call, kind, query.allocationId, 'allocationId')
      if (allocation.status === 'CANCELLED') {
        throw refuse(
          cancelledAlready,
          `allocationId: allocation "${allocation.uuid}" is cancelled already`,
          'allocationId must be the id of an allocation that is not cancelled',
        )
      }
      perform(core, { command: 'signal-payment', uuid: allocation.uuid, event: 'CANCEL', by: 'request' })
      return enveloped('SUCCESS', CANCELLED)
    },
  })
}

export const allocation = allocationKind(
  {
    name: 'allocation',
    phrase: 'an allocation',
    tag: 'Allocations',
    noun: 'Allocation',
    base: '/api/sandbox/v1/allocations',
    // The doubled segment is as published.
    made: '/api/sandbox/v1/allocations/allocations/org/all',
    summary: 'Move funds to a sub-account',
    pages: {
      create: 'new-allocations',
      made: 'all-sub-accounts-allocation',
      admin: 'admin-sub-accounts-allocation',
      received: 'sub-accounts-allocations',
    },
    takesFrom: 'parent',
    bySubAccounts: ['both'],
    example: { fromOrganisationId: EXAMPLE_COMPANY, toOrganisationId: EXAMPLE_UUID, amount: 10_000 },
    // No source shows one that is cancelled on its own, and its word in lists is an assumption.
    notEnds: { CANCELLED: 'Only a request cancels one: GET /api/sandbox/v1/allocations/single/cancel.' },
  },
  (kind) => [cancels(kind)],
)

export const deAllocation = allocationKind({
  name: 'de-allocation',
  phrase: 'a de-allocation',
  tag: 'De-allocations',
  noun: 'Deallocation',
  base: '/api/sandbox/v1/de-allocations',
  made: '/api/sandbox/v1/de-allocations/org/all',
  summary: 'Move funds back from a sub-account',
  pages: {
    create: 'new-deallocation',
    made: 'all-sub-accounts-deallocation',
    admin: 'admin-sub-accounts-deallocation',
    received: 'sub-accounts-deallocations',
  },
  takesFrom: 'sub-account',
  bySubAccounts: ['de-allocations', 'both'],
  example: { fromOrganisationId: EXAMPLE_UUID, toOrganisationId: EXAMPLE_COMPANY, amount: 10_000 },
})

import type { Core } from '../../../engine/core.ts'
import { perform } from '../../../engine/perform.ts'
import { operation } from '../../../http/operation.ts'
import { asPlanned } from '../../../http/response-fault.ts'
import { toMinor } from '../../../model/money.ts'
import type { JsonObject, Organisation, Payment } from '../../../model/payment.ts'
import { Refusal } from '../../../model/refusal.ts'
import { requireSubscription } from '../../parents.ts'
import { company, enveloped, listedWhere, visibleTo } from '../../reads.ts'
import { allocationRecord, allocationResult } from './record.ts'
import {
  adminQuery,
  allocationAnswer,
  allocationListAnswer,
  allocationRequest,
  cancelAnswer,
  cancelQuery,
} from './schema.ts'

type AllocationKind = 'allocation' | 'de-allocation'

/** What is told apart by kind: the same operations exist for allocations and for de-allocations. */
const families = {
  allocation: {
    tag: 'Allocations',
    noun: 'Allocation',
    base: '/api/sandbox/v1/allocations',
    // The doubled segment is as published.
    made: '/api/sandbox/v1/allocations/allocations/org/all',
    pages: {
      create: 'new-allocations',
      made: 'all-sub-accounts-allocation',
      admin: 'admin-sub-accounts-allocation',
      received: 'sub-accounts-allocations',
    },
  },
  'de-allocation': {
    tag: 'De-allocations',
    noun: 'Deallocation',
    base: '/api/sandbox/v1/de-allocations',
    made: '/api/sandbox/v1/de-allocations/org/all',
    pages: {
      create: 'new-deallocation',
      made: 'all-sub-accounts-deallocation',
      admin: 'admin-sub-accounts-deallocation',
      received: 'sub-accounts-deallocations',
    },
  },
} as const

function operationsOf(kind: AllocationKind) {
  const { tag, noun, base, made, pages } = families[kind]
  const list = {
    method: 'get',
    tag,
    basis: 'published',
    auth: 'bearer',
    answer: { status: 200, description: 'All of them', schema: allocationListAnswer },
  } as const

  const create = operation({
    id: `create${noun}`,
    method: 'post',
    path: `${base}/new`,
    tag,
    summary: kind === 'allocation' ? 'Move funds to a sub-account' : 'Move funds back from a sub-account',
    description: 'Both wallets change at once.',
    basis: 'specified',
    source: `specification, Sub-accounts; published virtual/${pages.create}`,
    auth: 'bearer',
    body: allocationRequest,
    answer: { status: 201, description: 'Done', schema: allocationAnswer },
    handle: ({ core, caller, body }) => {
      requireSubscription(core, caller)
      company(core, caller, body.fromOrganisationId, 'fromOrganisationId')
      const receiver = company(core, caller, body.toOrganisationId, 'toOrganisationId')
      const { payment, replayed } = perform(core, {
        command: 'open-payment',
        kind,
        organisationId: caller.id,
        counterpartyId: receiver.id,
        currency: 'KES',
        amountMinor: toMinor(body.amount) as number,
        request: body as JsonObject,
      })
      return { ...enveloped(201, 'Created Successfully', allocationResult(payment)), ...asPlanned(payment, replayed) }
    },
  })

  const listMade = operation({
    ...list,
    id: `list${noun}s`,
    path: made,
    summary: `List the ${kind}s that the caller made`,
    source: `published virtual/${pages.made}`,
    handle: ({ core, caller }) => {
      requireSubscription(core, caller)
      return listedWhere(core, 'SUCCESS', { kinds: [kind], organisationIds: [caller.id] }, (payment) =>
        allocationRecord(core, payment),
      )
    },
  })

  const listForAdmin = operation({
    ...list,
    id: `list${noun}sOfParent`,
    path: `${base}/org/all/admins`,
    summary: `List all ${kind}s of a parent and its sub-accounts`,
    source: `published virtual/${pages.admin}`,
    query: adminQuery,
    handle: ({ core, caller, query }) => {
      requireSubscription(core, caller)
      const organisationIds = visibleTo(core, parentNamed(core, caller, query.parentOrganisationId))
      return listedWhere(core, 'SUCCESS', { kinds: [kind], organisationIds }, (payment) =>
        allocationRecord(core, payment),
      )
    },
  })

  const listReceived = operation({
    ...list,
    id: `listReceived${noun}s`,
    path: `${base}/sub/org/all`,
    summary: `List the ${kind}s that were made to the caller`,
    source: `published virtual/${pages.received} (unlisted)`,
    only: { assumption: 'unlisted-operations', is: 'on' },
    handle: ({ core, caller }) => {
      requireSubscription(core, caller)
      return listedWhere(core, 'SUCCESS', { kinds: [kind], counterpartyId: caller.id }, (payment) =>
        allocationRecord(core, payment),
      )
    },
  })

  return { create, lists: [listMade, listForAdmin, listReceived] }
}

const cancel = operation({
  id: 'cancelAllocation',
  method: 'get',
  path: `${families.allocation.base}/single/cancel`,
  tag: families.allocation.tag,
  summary: 'Cancel one allocation',
  description: 'A GET that moves money: what was allocated goes back, if the receiver still has it.',
  basis: 'published',
  source: 'published virtual/admin-cancel-sub-accounts-allocation',
  auth: 'bearer',
  query: cancelQuery,
  answer: { status: 200, description: 'Cancelled', schema: cancelAnswer },
  refuses: [402],
  handle: ({ core, caller, query }) => {
    requireSubscription(core, caller)
    const allocation = findAllocation(core, caller, query.allocationId)
    if (allocation.status !== 'CANCELLED') {
      perform(core, { command: 'signal-payment', uuid: allocation.uuid, event: 'CANCEL', by: 'request' })
    } else if (core.scenario.assumptions['second-cancel'] === 'refuse') {
      throw new Refusal('REQ_BAD_REQUEST', `allocationId: allocation "${allocation.uuid}" is cancelled already`, {
        fields: [
          { field: 'allocationId', message: 'allocationId must be the id of an allocation that is not cancelled' },
        ],
      })
    }
    return enveloped(200, 'SUCCESS', 'Allocation cancelled successfully')
  },
})

/** Who made an allocation may cancel it, and its parent; another's looks as if it did not exist. */
function findAllocation(core: Core, caller: Organisation, uuid: string): Payment {
  const payment = core.store.payments.byUuid(uuid)
  if (payment?.kind === 'allocation' && visibleTo(core, caller).includes(payment.organisationId)) return payment
  throw new Refusal('RESOURCE_NOT_FOUND', `allocationId: no allocation of yours has the id "${uuid}"`, {
    fields: [{ field: 'allocationId', message: 'allocationId must be the id of an allocation of yours' }],
  })
}

function parentNamed(core: Core, caller: Organisation, uuid: string): Organisation {
  const parent = company(core, caller, uuid, 'parentOrganisationId')
  if (parent.parentId === null) return parent
  throw new Refusal(
    'REQ_INVALID_FIELD',
    `parentOrganisationId: must be the id of a parent organisation, got that of the sub-account "${parent.name}"`,
    {
      fields: [
        { field: 'parentOrganisationId', message: 'parentOrganisationId must be the id of a parent organisation' },
      ],
    },
  )
}

const allocations = operationsOf('allocation')
const deallocations = operationsOf('de-allocation')

/** Funds between the wallets of a parent and its sub-accounts. */
export const allocationOperations = [
  allocations.create,
  deallocations.create,
  cancel,
  ...allocations.lists,
  ...deallocations.lists,
]

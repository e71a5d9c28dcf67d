/** Moves money between a parent and its sub-accounts. Both directions have the same operations. */

import { transferMachine } from '../../core/machines.ts'
import type { JsonObject, Organisation } from '../../core/model/payment.ts'
import { published } from '../../core/model/refusal-reasons.ts'
import type { View } from '../../core/model/view.ts'
import { type Asked, operation } from '../../http/operation.ts'
import { type Chosen, chosen, reason } from '../assumed/assumptions.ts'
import { enveloped, listedWhere, listQuery } from '../declared/answers.ts'
import { company, type OrganisationReason, organisationReasons, relative, visibleTo } from '../declared/find.ts'
import { opens } from '../declared/opens.ts'
import { requireSubscription, subscriptionNeeded } from '../declared/parents.ts'
import type { OfKind } from '../declared/payment-kind.ts'
import {
  type AllocationRequest,
  adminQuery,
  allocationAnswer,
  allocationListAnswer,
  allocationRequest,
} from './allocation-contract.ts'
import { allocationRecord, allocationResult } from './allocation-record.ts'

export interface AllocationFamily {
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
}

const allocationDirection = reason(
  'resource',
  'REQ_INVALID_FIELD',
  'an allocation takes from a sub-account, or a de-allocation from a parent',
  'allocation-direction',
  'as-named',
)
const parentNotNamed = reason('resource', 'REQ_INVALID_FIELD', 'a sub-account is named for a parent', published)

export function allocationKind(name: string) {
  return {
    name,
    direction: 'between',
    machine: transferMachine(name),
    request: allocationRequest,
    party: null,
    ends: ['SUCCESS'],
    fields: {},
    opening: ({ store }: View, { fromOrganisationId, toOrganisationId }: AllocationRequest): JsonObject => ({
      fromOrganisation: store.organisations.byUuid(fromOrganisationId)?.id ?? null,
      toOrganisation: store.organisations.byUuid(toOrganisationId)?.id ?? null,
    }),
  } as const
}

export function creates({
  tag,
  noun,
  base,
  summary,
  pages,
  example,
  bySubAccounts,
  takesFrom,
}: AllocationFamily): OfKind {
  return opens({
    id: `create${noun}`,
    path: `${base}/new`,
    tag,
    summary,
    description: 'Both wallets change at once.',
    basis: 'specified',
    source: `specification, Sub-accounts; published virtual/${pages.create}`,
    body: allocationRequest,
    answer: { status: 201, description: 'Done', schema: allocationAnswer },
    example: () => example,
    refuses: [subscriptionNeeded, allocationDirection, ...organisationReasons],
    ask: (call) => {
      const { core, body } = call
      requireSubscription(call)
      const from = company(call, body.fromOrganisationId, 'fromOrganisationId')
      requireDirection(call, from, takesFrom)
      const receiver = bySubAccounts.includes(chosen(core)['allocation-callers']) ? relative : company
      return { counterpartyId: receiver(call, body.toOrganisationId, 'toOrganisationId').id }
    },
    accepted: (payment) => enveloped(201, 'Created Successfully', allocationResult(payment)),
  })
}

function requireDirection(
  { core, refuse }: Asked<typeof allocationDirection>,
  from: Organisation,
  takesFrom: AllocationFamily['takesFrom'],
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

export function lists({ tag, noun, base, made, pages }: AllocationFamily): OfKind[] {
  const list = {
    method: 'get',
    tag,
    basis: 'published',
    auth: 'bearer',
    answer: { status: 200, description: 'All of them', schema: allocationListAnswer },
  } as const
  return [
    ({ name }) =>
      operation({
        ...list,
        id: `list${noun}s`,
        path: made,
        summary: `List the ${name}s that the caller made`,
        source: `published virtual/${pages.made}`,
        query: listQuery({}),
        refuses: [subscriptionNeeded],
        handle: (call) => {
          const { core, caller, query } = call
          requireSubscription(call)
          const wanted = { kinds: [name], organisationIds: [caller.id] }
          return listedWhere(core, 'SUCCESS', { wanted, query }, (payment) => allocationRecord(core, payment))
        },
      }),
    ({ name }) =>
      operation({
        ...list,
        id: `list${noun}sOfParent`,
        path: `${base}/org/all/admins`,
        summary: `List all ${name}s of a parent and its sub-accounts`,
        source: `published virtual/${pages.admin}`,
        query: adminQuery,
        refuses: [subscriptionNeeded, parentNotNamed, ...organisationReasons],
        handle: (call) => {
          const { core, query } = call
          requireSubscription(call)
          const organisationIds = visibleTo(core, parentNamed(call, query.parentOrganisationId))
          const asked = { wanted: { kinds: [name], organisationIds }, query }
          return listedWhere(core, 'SUCCESS', asked, (payment) => allocationRecord(core, payment))
        },
      }),
    ({ name }) =>
      operation({
        ...list,
        id: `listReceived${noun}s`,
        path: `${base}/sub/org/all`,
        summary: `List the ${name}s that were made to the caller`,
        source: `published virtual/${pages.received} (unlisted)`,
        only: { assumption: 'unlisted-operations', is: 'on' },
        query: listQuery({}),
        refuses: [subscriptionNeeded],
        handle: (call) => {
          const { core, caller, query } = call
          requireSubscription(call)
          const wanted = { kinds: [name], counterpartyId: caller.id }
          return listedWhere(core, 'SUCCESS', { wanted, query }, (payment) => allocationRecord(core, payment))
        },
      }),
  ]
}

function parentNamed(asked: Asked<OrganisationReason | typeof parentNotNamed>, uuid: string): Organisation {
  const parent = company(asked, uuid, 'parentOrganisationId')
  if (parent.parentId === null) return parent
  throw asked.refuse(
    parentNotNamed,
    `parentOrganisationId: must be the id of a parent organisation, got that of the sub-account "${parent.name}"`,
    'parentOrganisationId must be the id of a parent organisation',
  )
}

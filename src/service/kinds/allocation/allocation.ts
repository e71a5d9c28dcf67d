/** Moves money from a parent's wallet to a sub-account's. */
import { kind } from '../../declared/payment-kind.ts'
import { type AllocationFamily, allocationKind, creates, lists } from '../../families/allocations.ts'
import { EXAMPLE_COMPANY, EXAMPLE_UUID } from '../../requests/example-values.ts'
import { cancels } from './cancel.ts'

const family: AllocationFamily = {
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
}

export const allocation = kind({
  ...allocationKind('allocation'),
  phrase: 'an allocation',
  // No source shows one that is cancelled on its own, and its word in lists is an assumption.
  notEnds: { CANCELLED: 'Only a request cancels one: GET /api/sandbox/v1/allocations/single/cancel.' },
  operations: [creates(family), cancels, ...lists(family)],
})

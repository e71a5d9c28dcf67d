/** Moves money from a sub-account's wallet back to its parent's. */
import { kind } from '../declared/payment-kind.ts'
import { EXAMPLE_COMPANY, EXAMPLE_UUID } from '../requests/request.ts'
import { type AllocationFamily, allocationKind, creates, lists } from './allocation.ts'

const family: AllocationFamily = {
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
}

export const deAllocation = kind({
  ...allocationKind('de-allocation'),
  phrase: 'a de-allocation',
  operations: [creates(family), ...lists(family)],
})

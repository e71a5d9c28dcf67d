/** Cancelling an allocation: a GET that moves money. */
import type { Kind } from '../../../core/model/kind.ts'
import { commonReasons } from '../../../core/model/refusal-reasons.ts'
import { perform } from '../../../core/perform.ts'
import { type Operation, operation } from '../../../http/operation.ts'
import { reason } from '../../assumed/assumptions.ts'
import { enveloped } from '../../declared/answers.ts'
import { findOwn, paymentUnknown } from '../../declared/find.ts'
import { requireSubscription, subscriptionNeeded } from '../../declared/parents.ts'
import { cancelAnswer, cancelQuery } from '../../families/allocation-contract.ts'

const cancelledAlready = reason(
  'resource',
  'REQ_BAD_REQUEST',
  'an allocation is cancelled a second time',
  'convention: a second cancel of an allocation',
)

/** The maker and its parent may cancel an allocation. For others it does not exist. */
export function cancels(kind: Kind): Operation {
  return operation({
    id: 'cancelAllocation',
    method: 'get',
    path: '/api/sandbox/v1/allocations/single/cancel',
    tag: 'Allocations',
    summary: 'Cancel one allocation',
    description: 'A GET that moves money: what was allocated goes back, if the receiver still has it.',
    basis: 'published',
    source: 'published virtual/admin-cancel-sub-accounts-allocation',
    auth: 'bearer',
    query: cancelQuery,
    answer: { status: 200, description: 'Cancelled', schema: cancelAnswer },
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
      return enveloped(200, 'SUCCESS', 'Allocation cancelled successfully')
    },
  })
}

/** Cancelling an allocation: a GET that moves money. */
import type { Core } from '../../../core/core.ts'
import type { Kind } from '../../../core/model/kind.ts'
import type { Organisation, Payment } from '../../../core/model/payment.ts'
import { refused } from '../../../core/model/refusal-reasons.ts'
import { perform } from '../../../core/perform.ts'
import { type Operation, operation } from '../../../http/operation.ts'
import { enveloped } from '../../declared/answers.ts'
import { visibleTo } from '../../declared/find.ts'
import { requireSubscription } from '../../declared/parents.ts'
import { cancelAnswer, cancelQuery } from '../../families/allocation-contract.ts'
import { serviceReasons } from '../../requests/service-reasons.ts'

export function cancels({ name }: Kind): Operation {
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
    refuses: [402],
    handle: ({ core, caller, query }) => {
      requireSubscription(core, caller)
      const allocation = findAllocation(core, caller, name, query.allocationId)
      if (allocation.status === 'CANCELLED') {
        throw refused(
          serviceReasons.cancelledAlready,
          `allocationId: allocation "${allocation.uuid}" is cancelled already`,
          {
            fields: [
              { field: 'allocationId', message: 'allocationId must be the id of an allocation that is not cancelled' },
            ],
          },
        )
      }
      perform(core, { command: 'signal-payment', uuid: allocation.uuid, event: 'CANCEL', by: 'request' })
      return enveloped(200, 'SUCCESS', 'Allocation cancelled successfully')
    },
  })
}

/** The maker and its parent may cancel an allocation. For others it does not exist. */
function findAllocation(core: Core, caller: Organisation, kind: string, uuid: string): Payment {
  const payment = core.store.payments.byUuid(uuid)
  if (payment?.kind === kind && visibleTo(core, caller).includes(payment.organisationId)) return payment
  throw refused(serviceReasons.paymentUnknown, `allocationId: no allocation of yours has the id "${uuid}"`, {
    fields: [{ field: 'allocationId', message: 'allocationId must be the id of an allocation of yours' }],
  })
}

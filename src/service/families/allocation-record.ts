/** Records of allocations and de-allocations. */
import type { Payment } from '../../core/model/payment.ts'
import type { View } from '../../core/model/view.ts'
import { float } from '../../core/model/wire.ts'
import { chosen } from '../assumed/assumptions.ts'

type Allocation = Pick<Payment, 'uuid' | 'amountMinor' | 'status'>

/** Specified; order published. */
export function allocationResult(payment: Allocation) {
  return { status: 'SUCCESS', requestId: payment.uuid, amount: float(payment.amountMinor) }
}

/** Under `cancelled-allocation-status`, lists show that it was cancelled. */
export function allocationRecord(view: View, payment: Allocation) {
  const hidden = chosen(view)['cancelled-allocation-status'] === 'SUCCESS'
  return { ...allocationResult(payment), status: hidden ? 'SUCCESS' : payment.status }
}

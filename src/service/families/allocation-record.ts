/** What is said of an allocation or de-allocation. */
import type { Payment } from '../../core/model/payment.ts'
import type { View } from '../../core/model/view.ts'
import { float } from '../../core/model/wire.ts'
import { chosen } from '../assumed/assumptions.ts'

type Allocation = Pick<Payment, 'uuid' | 'amountMinor' | 'status'>

/** The result of an allocation or de-allocation. Specified; order published. */
export function allocationResult(payment: Allocation) {
  return { status: 'SUCCESS', requestId: payment.uuid, amount: float(payment.amountMinor) }
}

/** The record as a list has it, where a cancelled one may say so: assumption `cancelled-allocation-status`. */
export function allocationRecord(view: View, payment: Allocation) {
  const hidden = chosen(view)['cancelled-allocation-status'] === 'SUCCESS'
  return { ...allocationResult(payment), status: hidden ? 'SUCCESS' : payment.status }
}

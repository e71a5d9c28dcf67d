import type { Payment } from '../../../model/payment.ts'
import { float } from '../../../model/wire.ts'
import type { View } from '../../view.ts'

/** The result of an allocation or de-allocation. Specified; order published. */
export function allocationResult(payment: Payment) {
  return { status: 'SUCCESS', requestId: payment.uuid, amount: float(payment.amountMinor) }
}

/** The record as a list has it, where a cancelled one may say so: assumption `cancelled-allocation-status`. */
export function allocationRecord(view: View, payment: Payment) {
  const hidden = view.scenario.assumptions['cancelled-allocation-status'] === 'SUCCESS'
  return { ...allocationResult(payment), status: hidden ? 'SUCCESS' : payment.status }
}

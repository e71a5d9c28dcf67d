/** Records of paybill payments. */
import type { Payment } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { touched } from '../../declared/record-parts.ts'
import { shortCodeFields, type ToShortCode } from '../../families/short-code-record.ts'

/** `responseDescription` comes before the receipt. Published order. */
export function paybillRecord(view: View, payment: Payment<ToShortCode>) {
  const { transactionReceipt, responseDescription, ...rest } = shortCodeFields(
    view,
    touched(view, payment),
    'six-digits',
  )
  return { ...rest, responseDescription, transactionReceipt }
}

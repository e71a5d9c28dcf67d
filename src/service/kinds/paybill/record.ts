/** The record of a paybill payment. */
import type { Payment } from '../../../model/payment.ts'
import type { View } from '../../../model/view.ts'
import { shortCodeFields, type ToShortCode } from '../../families/short-code-record.ts'
import { touched } from '../../record-parts.ts'

/** `responseDescription` comes before the receipt. Published order. */
export function paybillRecord(view: View, payment: Payment<ToShortCode>) {
  const { transactionReceipt, responseDescription, ...rest } = shortCodeFields(
    view,
    touched(view, payment, true),
    'six-digits',
  )
  return { ...rest, responseDescription, transactionReceipt }
}

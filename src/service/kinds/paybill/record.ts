/** The record of a paybill payment. */
import type { Payment } from '../../../model/payment.ts'
import type { View } from '../../../model/view.ts'
import { shortCodeFields, type ToShortCode } from '../../families/short-code-record.ts'
import { timestamp } from '../../record-parts.ts'

/** `responseDescription` comes before the receipt. Published order. */
export function paybillRecord(view: View, payment: Payment<ToShortCode>) {
  const { transactionReceipt, responseDescription, ...rest } = shortCodeFields(view, payment, timestamp)
  return { ...rest, responseDescription, transactionReceipt }
}

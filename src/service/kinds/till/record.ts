/** The record of a till payment. */
import type { Payment } from '../../../model/payment.ts'
import type { View } from '../../../model/view.ts'
import { shortCodeFields, type ToShortCode } from '../../families/short-code-record.ts'
import { touched } from '../../record-parts.ts'

/** `responseDescription` comes last. Published order. */
export function tillRecord(view: View, payment: Payment<ToShortCode>) {
  const { responseDescription, ...rest } = shortCodeFields(view, touched(view, payment, false), 'zeros-dropped')
  return { ...rest, responseDescription }
}

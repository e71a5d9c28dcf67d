/** Records of till payments. */
import type { Payment } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { shortCodeFields, type ToShortCode } from '../../families/short-code-record.ts'

/** `responseDescription` comes last. Published order. */
export function tillRecord(view: View, payment: Payment<ToShortCode>) {
  const { responseDescription, ...rest } = shortCodeFields(view, payment, 'zeros-dropped')
  return { ...rest, responseDescription }
}

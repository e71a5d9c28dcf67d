/** Records of payouts and collections in Tanzania. */
import type { Payment } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { chosen } from '../../assumed/assumptions.ts'
import type { SendMoneyRequest } from '../../kinds/send-money/contract.ts'
import { sendMoneyRecord } from '../../kinds/send-money/record.ts'
import type { StkRequest } from '../../kinds/stk/contract.ts'
import { stkRecord } from '../../kinds/stk/record.ts'

/** The record of mobile money payouts. Specified. */
export function tanzaniaPayoutRecord(view: View, payment: Payment<SendMoneyRequest>) {
  return { ...sendMoneyRecord(view, payment), status: statusWord(view, payment) }
}

/** The record of STK collections. Specified. */
export function tanzaniaCollectionRecord(view: View, payment: Payment<StkRequest>) {
  return { ...stkRecord(view, payment), status: statusWord(view, payment) }
}

/** A pending payment has been accepted by the operator, and which word says so is assumed (`tz-status-word`). */
function statusWord(view: View, payment: Pick<Payment, 'status'>): string {
  return payment.status === 'PENDING' ? chosen(view)['tz-status-word'] : payment.status
}

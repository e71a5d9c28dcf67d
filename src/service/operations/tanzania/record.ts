/** What is said of payouts and collections in Tanzania. */
import type { Payment } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { chosen } from '../../assumed/assumptions.ts'
import type { SendMoneyRequest } from '../../kinds/send-money/contract.ts'
import { sendMoneyRecord } from '../../kinds/send-money/record.ts'
import type { StkRequest } from '../../kinds/stk/contract.ts'
import { stkRecord } from '../../kinds/stk/record.ts'

/** A Tanzania payout: the mobile money payout record. Specified. */
export function tanzaniaPayoutRecord(view: View, payment: Payment<SendMoneyRequest>) {
  return { ...sendMoneyRecord(view, payment), status: statusWord(view, payment) }
}

/** A Tanzania collection: the STK record. Specified. */
export function tanzaniaCollectionRecord(view: View, payment: Payment<StkRequest>) {
  return { ...stkRecord(view, payment), status: statusWord(view, payment) }
}

/** A pending payment has been accepted by the operator; which word says so is assumed (`tz-status-word`). */
function statusWord(view: View, payment: Pick<Payment, 'status'>): string {
  return payment.status === 'PENDING' ? chosen(view)['tz-status-word'] : payment.status
}

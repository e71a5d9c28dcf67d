import type { Payment } from '../../../model/payment.ts'
import { sendMoneyRecord } from '../../kinds/send-money/record.ts'
import { stkRecord } from '../../kinds/stk/record.ts'
import type { View } from '../../view.ts'

/** A Tanzania payout: the mobile money payout record. Specified. */
export function tanzaniaPayoutRecord(view: View, payment: Payment) {
  return { ...sendMoneyRecord(view, payment), status: statusWord(view, payment) }
}

/** A Tanzania collection: the STK record. Specified. */
export function tanzaniaCollectionRecord(view: View, payment: Payment) {
  return { ...stkRecord(view, payment), status: statusWord(view, payment) }
}

/** A pending payment has been accepted by the operator; which word says so is assumed (`tz-status-word`). */
function statusWord(view: View, payment: Payment): string {
  return payment.status === 'PENDING' ? view.scenario.assumptions['tz-status-word'] : payment.status
}

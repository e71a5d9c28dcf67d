import type { Payment, PaymentKind } from '../model/payment.ts'
import { bankCollectionRecord } from '../service/kinds/bank-collection/record.ts'
import { bankPayoutCallback, verificationCallback } from '../service/kinds/bank-payout/record.ts'
import { checkoutCallback } from '../service/kinds/checkout/record.ts'
import { sendMoneyStatus } from '../service/kinds/send-money/record.ts'
import { stkCallback } from '../service/kinds/stk/record.ts'
import { shortCodeStatus } from '../service/short-code-record.ts'
import type { View } from '../service/view.ts'

type Body = (view: View, payment: Payment) => object

const bodies: Partial<Record<PaymentKind, Body>> = {
  'send-money': (_view, payment) => sendMoneyStatus(payment),
  till: (_view, payment) => shortCodeStatus(payment),
  paybill: (_view, payment) => shortCodeStatus(payment),
  'bank-payout': bankPayoutCallback,
  'account-verification': (_view, payment) => verificationCallback(payment),
  stk: (_view, payment) => stkCallback(payment),
  checkout: checkoutCallback,
  'bank-collection': bankCollectionRecord,
}

/** What a callback says of a payment as it is now, key by key as published. */
export function callbackBody(view: View, payment: Payment): object {
  const body = bodies[payment.kind]
  if (!body) throw new Error(`No callback is defined for ${payment.kind}`)
  return body(view, payment)
}

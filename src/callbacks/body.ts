import type { Payment, PaymentKind } from '../model/payment.ts'
import { bankCollectionRecord } from '../records/bank-collection.ts'
import { bankPayoutCallback, verificationCallback } from '../records/bank-payout.ts'
import { checkoutCallback } from '../records/checkout.ts'
import { sendMoneyStatus } from '../records/send-money.ts'
import { shortCodeStatus } from '../records/short-code.ts'
import { stkCallback } from '../records/stk.ts'
import type { View } from '../records/view.ts'

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

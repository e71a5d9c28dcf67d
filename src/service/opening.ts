import type { PaymentKind } from '../model/payment.ts'

/** The operation that begins a payment of each kind. A bank collection begins outside of the service. */
export const openingOperation: Readonly<Record<PaymentKind, string | undefined>> = {
  'send-money': 'createSendMoney',
  till: 'createTillPayment',
  paybill: 'createPaybillPayment',
  'bank-payout': 'createBankPayout',
  'account-verification': 'verifyBankAccount',
  stk: 'createStkCollection',
  'bank-collection': undefined,
  checkout: 'createCheckoutSession',
  allocation: 'createAllocation',
  'de-allocation': 'createDeallocation',
}

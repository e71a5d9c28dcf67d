import type { Payment } from '../../../model/payment.ts'
import { float } from '../../../model/wire.ts'
import { organisationSummary, timestampTrimmed, type View } from '../../view.ts'

/** The answer to POST send-money. Specified. */
export function sendMoneyAccepted(payment: Payment) {
  return {
    requestId: payment.uuid,
    amount: float(payment.amountMinor),
    phoneNumber: payment.request['phoneNumber'] as string,
    status: 'PENDING',
  }
}

/** `send-money/status`, and the callback: the same keys in the same order. Published. */
export function sendMoneyStatus(payment: Payment) {
  return {
    requestId: payment.uuid,
    phoneNumber: payment.request['phoneNumber'] as string,
    status: payment.status,
    amount: float(payment.amountMinor),
  }
}

/** The mobile money payout record, also of Tanzania payouts. Fields specified, key order published. */
export function sendMoneyRecord(view: View, payment: Payment) {
  const { request, details } = payment
  return {
    id: payment.id,
    amount: float(payment.amountMinor),
    uuid: payment.uuid,
    organisation: organisationSummary(view, payment.organisationId),
    phoneNumber: request['phoneNumber'],
    // TZS and UGX payouts carry a narration where KSH ones carry remarks; the record has one field for both. Assumed.
    remarks: request['remarks'] ?? request['narration'] ?? '',
    occasion: request['occasion'] ?? null,
    originatorConversationId: view.chance.uuid('originator', payment.seq),
    conversationId: details['conversationId'] ?? '',
    callbackUrl: payment.callbackUrl ?? '',
    createdAt: timestampTrimmed(view, payment.createdAtUs),
    updatedAt: timestampTrimmed(view, payment.updatedAtUs),
    status: payment.status,
    responseCode: details['responseCode'] ?? 0,
    receiverName: details['receiverName'] ?? null,
    transactionReceipt: details['transactionReceipt'] ?? null,
  }
}

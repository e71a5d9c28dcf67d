/** Records of mobile money payouts. */
import type { JsonObject, Payment } from '../../../core/model/payment.ts'
import { receiptOf } from '../../../core/model/receipt.ts'
import type { View } from '../../../core/model/view.ts'
import { float } from '../../../core/model/wire.ts'
import { organisationSummary, reported, timestamps } from '../../declared/record-parts.ts'
import type { SendMoneyRequest } from './contract.ts'

export type SendMoney = Payment<SendMoneyRequest>

/** Specified. */
export function sendMoneyAccepted(payment: SendMoney) {
  return {
    requestId: payment.uuid,
    amount: float(payment.amountMinor),
    phoneNumber: payment.request.phoneNumber,
    status: 'PENDING',
  }
}

/** For `send-money/status` and the callback. Published. */
export function sendMoneyStatus(payment: SendMoney) {
  return {
    requestId: payment.uuid,
    phoneNumber: payment.request.phoneNumber,
    status: payment.status,
    amount: float(payment.amountMinor),
  }
}

/** Also of Tanzania payouts. Fields specified, key order published. */
export function sendMoneyRecord(view: View, payment: SendMoney) {
  const { request } = payment
  const details = reported(view, payment)
  return {
    id: payment.id,
    amount: float(payment.amountMinor),
    uuid: payment.uuid,
    organisation: organisationSummary(view, payment.organisationId),
    phoneNumber: request.phoneNumber,
    // TZS and UGX payouts carry a narration where KSH ones carry remarks; the record has one field for both. Assumed.
    remarks: request.remarks ?? request.narration ?? '',
    occasion: request.occasion ?? null,
    originatorConversationId: view.ids.uuid('originator', payment.seq),
    conversationId: details['conversationId'] ?? '',
    callbackUrl: payment.callbackUrl ?? '',
    ...timestamps(view, payment, 'zeros-dropped'),
    status: payment.status,
    responseCode: details['responseCode'] ?? 0,
    receiverName: details['receiverName'] ?? null,
    transactionReceipt: details['transactionReceipt'] ?? null,
  }
}

/** The name that was sent stands for a number that the directory does not know. */
export function sendMoneyOutcome(view: View, payment: SendMoney): JsonObject {
  const name = view.scenario.directory.nameOf(payment.request.phoneNumber)
  return {
    receiverName: name === '' ? nameSent(payment) : name,
    transactionReceipt: receiptOf(view, payment),
  }
}

function nameSent({ request: { firstName, lastName, customerName } }: SendMoney): string {
  return [firstName, lastName].filter(Boolean).join(' ') || (customerName ?? '')
}

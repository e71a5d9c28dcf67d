import type { Payment } from '../model/payment.ts'
import { formatDate } from '../model/time.ts'
import { float } from '../model/wire.ts'
import { organisationSummary, timestamp, timestampTrimmed, type View } from './view.ts'

/** Till and paybill payments: money to a short code. */

const ACCEPTED = 'Accept the service request successfully.'

/** The answer to a creation. Specified. */
export function shortCodeAccepted(payment: Payment) {
  return {
    requestId: payment.uuid,
    accountNumber: accountNumber(payment),
    businessNumber: payment.request['businessNumber'] as string,
    amount: float(payment.amountMinor),
    status: 'PENDING',
  }
}

/** The status read, and the callback: the same keys in the same order. Specified; order published. */
export function shortCodeStatus(payment: Payment) {
  return {
    accountNumber: accountNumber(payment),
    businessNumber: payment.request['businessNumber'] as string,
    requestId: payment.uuid,
    amount: float(payment.amountMinor),
    status: payment.status,
  }
}

/** The till record: `responseDescription` comes last. Published order. */
export function tillRecord(view: View, payment: Payment) {
  const { responseDescription, ...rest } = fields(view, payment, timestampTrimmed)
  return { ...rest, responseDescription }
}

/** The paybill record: `responseDescription` comes before the receipt. Published order. */
export function paybillRecord(view: View, payment: Payment) {
  const { transactionReceipt, responseDescription, ...rest } = fields(view, payment, timestamp)
  return { ...rest, responseDescription, transactionReceipt }
}

function fields(view: View, payment: Payment, stamp: (view: View, atUs: number) => string) {
  const { request, details } = payment
  return {
    id: payment.id,
    amount: float(payment.amountMinor),
    uuid: payment.uuid,
    organisation: organisationSummary(view, payment.organisationId),
    accountNumber: accountNumber(payment),
    businessNumber: request['businessNumber'],
    remarks: request['remarks'],
    occasion: request['occasion'],
    originatorConversationId: view.chance.uuid('originator', payment.seq),
    conversationId: details['conversationId'] ?? conversationId(view, payment),
    callbackUrl: payment.callbackUrl ?? '',
    createdAt: stamp(view, payment.createdAtUs),
    updatedAt: stamp(view, payment.updatedAtUs),
    status: payment.status,
    responseCode: details['responseCode'] ?? 0,
    receiverName: details['receiverName'] ?? null,
    // The one failed record in the reference has null here, without a reason: a failure shows only in `status`.
    responseDescription: details['responseDescription'] ?? (payment.status === 'FAILED' ? null : ACCEPTED),
    transactionReceipt: details['transactionReceipt'] ?? null,
  }
}

/** A till needs no account: where none was sent it is printed empty. Assumed; the published sample shows a number from nowhere. */
function accountNumber(payment: Payment): string {
  return (payment.request['accountNumber'] as string | undefined) ?? ''
}

/** `AG_20230420_2010759fd5662ef6d054`: the operator's date and twenty hexadecimal digits. */
function conversationId(view: View, payment: Payment): string {
  const digits = view.chance.of('conversation', payment.seq).text(20, '0123456789abcdef')
  return `AG_${formatDate(payment.createdAtUs).replaceAll('-', '')}_${digits}`
}

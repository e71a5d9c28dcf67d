/** Records of till and paybill payments. */
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import { receiptOf } from '../../core/model/receipt.ts'
import type { View } from '../../core/model/view.ts'
import { float } from '../../core/model/wire.ts'
import { chosen } from '../assumed/assumptions.ts'
import { localDate, organisationSummary, reported, timestamps } from '../declared/record-parts.ts'

export interface ToShortCode {
  businessNumber: string
  accountNumber?: string | undefined
  remarks: string
  occasion: string
}

const ACCEPTED = 'Accept the service request successfully.'

/** Specified. */
export function shortCodeAccepted(payment: Payment<ToShortCode>) {
  return {
    requestId: payment.uuid,
    accountNumber: accountNumber(payment),
    businessNumber: payment.request.businessNumber,
    amount: float(payment.amountMinor),
    status: 'PENDING',
  }
}

/** For the status read and the callback. Specified; order published. */
export function shortCodeStatus(_view: View, payment: Payment<ToShortCode>) {
  return {
    accountNumber: accountNumber(payment),
    businessNumber: payment.request.businessNumber,
    requestId: payment.uuid,
    amount: float(payment.amountMinor),
    status: payment.status,
  }
}

export function shortCodeOutcome(view: View, payment: Payment<ToShortCode>): JsonObject {
  return {
    receiverName: view.scenario.directory.business(payment.request.businessNumber).name,
    transactionReceipt: receiptOf(view, payment),
  }
}

/** The published order of the last two fields differs by kind. */
export function shortCodeFields(view: View, payment: Payment<ToShortCode>, form: Parameters<typeof timestamps>[2]) {
  const { request } = payment
  const details = reported(view, payment)
  return {
    id: payment.id,
    amount: float(payment.amountMinor),
    uuid: payment.uuid,
    organisation: organisationSummary(view, payment.organisationId),
    accountNumber: accountNumber(payment),
    businessNumber: request.businessNumber,
    remarks: request.remarks,
    occasion: request.occasion,
    originatorConversationId: view.ids.uuid('originator', payment.seq),
    conversationId: details['conversationId'] ?? conversationId(view, payment),
    callbackUrl: payment.callbackUrl ?? '',
    ...timestamps(view, payment, form),
    status: payment.status,
    responseCode: details['responseCode'] ?? 0,
    receiverName: details['receiverName'] ?? null,
    responseDescription: details['responseDescription'] ?? unexplained(view, payment),
    transactionReceipt: details['transactionReceipt'] ?? null,
  }
}

function unexplained(view: View, { status }: Pick<Payment, 'status'>): string | null {
  if (status !== 'FAILED') return ACCEPTED
  return { 'as-accepted': ACCEPTED, null: null, empty: '' }[chosen(view)['failed-description']]
}

/** A till needs no account. */
function accountNumber({ request }: Payment<ToShortCode>): string {
  return request.accountNumber ?? ''
}

/** `AG_20230420_2010759fd5662ef6d054`: the operator's date, then twenty hexadecimal digits. */
function conversationId(view: View, payment: Payment<ToShortCode>): string {
  const digits = view.ids.of('conversation', payment.seq).text(20, '0123456789abcdef')
  return `AG_${localDate(view, payment.createdAtUs).replaceAll('-', '')}_${digits}`
}

import { toMinor } from '../../../model/money.ts'
import type { Json, Payment } from '../../../model/payment.ts'
import { float, whole } from '../../../model/wire.ts'
import { organisationSummary, timestamp, type View } from '../../view.ts'

/** The answer to POST bank/payout/new. Specified; the whole amount prints as an integer (published). */
export function bankPayoutAccepted(payment: Payment) {
  return {
    requestId: payment.uuid,
    creditAccountNumber: payment.request['creditAccountNumber'] as string,
    beneficiaryName: payment.request['beneficiaryName'] as string,
    amount: whole(payment.amountMinor),
    status: 'PENDING',
  }
}

/** The bank payout record. Fields and the eight-key organisation specified; key order published. */
export function bankPayoutRecord(view: View, payment: Payment) {
  const { request, details } = payment
  return {
    uuid: payment.uuid,
    organisation: organisationSummary(view, payment.organisationId),
    channel: 'PESALINK',
    amount: float(payment.amountMinor),
    service_amount: feeOf(details['service_amount']),
    transaction_fee: feeOf(details['transaction_fee']),
    transaction_amount: feeOf(details['transaction_amount']),
    bankCode: request['bankCode'],
    beneficiaryName: request['beneficiaryName'],
    creditAccount: request['creditAccountNumber'],
    currency: 'KES',
    direction: 0,
    narration: request['narration'],
    transactionReference: view.chance.uuid('transaction-reference', payment.seq),
    // No field of the request feeds it; the organisation's own number is the least surprising text. Assumed.
    receiverPhoneNumber: view.store.organisations.byId(payment.organisationId).phoneNumber,
    requestId: null,
    status: payment.status,
    statusCode: details['statusCode'] ?? null,
    statusDesc: details['statusDesc'] ?? null,
    originalRequestID: null,
    endToEndID: details['endToEndID'] ?? null,
    callbackUrl: payment.callbackUrl ?? '',
    errorCode: details['errorCode'] ?? null,
    errorDesc: details['errorDesc'] ?? null,
    createdAt: timestamp(view, payment.createdAtUs),
    updatedAt: timestamp(view, payment.updatedAtUs),
  }
}

/** The callback: the keys of a paybill's. Published; what `businessNumber` holds is assumed. */
export function bankPayoutCallback(view: View, payment: Payment) {
  const empty = view.scenario.assumptions['bank-callback-business-number'] === 'empty'
  return {
    accountNumber: payment.request['creditAccountNumber'] as string,
    businessNumber: empty ? '' : (payment.request['bankCode'] as string),
    requestId: payment.uuid,
    amount: whole(payment.amountMinor),
    status: payment.status,
  }
}

/** The answer to bank/payout/verify-account. Published, unlisted. */
export function verificationAccepted(payment: Payment) {
  return {
    requestId: payment.uuid,
    creditAccountNumber: payment.request['accountNumber'] as string,
    status: 'PENDING',
    amount: float(0),
  }
}

/** The callback of an account verification. Published, unlisted; the failing form is assumed. */
export function verificationCallback(payment: Payment) {
  const found = payment.status === 'SUCCESS'
  return {
    accountNumber: payment.request['accountNumber'] as string,
    requestId: payment.uuid,
    statusCode: payment.details['statusCode'] ?? (found ? '00' : '01'),
    receiverName: payment.details['receiverName'] ?? '',
    receiverAccount: payment.request['accountNumber'] as string,
    bankCode: payment.request['bankCode'] as string,
    status: found ? 'Success' : 'Failed',
  }
}

/** A fee from a plan, in major units; `0.0` where none was decided, as pending records show. */
function feeOf(value: Json | undefined): number {
  return float(typeof value === 'number' ? (toMinor(value) ?? 0) : 0)
}

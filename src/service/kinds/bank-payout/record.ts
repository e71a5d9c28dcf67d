/** Records of bank payouts. */
import { toMajor, toMinor } from '../../../core/model/money.ts'
import type { Json, JsonObject, Payment } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { float, whole } from '../../../core/model/wire.ts'
import { chosen } from '../../assumed/assumptions.ts'
import { organisationSummary, reported, timestamps } from '../../declared/record-parts.ts'
import type { BankPayoutRequest } from './contract.ts'

export type BankPayout = Payment<BankPayoutRequest>

/** Specified; a whole amount is printed as an integer (published). */
export function bankPayoutAccepted(payment: BankPayout) {
  return {
    requestId: payment.uuid,
    creditAccountNumber: payment.request.creditAccountNumber,
    beneficiaryName: payment.request.beneficiaryName,
    amount: whole(payment.amountMinor),
    status: 'PENDING',
  }
}

/** Fields and the organisation with eight keys specified; key order published. */
export function bankPayoutRecord(view: View, payment: BankPayout) {
  const { request } = payment
  const details = reported(view, payment)
  const charged = chosen(view)['fee-fields'] === 'told' ? details : {}
  return {
    uuid: payment.uuid,
    organisation: organisationSummary(view, payment.organisationId),
    channel: 'PESALINK',
    amount: float(payment.amountMinor),
    service_amount: feeOf(charged['service_amount']),
    transaction_fee: feeOf(charged['transaction_fee']),
    transaction_amount: feeOf(charged['transaction_amount']),
    bankCode: request.bankCode,
    beneficiaryName: request.beneficiaryName,
    creditAccount: request.creditAccountNumber,
    currency: 'KES',
    direction: 0,
    narration: request.narration,
    transactionReference: view.ids.uuid('transaction-reference', payment.seq),
    // No field of the request feeds it; the organisation's own number is the least surprising text. Assumed.
    receiverPhoneNumber: view.store.organisations.byId(payment.organisationId).phoneNumber,
    requestId: details['requestId'] ?? null,
    status: payment.status,
    statusCode: details['statusCode'] ?? null,
    statusDesc: details['statusDesc'] ?? null,
    originalRequestID: details['originalRequestID'] ?? null,
    endToEndID: details['endToEndID'] ?? null,
    callbackUrl: payment.callbackUrl ?? '',
    errorCode: details['errorCode'] ?? null,
    errorDesc: details['errorDesc'] ?? null,
    ...timestamps(view, payment, 'six-digits'),
  }
}

/** The keys of a paybill's callback. Published; `businessNumber` is assumed. */
export function bankPayoutCallback(_view: View, payment: BankPayout) {
  return {
    accountNumber: payment.request.creditAccountNumber,
    businessNumber: payment.request.bankCode,
    requestId: payment.uuid,
    amount: whole(payment.amountMinor),
    status: payment.status,
  }
}

/** In major units; `0.0` until it ends, as pending records show. */
function feeOf(value: Json | undefined): number {
  return float(typeof value === 'number' ? (toMinor(value) ?? 0) : 0)
}

export function bankPayoutOutcome(view: View, payment: BankPayout): JsonObject {
  return {
    statusCode: '00',
    statusDesc: 'Success',
    endToEndID: view.ids.uuid('end-to-end', payment.seq),
    ...breakdown(payment),
  }
}

/** The whole fee is the service's share. The sum is what left the wallet, with a fee or without one. */
function breakdown({ plan: { feeMinor = 0 }, amountMinor }: BankPayout): JsonObject {
  const fee = toMajor(feeMinor)
  return { service_amount: fee, transaction_fee: fee, transaction_amount: toMajor(amountMinor + feeMinor) }
}

/** What is said of a bank payout. */
import { toMajor, toMinor } from '../../../core/model/money.ts'
import type { Json, JsonObject, Payment } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { float, whole } from '../../../core/model/wire.ts'
import { chosen } from '../../assumed/assumptions.ts'
import { organisationSummary, reported, timestamps, touched } from '../../declared/record-parts.ts'
import type { BankPayoutRequest } from './contract.ts'

export type BankPayout = Payment<BankPayoutRequest>

/** The answer to POST bank/payout/new. Specified; the whole amount prints as an integer (published). */
export function bankPayoutAccepted(payment: BankPayout) {
  return {
    requestId: payment.uuid,
    creditAccountNumber: payment.request.creditAccountNumber,
    beneficiaryName: payment.request.beneficiaryName,
    amount: whole(payment.amountMinor),
    status: 'PENDING',
  }
}

/** The bank payout record. Fields and the eight-key organisation specified; key order published. */
export function bankPayoutRecord(view: View, payment: BankPayout) {
  const { request } = payment
  const details = reported(view, payment)
  const { 'payout-direction': direction, 'fee-fields': fees } = chosen(view)
  const charged = fees === 'told' ? details : {}
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
    direction: direction === '1' && payment.status !== 'PENDING' ? 1 : 0,
    narration: request.narration,
    transactionReference: view.ids.uuid('transaction-reference', payment.seq),
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
    ...timestamps(view, touched(view, payment, false), 'six-digits'),
  }
}

/** The callback: the keys of a paybill's. Published; what `businessNumber` holds is assumed. */
export function bankPayoutCallback(view: View, payment: BankPayout) {
  const empty = chosen(view)['bank-callback-business-number'] === 'empty'
  return {
    accountNumber: payment.request.creditAccountNumber,
    businessNumber: empty ? '' : payment.request.bankCode,
    requestId: payment.uuid,
    amount: whole(payment.amountMinor),
    status: payment.status,
  }
}

/** A fee from a plan, in major units; `0.0` where none was decided, as pending records show. */
function feeOf(value: Json | undefined): number {
  return float(typeof value === 'number' ? (toMinor(value) ?? 0) : 0)
}

/** What the rail reports with success. */
export function bankPayoutOutcome(view: View, payment: BankPayout): JsonObject {
  return {
    statusCode: '00',
    statusDesc: 'Success',
    endToEndID: view.ids.uuid('end-to-end', payment.seq),
    ...breakdown(payment),
  }
}

/** What a charged payout cost: all of the fee is the service's share. Nothing where nothing is charged. */
function breakdown({ plan: { feeMinor }, amountMinor }: BankPayout): JsonObject {
  if (!feeMinor) return {}
  const fee = toMajor(feeMinor)
  return { service_amount: fee, transaction_fee: fee, transaction_amount: toMajor(amountMinor + feeMinor) }
}

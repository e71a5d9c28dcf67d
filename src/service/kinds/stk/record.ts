import { DIGITS } from '../../../model/chance.ts'
import type { Payment } from '../../../model/payment.ts'
import { formatInstant } from '../../../model/time.ts'
import { float, localPhone, whole } from '../../../model/wire.ts'
import { organisationSummary, timestamp, type View } from '../../view.ts'

const ACCEPTED = 'Success. Request accepted for processing'

/** The answer to POST stk/new: no status, the amount under another name, the phone in local form. Published. */
export function stkAccepted(payment: Payment) {
  return {
    requestId: payment.uuid,
    phoneNumber: localPhone(payment.request['phoneNumber'] as string),
    requestedAmount: float(payment.amountMinor),
  }
}

/** `stk/status`. Published. */
export function stkStatus(payment: Payment) {
  return {
    requestId: payment.uuid,
    status: payment.status,
    amount: whole(payment.amountMinor),
    phoneNumber: localPhone(payment.request['phoneNumber'] as string),
  }
}

/** The callback: as the status read, but the phone in international form. Published. */
export function stkCallback(payment: Payment) {
  return { ...stkStatus(payment), phoneNumber: payment.request['phoneNumber'] as string }
}

/** The STK collection record, also of Tanzania collections. Fields specified, key order and forms published. */
export function stkRecord(view: View, payment: Payment) {
  const { request, details } = payment
  const draw = view.chance.of('stk', payment.seq)
  const created = formatInstant(payment.createdAtUs)
  return {
    id: payment.id,
    uuid: payment.uuid,
    merchantRequestId: `${10000 + draw.below(90000)}-${draw.text(8, DIGITS)}-1`,
    // ws_CO_ then day, month, year, time and milliseconds run together, as the sample ws_CO_191220191020363925 reads.
    checkoutRequestId: `ws_CO_${created.slice(8, 10)}${created.slice(5, 7)}${created.slice(0, 4)}${created.slice(11, 19).replaceAll(':', '')}${draw.text(4, DIGITS)}`,
    phoneNumber: localPhone(request['phoneNumber'] as string),
    description: request['description'],
    organisation: organisationSummary(view, payment.organisationId),
    amount: whole(payment.amountMinor),
    status: payment.status,
    accountReference: request['accountReference'] ?? '',
    responseCode: details['responseCode'] ?? 0,
    responseDescription: details['responseDescription'] ?? ACCEPTED,
    customerMessage: details['customerMessage'] ?? ACCEPTED,
    callbackUrl: payment.callbackUrl ?? '',
    createdAt: timestamp(view, payment.createdAtUs),
    updatedAt: timestamp(view, payment.updatedAtUs),
  }
}

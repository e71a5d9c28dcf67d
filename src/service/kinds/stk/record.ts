/** Records of mobile collections. */
import { DIGITS } from '../../../core/model/chance.ts'
import type { PromptFailure } from '../../../core/model/kind.ts'
import type { JsonObject, Payment } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { float, whole } from '../../../core/model/wire.ts'
import { localInstant, organisationSummary, reported, timestamps, touched } from '../../declared/record-parts.ts'
import { localPhone } from '../../requests/phone-forms.ts'
import type { StkRequest } from './contract.ts'

export type Stk = Payment<StkRequest>

const ACCEPTED = 'Success. Request accepted for processing'

/** No status, another name for the amount, and the phone in local form. Published. */
export function stkAccepted(payment: Stk) {
  return {
    requestId: payment.uuid,
    phoneNumber: localPhone(payment.request.phoneNumber),
    requestedAmount: float(payment.amountMinor),
  }
}

/** Published. */
export function stkStatus(payment: Stk) {
  return {
    requestId: payment.uuid,
    status: payment.status,
    amount: whole(payment.amountMinor),
    phoneNumber: localPhone(payment.request.phoneNumber),
  }
}

/** Unlike the status read, it has the phone in international form. Published. */
export function stkCallback(payment: Stk) {
  return { ...stkStatus(payment), phoneNumber: payment.request.phoneNumber }
}

/** Also of Tanzania collections. Fields specified, key order and forms published. */
export function stkRecord(view: View, payment: Stk) {
  const { request } = payment
  const details = reported(view, payment)
  const draw = view.ids.of('stk', payment.seq)
  const created = localInstant(view, payment.createdAtUs)
  return {
    id: payment.id,
    uuid: payment.uuid,
    merchantRequestId: `${10000 + draw.below(90000)}-${draw.text(8, DIGITS)}-1`,
    // ws_CO_ then day, month, year, time and milliseconds run together, as the sample ws_CO_191220191020363925 reads.
    checkoutRequestId: `ws_CO_${created.slice(8, 10)}${created.slice(5, 7)}${created.slice(0, 4)}${created.slice(11, 19).replaceAll(':', '')}${draw.text(4, DIGITS)}`,
    phoneNumber: localPhone(request.phoneNumber),
    description: request.description,
    organisation: organisationSummary(view, payment.organisationId),
    amount: whole(payment.amountMinor),
    status: payment.status,
    accountReference: request.accountReference ?? '',
    responseCode: details['responseCode'] ?? 0,
    responseDescription: details['responseDescription'] ?? ACCEPTED,
    customerMessage: details['customerMessage'] ?? ACCEPTED,
    callbackUrl: payment.callbackUrl ?? '',
    ...timestamps(view, touched(view, payment), 'six-digits'),
  }
}

/** Codes and texts of the default scenario. Assumed. */
export const promptFailures: Record<PromptFailure, JsonObject> = {
  cancelled: {
    responseCode: 1032,
    responseDescription: 'Request cancelled by user',
    customerMessage: 'Request cancelled by user',
  },
  'wrong-pin': {
    responseCode: 2001,
    responseDescription: 'The initiator information is invalid',
    customerMessage: 'Wrong PIN',
  },
  'insufficient-funds': {
    responseCode: 1,
    responseDescription: 'The balance is insufficient for the transaction',
    customerMessage: 'The balance is insufficient for the transaction',
  },
  unanswered: { responseCode: 1037, responseDescription: 'No response from user' },
}

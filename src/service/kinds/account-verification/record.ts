/** Records of account verifications. */
import type { JsonObject, Payment } from '../../../core/model/payment.ts'
import type { View } from '../../../core/model/view.ts'
import { float } from '../../../core/model/wire.ts'
import { chosen } from '../../assumed/assumptions.ts'
import type { VerifyAccountRequest } from './contract.ts'

export const verificationFailures: Readonly<Record<string, string>> = {
  '01': 'The account does not exist',
  '02': 'The account is closed',
  '99': 'The bank gave no answer in time',
}

type Verification = Payment<VerifyAccountRequest>

/** Published, unlisted. */
export function verificationAccepted(payment: Verification) {
  return {
    requestId: payment.uuid,
    creditAccountNumber: payment.request.accountNumber,
    status: 'PENDING',
    amount: float(0),
  }
}

/** Published, unlisted; the form of a failure is assumed. */
export function verificationCallback(view: View, payment: Verification) {
  const found = payment.status === 'SUCCESS'
  // The sample of a success has both, so no assumption about records removes them.
  const { statusCode = '01', receiverName = '' } = {
    ...(found && verificationOutcome(view, payment)),
    ...payment.details,
  }
  return {
    accountNumber: payment.request.accountNumber,
    requestId: payment.uuid,
    statusCode,
    receiverName,
    receiverAccount: payment.request.accountNumber,
    bankCode: payment.request.bankCode,
    status: found ? 'Success' : chosen(view)['verification-failure'],
  }
}

export function verificationOutcome(view: View, { request }: Verification): JsonObject {
  const { holder } = view.scenario.directory.bankAccount(request.bankCode, request.accountNumber)
  return { statusCode: '00', receiverName: holder }
}

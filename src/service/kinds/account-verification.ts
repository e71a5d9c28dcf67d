/** Asks who holds a bank account. Moves no money, and answers with a callback. */
import * as z from 'zod'
import { payoutMachine } from '../../core/lifecycle.ts'
import { float } from '../../core/model/json.ts'
import type { View } from '../../core/model/kind.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import { chosen } from '../assumed/assumptions.ts'
import { enveloped, finalOutcome, opens } from '../declared/operations.ts'
import { kind } from '../declared/payment-kind.ts'
import { closedObject, known, published, publishedEnvelope, usual } from '../fields.ts'
import { bankCodeRules, exampleCallbackUrl, request } from '../requests/request.ts'

// Requests and answers of account verifications.

const verifyAccountRequest = request({
  id: 'VerifyAccountRequest',
  basis: 'published',
  fields: ({ httpUrl, bankCode, accountNumber }) => ({
    bankCode: bankCode('published'),
    accountNumber: accountNumber('published', 'The account to look up.'),
    callbackUrl: httpUrl('published', "Told the holder's name.", { required: 'published' }),
  }),
  rules: bankCodeRules,
})

type VerifyAccountRequest = z.infer<typeof verifyAccountRequest>

const { requestId, pending } = published

const verificationAcceptedAnswer = publishedEnvelope(
  201,
  'SUCCESS',
  closedObject(() => ({
    requestId,
    creditAccountNumber: known('published', 'The accountNumber of the request.', z.string()),
    status: pending,
    amount: known('published', 'Always 0.0.', z.literal(0), { const: 'published' }),
  })).meta({ id: 'VerificationAccepted', 'x-basis': 'published' }),
)

const verificationCallbackSchema = closedObject(() => ({
  accountNumber: known('published', 'As sent.', z.string()),
  requestId,
  statusCode: usual(
    known('published', '00 goes with success; another is assumed to tell failure.', z.string()),
    '00',
    'published',
  ),
  receiverName: known('published', 'The holder of the account; empty when there is none (assumed).', z.string()),
  receiverAccount: known('published', 'The account that was found.', z.string()),
  bankCode: known('published', 'As sent.', z.string()),
  status: known('published', 'Success; Failed is assumed.', z.enum(['Success', 'Failed', 'FAILED']), {
    enum: 'verification-failure',
  }),
})).meta({ id: 'VerificationCallback', 'x-basis': 'published' })

// Records of account verifications.

const verificationFailures: Readonly<Record<string, string>> = {
  '01': 'The account does not exist',
  '02': 'The account is closed',
  '99': 'The bank gave no answer in time',
}

type Verification = Payment<VerifyAccountRequest>

/** Published, unlisted. */
function verificationAccepted(payment: Verification) {
  return {
    requestId: payment.uuid,
    creditAccountNumber: payment.request.accountNumber,
    status: 'PENDING',
    amount: float(0),
  }
}

/** Published, unlisted; the form of a failure is assumed. */
function verificationCallback(view: View, payment: Verification) {
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

function verificationOutcome(view: View, { request }: Verification): JsonObject {
  const { holder } = view.scenario.directory.bankAccount(request.bankCode, request.accountNumber)
  return { statusCode: '00', receiverName: holder }
}

const create = opens({
  id: 'verifyBankAccount',
  path: '/api/sandbox/v1/bank/payout/verify-account',
  tag: 'Bank payouts',
  summary: 'Look up the holder of a bank account',
  description: "The holder's name is sent to callbackUrl.",
  basis: 'published',
  source: 'published bank_payouts/pesalink/verify-account (unlisted)',
  only: { assumption: 'unlisted-operations', is: 'on' },
  body: verifyAccountRequest,
  answer: { status: 201, description: 'Accepted', schema: verificationAcceptedAnswer },
  callback: finalOutcome(verificationCallbackSchema, { description: 'The result' }),
  example: (baseUrl) => ({ bankCode: '0068', accountNumber: '0123456789', callbackUrl: exampleCallbackUrl(baseUrl) }),
  accepted: (payment) => enveloped(201, 'SUCCESS', verificationAccepted(payment)),
})

export const accountVerification = kind({
  name: 'account-verification',
  phrase: 'an account verification',
  direction: 'none',
  machine: payoutMachine('account-verification'),
  request: verifyAccountRequest,
  party: { type: 'account', field: 'accountNumber', bank: 'bankCode', name: 'receiverName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: { code: 'statusCode', words: verificationFailures },
  told: { statusCode: 'text', receiverName: 'text' },
  outcome: verificationOutcome,
  callback: { schema: verificationCallbackSchema, to: 'request', finalOnly: true, body: verificationCallback },
  operations: [create],
})

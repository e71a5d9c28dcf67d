/** Asks who holds a bank account. Moves no money, and answers with a callback. */
import * as z from 'zod'
import { float } from '../../core/model/json.ts'
import type { View } from '../../core/model/kind.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import { chosen } from '../assumptions/assumptions.ts'
import { kind, payoutMachine } from '../declarations/payment-kind.ts'
import { field, form, type RecordSource, record, shared } from '../declarations/record.ts'
import { published, schemaField } from '../fields.ts'
import { bankCodeRules, exampleCallbackUrl, request } from '../requests/request.ts'

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

/** Published, unlisted. */
const verificationAccepted = record<VerifyAccountRequest>('VerificationAccepted', 'published', {
  requestId: shared(requestId, 'uuid'),
  creditAccountNumber: field('The accountNumber of the request.', form.text, ({ request }) => request.accountNumber),
  status: shared(pending, () => 'PENDING'),
  amount: shared(schemaField('published', 'Always 0.0.', z.literal(0), { const: 'published' }), () => float(0)),
})

/** Published, unlisted; the form of a failure is assumed. */
const verificationCallback = record<VerifyAccountRequest>('VerificationCallback', 'published', {
  accountNumber: field('As sent.', form.text),
  requestId: shared(requestId, 'uuid'),
  statusCode: field(
    '00 goes with success; another is assumed to tell failure.',
    { ...form.text, usual: ['00', 'published'] },
    (shown) => foundBy(shown)['statusCode'] ?? '01',
  ),
  receiverName: field(
    'The holder of the account; empty when there is none (assumed).',
    form.text,
    (shown) => foundBy(shown)['receiverName'] ?? '',
  ),
  receiverAccount: field('The account that was found.', form.text, ({ request }) => request.accountNumber),
  bankCode: field('As sent.', form.text),
  status: field(
    'Success; Failed is assumed.',
    { schema: () => z.enum(['Success', 'Failed', 'FAILED']), grounds: { enum: 'verification-failure' } },
    ({ view, payment }) => (payment.status === 'SUCCESS' ? 'Success' : chosen(view)['verification-failure']),
  ),
})

const verificationFailures: Readonly<Record<string, string>> = {
  '01': 'The account does not exist',
  '02': 'The account is closed',
  '99': 'The bank gave no answer in time',
}

type Verification = Payment<VerifyAccountRequest>

/** The sample of a success has both, so no assumption about records removes them. */
function foundBy({ view, payment }: RecordSource<VerifyAccountRequest>): JsonObject {
  return { ...(payment.status === 'SUCCESS' && verificationOutcome(view, payment)), ...payment.details }
}

function verificationOutcome(view: View, { request }: Verification): JsonObject {
  const { holder } = view.scenario.directory.bankAccount(request.bankCode, request.accountNumber)
  return { statusCode: '00', receiverName: holder }
}

export const accountVerification = kind({
  name: 'account-verification',
  phrase: 'an account verification',
  tag: 'Bank payouts',
  base: '/api/sandbox/v1/bank/payout/verify-account',
  direction: 'none',
  machine: payoutMachine('account-verification'),
  request: verifyAccountRequest,
  party: { type: 'account', field: 'accountNumber', bank: 'bankCode', name: 'receiverName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: { code: 'statusCode', words: verificationFailures },
  beyondRecord: { statusCode: 'text', receiverName: 'text' },
  outcome: verificationOutcome,
  callback: { record: verificationCallback, finalOnly: true },
  operations: ({ opens }) => [
    opens({
      id: 'verifyBankAccount',
      path: '',
      summary: 'Look up the holder of a bank account',
      description: "The holder's name is sent to callbackUrl.",
      source: 'published bank_payouts/pesalink/verify-account (unlisted)',
      only: { assumption: 'unlisted-operations', is: 'on' },
      message: 'SUCCESS',
      accepted: verificationAccepted,
      told: { description: 'The result' },
      example: (baseUrl) => ({
        bankCode: '0068',
        accountNumber: '0123456789',
        callbackUrl: exampleCallbackUrl(baseUrl),
      }),
    }),
  ],
})

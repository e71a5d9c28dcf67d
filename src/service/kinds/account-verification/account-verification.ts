/** Asks who holds a bank account. Moves no money, and answers with a callback. */
import { payoutMachine } from '../../../core/machines.ts'
import { enveloped } from '../../declared/answers.ts'
import { finalOutcome, opens } from '../../declared/opens.ts'
import { kind } from '../../declared/payment-kind.ts'
import { exampleCallbackUrl } from '../../requests/example-values.ts'
import { verificationAcceptedAnswer, verificationCallbackSchema, verifyAccountRequest } from './contract.ts'
import { verificationAccepted, verificationCallback, verificationFailures, verificationOutcome } from './record.ts'

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
  callback: finalOutcome(verificationCallbackSchema, { description: 'What was found' }),
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
  fields: { statusCode: 'text', receiverName: 'text' },
  outcome: verificationOutcome,
  callback: { schema: verificationCallbackSchema, to: 'request', finalOnly: true, body: verificationCallback },
  operations: [create],
})

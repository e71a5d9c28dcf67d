/** Requests and answers of account verifications. */
import * as z from 'zod'
import { closedObject, openObject } from '../../declared/lazy-objects.ts'
import { accountNumber, bankCode, bankCodeRules } from '../../families/bank-account.ts'
import { httpUrl, known, published, publishedEnvelope, usual } from '../../fields.ts'
import { ruled } from '../../requests/request-rules.ts'

export const verifyAccountRequest = ruled(
  openObject(() => ({
    bankCode: bankCode('published'),
    accountNumber: accountNumber('published', 'The account to look up.'),
    callbackUrl: httpUrl('published', "Told the holder's name.", { required: 'published' }),
  })).meta({ id: 'VerifyAccountRequest', 'x-basis': 'published' }),
  bankCodeRules,
)

export type VerifyAccountRequest = z.infer<typeof verifyAccountRequest>

const { requestId, pending } = published

export const verificationAcceptedAnswer = publishedEnvelope(
  201,
  'SUCCESS',
  closedObject(() => ({
    requestId,
    creditAccountNumber: known('published', 'The accountNumber of the request.', z.string()),
    status: pending,
    amount: known('published', 'Always 0.0.', z.literal(0), { const: 'published' }),
  })).meta({ id: 'VerificationAccepted', 'x-basis': 'published' }),
)

export const verificationCallbackSchema = closedObject(() => ({
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

/** Requests and answers of bank payouts. */
import * as z from 'zod'
import { closedObject, openObject } from '../../declared/lazy-objects.ts'
import { accountNumber, bankCode, bankCodeRules } from '../../families/bank-account.ts'
import {
  amount,
  answered,
  constrained,
  envelope,
  httpUrl,
  known,
  localTimestamp,
  organisationSummarySchema,
  published,
  readEnvelope,
  referenceId,
  requestIdQuery,
  text,
  usual,
} from '../../fields.ts'
import { ruled } from '../../requests/request-rules.ts'

export const bankPayoutRequest = ruled(
  openObject(() => ({
    bankCode: bankCode('specified'),
    beneficiaryName: text('specified', 'Must match the account; a mismatch is the most common cause of rejection.', {
      max: 200,
      required: 'published',
    }),
    creditAccountNumber: accountNumber('specified', 'The account that receives the money.'),
    amount: amount('specified', 'Kenyan shillings.', { required: 'published' }),
    narration: text('specified', 'Free text.', { required: 'published' }),
    callbackUrl: httpUrl('specified', 'Told the final outcome.', { required: 'published' }),
    referenceId: referenceId('specified'),
  })).meta({ id: 'BankPayoutRequest', 'x-basis': 'specified' }),
  bankCodeRules,
)

export type BankPayoutRequest = z.infer<typeof bankPayoutRequest>

const { requestId, pending, status, uuid, floatAmount, wholeAmount, callbackUrl } = answered
const fee = (description: string) =>
  usual(known('specified', `${description}; 0.0 while pending (published).`, z.number()), 0, 'fee-fields')

export const bankPayoutAcceptedAnswer = envelope(
  201,
  'Success',
  closedObject(() => ({
    requestId,
    creditAccountNumber: known('specified', 'As sent.', z.string()),
    beneficiaryName: known('specified', 'As sent.', z.string()),
    amount: wholeAmount,
    status: pending,
  })).meta({ id: 'BankPayoutAccepted', 'x-basis': 'specified' }),
)

export const bankPayoutCallbackSchema = closedObject(() => ({
  accountNumber: known('published', 'The credited account.', z.string()),
  businessNumber: known('published', 'The bank code (assumed).', z.string()),
  // Payout callbacks are matched by it (specification, Events).
  requestId,
  amount: published.wholeAmount,
  status: published.status,
})).meta({ id: 'BankPayoutCallback', 'x-basis': 'published' })

const bankPayoutRecordSchema = closedObject(() => ({
  uuid,
  organisation: organisationSummarySchema,
  channel: usual(known('specified', 'PESALINK is the only value seen.', z.string()), 'PESALINK', 'specified'),
  amount: floatAmount,
  service_amount: fee("The service's share"),
  transaction_fee: fee('The fee'),
  transaction_amount: known(
    'specified',
    'The amount with its fee, which may be none (assumption fee-fields); 0.0 while pending (published).',
    z.number(),
  ),
  bankCode: known('specified', 'As sent.', z.string()),
  beneficiaryName: known('specified', 'As sent.', z.string()),
  creditAccount: known('specified', 'The creditAccountNumber of the request.', z.string()),
  currency: usual(known('specified', 'KES is the only value seen.', z.string()), 'KES', 'specified'),
  direction: usual(
    known('specified', 'Meaning not shown; 0 in every sample.', z.int()),
    0,
    'convention: direction of a bank payout',
  ),
  narration: known('specified', 'As sent.', z.string()),
  transactionReference: known('specified', 'A uuid (published).', z.string()),
  receiverPhoneNumber: known('specified', "No request field feeds it: the caller's own number (assumed).", z.string()),
  requestId: usual(
    known('specified', 'Null although uuid was handed out as requestId (published).', z.string().nullable()),
    null,
    'published',
  ),
  status,
  statusCode: usual(known('specified', 'Null until the end.', z.string().nullable()), '00', 'success-record'),
  statusDesc: usual(known('specified', 'Null until the end.', z.string().nullable()), 'Success', 'success-record'),
  originalRequestID: usual(known('specified', 'Null in every sample.', z.string().nullable()), null, 'published'),
  endToEndID: known('specified', 'Null until the end.', z.string().nullable()),
  callbackUrl,
  errorCode: usual(known('specified', 'Set by a failure.', z.string().nullable()), null, 'published'),
  errorDesc: usual(known('specified', 'Set by a failure.', z.string().nullable()), null, 'published'),
  createdAt: localTimestamp,
  updatedAt: localTimestamp,
})).meta({ id: 'BankPayoutRecord', 'x-basis': 'specified' })

/** An array of one. Specified. */
export const bankPayoutAnswer = readEnvelope(
  'SUCCESS',
  constrained(z.array(bankPayoutRecordSchema).length(1), { minItems: 'specified', maxItems: 'specified' }),
)
export const bankPayoutListAnswer = readEnvelope('SUCCESS', z.array(bankPayoutRecordSchema))

export const bankPayoutQuery = openObject(() => ({ requestId: requestIdQuery('specified') }))

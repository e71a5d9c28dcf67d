/** Pays out to a Kenyan bank account. */
import * as z from 'zod'
import { payoutMachine } from '../../core/machines.ts'
import { float, whole } from '../../core/model/json.ts'
import type { View } from '../../core/model/kind.ts'
import { toMajor, toMinor } from '../../core/model/money.ts'
import type { Json, JsonObject, Payment } from '../../core/model/payment.ts'
import { chosen, reason } from '../assumed/assumptions.ts'
import { closedObject } from '../declared/lazy-objects.ts'
import { enveloped, finalOutcome, opens, readsAll, readsOne, referenceUsed } from '../declared/operations.ts'
import { bankCodeRules } from '../declared/party-fields.ts'
import { kind } from '../declared/payment-kind.ts'
import { organisationSummary, reported, timestamps } from '../declared/record-parts.ts'
import {
  answered,
  constrained,
  envelope,
  known,
  localTimestamp,
  organisationSummarySchema,
  published,
  readEnvelope,
  usual,
} from '../fields.ts'
import { EXAMPLE_REFERENCE, exampleCallbackUrl } from '../requests/example-values.ts'
import { request } from '../requests/request.ts'

// Requests and answers of bank payouts.

const bankPayoutRequest = request({
  id: 'BankPayoutRequest',
  basis: 'specified',
  fields: ({ text, amount, httpUrl, referenceId, bankCode, accountNumber }) => ({
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
  }),
  rules: bankCodeRules,
})

type BankPayoutRequest = z.infer<typeof bankPayoutRequest>

const { requestId, pending, status, uuid, floatAmount, wholeAmount, callbackUrl } = answered
const fee = (description: string) =>
  usual(known('specified', `${description}; 0.0 while pending (published).`, z.number()), 0, 'fee-fields')

const bankPayoutAcceptedAnswer = envelope(
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

const bankPayoutCallbackSchema = closedObject(() => ({
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
const bankPayoutAnswer = readEnvelope(
  'SUCCESS',
  constrained(z.array(bankPayoutRecordSchema).length(1), { minItems: 'specified', maxItems: 'specified' }),
)
const bankPayoutListAnswer = readEnvelope('SUCCESS', z.array(bankPayoutRecordSchema))

const bankPayoutQuery = request({ fields: ({ requestId }) => ({ requestId: requestId('specified') }) })

// Records of bank payouts.

type BankPayout = Payment<BankPayoutRequest>

/** Specified; a whole amount is printed as an integer (published). */
function bankPayoutAccepted(payment: BankPayout) {
  return {
    requestId: payment.uuid,
    creditAccountNumber: payment.request.creditAccountNumber,
    beneficiaryName: payment.request.beneficiaryName,
    amount: whole(payment.amountMinor),
    status: 'PENDING',
  }
}

/** Fields and the organisation with eight keys specified; key order published. */
function bankPayoutRecord(view: View, payment: BankPayout) {
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
function bankPayoutCallback(_view: View, payment: BankPayout) {
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

function bankPayoutOutcome(view: View, payment: BankPayout): JsonObject {
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

const tag = 'Bank payouts'
const base = '/api/sandbox/v1/bank/payout'

const create = opens({
  id: 'createBankPayout',
  path: `${base}/new`,
  tag,
  summary: 'Pay out to a Kenyan bank account',
  description: 'Accepted as PENDING; the final outcome is sent to callbackUrl.',
  basis: 'specified',
  source: 'specification, Bank payouts; published bank_payouts/pesalink/post',
  body: bankPayoutRequest,
  answer: { status: 201, description: 'Accepted', schema: bankPayoutAcceptedAnswer },
  callback: finalOutcome(bankPayoutCallbackSchema),
  example: (baseUrl) => ({
    bankCode: '0068',
    beneficiaryName: 'Jane Wanjiku Mwangi',
    creditAccountNumber: '0123456789',
    amount: 2500,
    narration: 'Invoice 2041',
    callbackUrl: exampleCallbackUrl(baseUrl),
    referenceId: EXAMPLE_REFERENCE,
  }),
  accepted: (payment) => enveloped(201, 'Success', bankPayoutAccepted(payment)),
})

const single = readsOne({
  id: 'getBankPayout',
  path: `${base}/single`,
  tag,
  summary: 'Read one bank payout',
  description: 'The data is an array with this one record.',
  basis: 'specified',
  source: 'specification, Bank payouts; published bank_payouts/pesalink/get-single',
  query: bankPayoutQuery,
  answer: { status: 200, description: 'The payout, in an array', schema: bankPayoutAnswer },
  data: (view: View, payment: BankPayout) => [bankPayoutRecord(view, payment)],
})

const all = readsAll({
  id: 'listBankPayouts',
  path: `${base}/all`,
  tag,
  summary: 'List bank payouts',
  basis: 'specified',
  source: 'specification, Bank payouts; published bank_payouts/pesalink/get-all',
  answer: { status: 200, description: 'All of them', schema: bankPayoutListAnswer },
  data: bankPayoutRecord,
})

const nameMismatch = reason('rules', 'REQ_INVALID_FIELD', 'the account has another holder', 'name-mismatch', 'at-once')

export const bankPayout = kind({
  name: 'bank-payout',
  phrase: 'a bank payout',
  direction: 'out',
  machine: payoutMachine('bank-payout'),
  request: bankPayoutRequest,
  party: { type: 'account', field: 'creditAccountNumber', bank: 'bankCode', name: 'beneficiaryName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: { code: 'errorCode', text: 'errorDesc' },
  refusedAtOnce: { failure: 'NAME_MISMATCH', reason: nameMismatch },
  fields: {
    statusCode: 'any',
    statusDesc: 'text',
    requestId: 'text',
    originalRequestID: 'text',
    endToEndID: 'text',
    errorCode: 'any',
    errorDesc: 'text',
    transaction_fee: 'amount',
    service_amount: 'amount',
    transaction_amount: 'amount',
  },
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: bankPayoutOutcome,
  record: bankPayoutRecord,
  callback: { schema: bankPayoutCallbackSchema, to: 'request', body: bankPayoutCallback },
  operations: [create, single, all],
})

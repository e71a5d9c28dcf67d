/** Pays to the short code of a business, without an account. */
import * as z from 'zod'
import { payoutMachine } from '../../core/lifecycle.ts'
import { asChosen } from '../assumed/assumptions.ts'
import { enveloped, finalOutcome, opens, readsAll, readsOne, referenceUsed } from '../declared/operations.ts'
import { mobileMoneyFailure } from '../declared/party-fields.ts'
import { kind } from '../declared/payment-kind.ts'
import { companyId, envelope, publishedEnvelope, readEnvelope } from '../fields.ts'
import { request } from '../requests/request.ts'
import { atMost } from '../requests/request-rules.ts'
import {
  businessNumberRules,
  shortCodeAccepted,
  shortCodeAcceptedSchema,
  shortCodeExample,
  shortCodeOutcome,
  shortCodeRecord,
  shortCodeStatus,
  shortCodeStatusSchema,
} from './short-code.ts'

// Requests and answers of till payments.

/** Published. */
const textLimits = [
  atMost('accountNumber', 13, 'published'),
  atMost('remarks', 100, 'published'),
  atMost('occasion', 100, 'published'),
]

const tillRequest = request({
  id: 'TillRequest',
  basis: 'specified',
  fields: ({ text, optionalText, amount, httpUrl, referenceId }) => ({
    businessNumber: text('specified', 'The till that receives the money.', { max: 30, required: 'published' }),
    accountNumber: optionalText('specified', 'Not required for tills. At most 13 characters (published).'),
    amount: amount('specified', 'Kenyan shillings.', { required: 'published' }),
    remarks: text('specified', 'At most 100 characters (published).', { required: 'published' }),
    occasion: text('specified', 'At most 100 characters (published).', { required: 'published' }),
    callbackUrl: httpUrl('specified', 'Told the final outcome.', { required: 'published' }),
    referenceId: referenceId('specified'),
  }),
  rules: (chosen) => [...businessNumberRules(chosen), ...textLimits],
})

const tillRecord = shortCodeRecord('TillPaymentRecord', ['transactionReceipt', 'responseDescription'], ({ times }) =>
  times('zeros-dropped'),
)

const tillAcceptedAnswer = envelope(201, 'Success', shortCodeAcceptedSchema)
const tillAnswer = readEnvelope('Success', tillRecord.schema)
const tillListAnswer = publishedEnvelope(200, 'Success', z.array(tillRecord.schema))
/** The published sample of this one read shows 201: assumption `status-read-code`. */
const tillStatusAnswer = envelope([200, 201], 'Success', shortCodeStatusSchema)

const tillQuery = request({
  fields: ({ requestId }) => ({
    requestId: requestId('specified'),
    companyId,
  }),
})
const allQuery = request({ fields: ({ publishedCompanyId }) => ({ companyId: publishedCompanyId() }) })

const tag = 'Till payouts'
const base = '/api/sandbox/v1/till'

const create = opens({
  id: 'createTillPayment',
  path: base,
  tag,
  summary: 'Pay a till',
  description: 'Accepted as PENDING; the final outcome is sent to callbackUrl.',
  basis: 'specified',
  source: 'specification, Till payouts; published till/post',
  body: tillRequest,
  answer: { status: 201, description: 'Accepted', schema: tillAcceptedAnswer },
  callback: finalOutcome(shortCodeStatusSchema),
  example: (baseUrl) => ({ businessNumber: '512345', ...shortCodeExample(baseUrl) }),
  accepted: (payment) => enveloped(201, 'Success', shortCodeAccepted(payment)),
})

const single = readsOne({
  id: 'getTillPayment',
  path: `${base}/single`,
  tag,
  summary: 'Read one till payment',
  basis: 'specified',
  source: 'specification, Till payouts; published till/get_single',
  query: tillQuery,
  answer: { status: 200, description: 'The payment', schema: tillAnswer },
  data: tillRecord.show,
})

const status = readsOne({
  id: 'getTillPaymentStatus',
  path: `${base}/status`,
  tag,
  summary: 'Read the status of a till payment',
  description: 'Answers 200, or 201 as its published sample does, by the assumption status-read-code.',
  basis: 'specified',
  source: 'specification, Till payouts; published till/get_status',
  query: tillQuery,
  answer: { status: 200, description: 'Its status', schema: tillStatusAnswer },
  statusUnder: (inForce) => Number(asChosen(inForce)['status-read-code']),
  data: shortCodeStatus,
})

const all = readsAll({
  id: 'listTillPayments',
  path: `${base}/all`,
  tag,
  summary: 'List till payments',
  basis: 'published',
  source: 'published till/get_all',
  query: allQuery,
  answer: { status: 200, description: 'All of them', schema: tillListAnswer },
  data: tillRecord.show,
})

export const till = kind({
  name: 'till',
  phrase: 'a till payment',
  direction: 'out',
  machine: payoutMachine('till'),
  request: tillRequest,
  party: { type: 'business', field: 'businessNumber', name: 'receiverName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: mobileMoneyFailure,
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: shortCodeOutcome,
  record: tillRecord,
  callback: { schema: shortCodeStatusSchema, to: 'request', body: shortCodeStatus },
  operations: [create, single, status, all],
})

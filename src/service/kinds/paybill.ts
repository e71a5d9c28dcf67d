/** Pays to an account under the short code of a business. */
import * as z from 'zod'
import { payoutMachine } from '../../core/lifecycle.ts'
import { enveloped, finalOutcome, opens, readsAll, readsOne, referenceUsed } from '../declared/operations.ts'
import { mobileMoneyFailure } from '../declared/party-fields.ts'
import { kind } from '../declared/payment-kind.ts'
import { touched } from '../declared/record-parts.ts'
import { envelope, publishedEnvelope, readEnvelope } from '../fields.ts'
import { request } from '../requests/request.ts'
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

// Requests and answers of paybill payments.

const paybillRequest = request({
  id: 'PaybillRequest',
  basis: 'specified',
  fields: ({ text, amount, httpUrl, referenceId }) => ({
    businessNumber: text('specified', 'The paybill that receives the money.', { max: 30, required: 'published' }),
    accountNumber: text('specified', 'The account under the paybill.', { max: 100, required: 'specified' }),
    amount: amount('specified', 'Kenyan shillings.', { required: 'published' }),
    remarks: text('specified', 'Free text.', { required: 'published' }),
    occasion: text('specified', 'Free text.', { required: 'published' }),
    callbackUrl: httpUrl('specified', 'Told the final outcome.', { required: 'published' }),
    referenceId: referenceId('specified'),
  }),
  rules: businessNumberRules,
})

const paybillRecord = shortCodeRecord(
  'PaybillPaymentRecord',
  ['responseDescription', 'transactionReceipt'],
  ({ times }) => times('six-digits', touched),
)

const paybillAcceptedAnswer = envelope(201, 'Success', shortCodeAcceptedSchema)
const paybillAnswer = publishedEnvelope(200, 'Success', paybillRecord.schema)
const paybillListAnswer = readEnvelope('Success', z.array(paybillRecord.schema))
const paybillStatusAnswer = publishedEnvelope(200, 'Success', shortCodeStatusSchema)

const paybillQuery = request({ fields: ({ requestId }) => ({ requestId: requestId('published') }) })

const tag = 'Paybill payouts'
const base = '/api/sandbox/v1/paybill'

const create = opens({
  id: 'createPaybillPayment',
  path: base,
  tag,
  summary: 'Pay a paybill',
  description:
    'Utilities, suppliers, statutory payments. Accepted as PENDING; the final outcome is sent to callbackUrl.',
  basis: 'specified',
  source: 'specification, Paybill payouts; published paybill/post',
  body: paybillRequest,
  answer: { status: 201, description: 'Accepted', schema: paybillAcceptedAnswer },
  callback: finalOutcome(shortCodeStatusSchema),
  example: (baseUrl) => ({ businessNumber: '400200', accountNumber: 'ACC-88', ...shortCodeExample(baseUrl) }),
  accepted: (payment) => enveloped(201, 'Success', shortCodeAccepted(payment)),
})

const all = readsAll({
  id: 'listPaybillPayments',
  path: `${base}/all`,
  tag,
  summary: 'List paybill payments',
  basis: 'specified',
  source: 'specification, Paybill payouts; published paybill/get_all',
  answer: { status: 200, description: 'All of them', schema: paybillListAnswer },
  data: paybillRecord.show,
})

const single = readsOne({
  id: 'getPaybillPayment',
  path: `${base}/single`,
  tag,
  summary: 'Read one paybill payment',
  basis: 'published',
  source: 'published paybill/get_single',
  query: paybillQuery,
  answer: { status: 200, description: 'The payment', schema: paybillAnswer },
  data: paybillRecord.show,
})

const status = readsOne({
  id: 'getPaybillPaymentStatus',
  path: `${base}/status`,
  tag,
  summary: 'Read the status of a paybill payment',
  basis: 'published',
  source: 'published paybill/get_status',
  query: paybillQuery,
  answer: { status: 200, description: 'Its status', schema: paybillStatusAnswer },
  data: shortCodeStatus,
})

export const paybill = kind({
  name: 'paybill',
  phrase: 'a paybill payment',
  direction: 'out',
  machine: payoutMachine('paybill'),
  request: paybillRequest,
  party: { type: 'business', field: 'businessNumber', name: 'receiverName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: mobileMoneyFailure,
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: shortCodeOutcome,
  record: paybillRecord,
  callback: { schema: shortCodeStatusSchema, to: 'request', body: shortCodeStatus },
  operations: [create, all, single, status],
})

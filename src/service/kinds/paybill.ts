/** Pays to an account under the short code of a business. */
import * as z from 'zod'
import { payoutMachine } from '../../core/machines.ts'
import type { View } from '../../core/model/kind.ts'
import type { Payment } from '../../core/model/payment.ts'
import { closedObject } from '../declared/lazy-objects.ts'
import { enveloped, finalOutcome, opens, readsAll, readsOne, referenceUsed } from '../declared/operations.ts'
import { mobileMoneyFailure, mobileMoneyFields } from '../declared/party-fields.ts'
import { kind } from '../declared/payment-kind.ts'
import { touched } from '../declared/record-parts.ts'
import { envelope, publishedEnvelope, readEnvelope } from '../fields.ts'
import { request } from '../requests/request.ts'
import {
  businessNumberRules,
  shortCodeAccepted,
  shortCodeAcceptedSchema,
  shortCodeExample,
  shortCodeFields,
  shortCodeHead,
  shortCodeOutcome,
  shortCodeStatus,
  shortCodeStatusSchema,
  shortCodeTail,
  type ToShortCode,
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

const { transactionReceipt, responseDescription } = shortCodeTail
const paybillRecordSchema = closedObject(() => ({ ...shortCodeHead, responseDescription, transactionReceipt })).meta({
  id: 'PaybillPaymentRecord',
  'x-basis': 'specified',
})

const paybillAcceptedAnswer = envelope(201, 'Success', shortCodeAcceptedSchema)
const paybillAnswer = publishedEnvelope(200, 'Success', paybillRecordSchema)
const paybillListAnswer = readEnvelope('Success', z.array(paybillRecordSchema))
const paybillStatusAnswer = publishedEnvelope(200, 'Success', shortCodeStatusSchema)

const paybillQuery = request({ fields: ({ requestId }) => ({ requestId: requestId('published') }) })

// Records of paybill payments.

/** `responseDescription` comes before the receipt. Published order. */
function paybillRecord(view: View, payment: Payment<ToShortCode>) {
  const { transactionReceipt, responseDescription, ...rest } = shortCodeFields(
    view,
    touched(view, payment),
    'six-digits',
  )
  return { ...rest, responseDescription, transactionReceipt }
}

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
  data: paybillRecord,
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
  data: paybillRecord,
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
  fields: mobileMoneyFields,
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: shortCodeOutcome,
  record: paybillRecord,
  callback: { schema: shortCodeStatusSchema, to: 'request', body: shortCodeStatus },
  operations: [create, all, single, status],
})

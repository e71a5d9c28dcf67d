/** Pays to an account under the short code of a business. */
import { payoutMachine } from '../../../core/machines.ts'
import { enveloped } from '../../declared/answers.ts'
import { finalOutcome, opens, referenceUsed } from '../../declared/opens.ts'
import { kind } from '../../declared/payment-kind.ts'
import { readsAll, readsOne } from '../../declared/reads.ts'
import { mobileMoneyFailure, mobileMoneyFields } from '../../families/mobile-money.ts'
import { shortCodeExample, shortCodeStatusSchema } from '../../families/short-code.ts'
import { shortCodeAccepted, shortCodeOutcome, shortCodeStatus } from '../../families/short-code-record.ts'
import {
  paybillAcceptedAnswer,
  paybillAnswer,
  paybillListAnswer,
  paybillQuery,
  paybillRequest,
  paybillStatusAnswer,
} from './contract.ts'
import { paybillRecord } from './record.ts'

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

/** Pays to the short code of a business, without an account. */
import { payoutMachine } from '../../../core/machines.ts'
import { asChosen } from '../../assumed/assumptions.ts'
import { enveloped } from '../../declared/answers.ts'
import { finalOutcome, opens, referenceUsed } from '../../declared/opens.ts'
import { kind } from '../../declared/payment-kind.ts'
import { readsAll, readsOne } from '../../declared/reads.ts'
import { mobileMoneyFailure, mobileMoneyFields } from '../../families/mobile-money.ts'
import { shortCodeExample, shortCodeStatusSchema } from '../../families/short-code.ts'
import { shortCodeAccepted, shortCodeOutcome, shortCodeStatus } from '../../families/short-code-record.ts'
import {
  allQuery,
  tillAcceptedAnswer,
  tillAnswer,
  tillListAnswer,
  tillQuery,
  tillRequest,
  tillStatusAnswer,
} from './contract.ts'
import { tillRecord } from './record.ts'

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
  data: tillRecord,
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
  data: tillRecord,
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
  fields: mobileMoneyFields,
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: shortCodeOutcome,
  record: tillRecord,
  callback: { schema: shortCodeStatusSchema, to: 'request', body: shortCodeStatus },
  operations: [create, single, status, all],
})

import { perform } from '../../../engine/perform.ts'
import { operation } from '../../../http/operation.ts'
import { asPlanned } from '../../../http/response-fault.ts'
import { toMinor } from '../../../model/money.ts'
import type { JsonObject } from '../../../model/payment.ts'
import { enveloped, findPayment, listed } from '../../reads.ts'
import { checkBusinessNumber, shortCodeStatusSchema } from '../../short-code.ts'
import { paybillRecord, shortCodeAccepted, shortCodeStatus } from '../../short-code-record.ts'
import {
  paybillAcceptedAnswer,
  paybillAnswer,
  paybillListAnswer,
  paybillRequest,
  paybillStatusAnswer,
  singleQuery,
} from './schema.ts'

const tag = 'Paybill payouts'
const base = '/api/sandbox/v1/paybill'

const create = operation({
  id: 'createPaybillPayment',
  method: 'post',
  path: base,
  tag,
  summary: 'Pay a paybill',
  description:
    'Utilities, suppliers, statutory payments. Accepted as PENDING; the final outcome is sent to callbackUrl.',
  basis: 'specified',
  source: 'specification, Paybill payouts; published paybill/post',
  auth: 'bearer',
  body: paybillRequest,
  answer: { status: 201, description: 'Accepted', schema: paybillAcceptedAnswer },
  callback: {
    schema: shortCodeStatusSchema,
    description: 'The final outcome',
    basis: 'published',
    url: '{$request.body#/callbackUrl}',
  },
  handle: ({ core, caller, body }) => {
    checkBusinessNumber(core, body.businessNumber)
    const { payment, replayed } = perform(core, {
      command: 'open-payment',
      kind: 'paybill',
      organisationId: caller.id,
      currency: 'KES',
      amountMinor: toMinor(body.amount) as number,
      request: body as JsonObject,
      referenceId: body.referenceId,
      callbackUrl: body.callbackUrl,
    })
    return { ...enveloped(201, 'Success', shortCodeAccepted(payment)), ...asPlanned(payment, replayed) }
  },
})

const all = operation({
  id: 'listPaybillPayments',
  method: 'get',
  path: `${base}/all`,
  tag,
  summary: 'List paybill payments',
  basis: 'specified',
  source: 'specification, Paybill payouts; published paybill/get_all',
  auth: 'bearer',
  answer: { status: 200, description: 'All of them', schema: paybillListAnswer },
  handle: ({ core, caller }) =>
    listed(core, 'Success', { kind: 'paybill', owner: caller }, (payment) => paybillRecord(core, payment)),
})

const single = operation({
  id: 'getPaybillPayment',
  method: 'get',
  path: `${base}/single`,
  tag,
  summary: 'Read one paybill payment',
  basis: 'published',
  source: 'published paybill/get_single',
  auth: 'bearer',
  query: singleQuery,
  answer: { status: 200, description: 'The payment', schema: paybillAnswer },
  handle: ({ core, caller, query }) =>
    enveloped(200, 'Success', paybillRecord(core, findPayment(core, caller, query.requestId, 'paybill'))),
})

const status = operation({
  id: 'getPaybillPaymentStatus',
  method: 'get',
  path: `${base}/status`,
  tag,
  summary: 'Read the status of a paybill payment',
  basis: 'published',
  source: 'published paybill/get_status',
  auth: 'bearer',
  query: singleQuery,
  answer: { status: 200, description: 'Its status', schema: paybillStatusAnswer },
  handle: ({ core, caller, query }) =>
    enveloped(200, 'Success', shortCodeStatus(findPayment(core, caller, query.requestId, 'paybill'))),
})

/** POST and reads of `paybill`. */
export const paybillOperations = [create, all, single, status]

import { perform } from '../../../engine/perform.ts'
import { hold } from '../../../http/limits.ts'
import { operation } from '../../../http/operation.ts'
import { asPlanned } from '../../../http/response-fault.ts'
import { toMinor } from '../../../model/money.ts'
import type { JsonObject } from '../../../model/payment.ts'
import { company, enveloped, findPayment, listed } from '../../reads.ts'
import { checkBusinessNumber, shortCodeStatusSchema } from '../../short-code.ts'
import { shortCodeAccepted, shortCodeStatus, tillRecord } from '../../short-code-record.ts'
import {
  allQuery,
  singleQuery,
  tillAcceptedAnswer,
  tillAnswer,
  tillListAnswer,
  tillRequest,
  tillStatusAnswer,
  tooLongTexts,
} from './schema.ts'

const tag = 'Till payouts'
const base = '/api/sandbox/v1/till'

const create = operation({
  id: 'createTillPayment',
  method: 'post',
  path: base,
  tag,
  summary: 'Pay a till',
  description: 'Accepted as PENDING; the final outcome is sent to callbackUrl.',
  basis: 'specified',
  source: 'specification, Till payouts; published till/post',
  auth: 'bearer',
  body: tillRequest,
  answer: { status: 201, description: 'Accepted', schema: tillAcceptedAnswer },
  callback: {
    schema: shortCodeStatusSchema,
    description: 'The final outcome',
    basis: 'published',
    url: '{$request.body#/callbackUrl}',
  },
  handle: ({ core, caller, body, warn }) => {
    checkBusinessNumber(core, body.businessNumber)
    hold(tooLongTexts(body), core.scenario.assumptions['text-limits'], warn)
    const { payment, replayed } = perform(core, {
      command: 'open-payment',
      kind: 'till',
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

const single = operation({
  id: 'getTillPayment',
  method: 'get',
  path: `${base}/single`,
  tag,
  summary: 'Read one till payment',
  basis: 'specified',
  source: 'specification, Till payouts; published till/get_single',
  auth: 'bearer',
  query: singleQuery,
  answer: { status: 200, description: 'The payment', schema: tillAnswer },
  handle: ({ core, caller, query }) => {
    const owner = company(core, caller, query.companyId)
    return enveloped(
      200,
      'Success',
      tillRecord(core, findPayment(core, caller, query.requestId, 'till', { company: owner })),
    )
  },
})

const status = operation({
  id: 'getTillPaymentStatus',
  method: 'get',
  path: `${base}/status`,
  tag,
  summary: 'Read the status of a till payment',
  description: 'Answers 200, or 201 as its published sample does, by the assumption status-read-code.',
  basis: 'specified',
  source: 'specification, Till payouts; published till/get_status',
  auth: 'bearer',
  query: singleQuery,
  answer: { status: 200, description: 'Its status', schema: tillStatusAnswer },
  statusUnder: (assumptions) => Number(assumptions['status-read-code']),
  handle: ({ core, caller, query }) => {
    const owner = company(core, caller, query.companyId)
    const payment = findPayment(core, caller, query.requestId, 'till', { company: owner })
    return enveloped(Number(core.scenario.assumptions['status-read-code']), 'Success', shortCodeStatus(payment))
  },
})

const all = operation({
  id: 'listTillPayments',
  method: 'get',
  path: `${base}/all`,
  tag,
  summary: 'List till payments',
  basis: 'published',
  source: 'published till/get_all',
  auth: 'bearer',
  query: allQuery,
  answer: { status: 200, description: 'All of them', schema: tillListAnswer },
  handle: ({ core, caller, query }) => {
    const owner = query.companyId === undefined ? caller : company(core, caller, query.companyId)
    return listed(core, 'Success', { kind: 'till', owner }, (payment) => tillRecord(core, payment))
  },
})

/** POST and reads of `till`. */
export const tillOperations = [create, single, status, all]

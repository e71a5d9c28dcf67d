import { z } from 'zod'
import { perform } from '../../../engine/perform.ts'
import { hold } from '../../../http/limits.ts'
import { operation } from '../../../http/operation.ts'
import { asPlanned } from '../../../http/response-fault.ts'
import { toMinor } from '../../../model/money.ts'
import type { JsonObject } from '../../../model/payment.ts'
import { envelope } from '../../fields.ts'
import { phoneOf } from '../../phone.ts'
import { enveloped, findPayment, listed } from '../../reads.ts'
import { stkAccepted, stkRecord, stkStatus } from './record.ts'
import {
  brokenLimits,
  fieldsOfOtherCurrencies,
  ledgerCurrency,
  STK_ACCEPTED,
  singleQuery,
  stkAcceptedAnswer,
  stkCallbackSchema,
  stkRecordSchema,
  stkRequest,
  stkStatusSchema,
} from './schema.ts'

const tag = 'Mobile collections'
const base = '/api/sandbox/v1/stk'

const create = operation({
  id: 'createStkCollection',
  method: 'post',
  path: `${base}/new`,
  tag,
  summary: 'Ask a payer to pay by phone prompt',
  description: 'The prompt goes to phoneNumber; the final outcome is sent to callbackUrl.',
  basis: 'published',
  source: 'published stk/post',
  auth: 'bearer',
  body: stkRequest,
  answer: { status: 201, description: 'Accepted', schema: stkAcceptedAnswer },
  callback: {
    schema: stkCallbackSchema,
    description: 'The final outcome',
    basis: 'published',
    url: '{$request.body#/callbackUrl}',
  },
  handle: ({ core, caller, body, unread, warn }) => {
    const currency = ledgerCurrency(body)
    const phoneNumber = phoneOf(core, body.phoneNumber, currency)
    hold(brokenLimits(body), core.scenario.assumptions['documented-limits'], warn)
    unread(...fieldsOfOtherCurrencies(body))
    const { payment, replayed } = perform(core, {
      command: 'open-payment',
      kind: 'stk',
      organisationId: caller.id,
      currency,
      amountMinor: toMinor(body.amount) as number,
      request: { ...body, phoneNumber } as JsonObject,
      referenceId: body.referenceId,
      callbackUrl: body.callbackUrl,
    })
    return { ...enveloped(201, STK_ACCEPTED, stkAccepted(payment)), ...asPlanned(payment, replayed) }
  },
})

const single = operation({
  id: 'getStkCollection',
  method: 'get',
  path: `${base}/single`,
  tag,
  summary: 'Read one mobile collection',
  basis: 'specified',
  source: 'specification, Collections; published stk/single',
  auth: 'bearer',
  query: singleQuery,
  answer: { status: 200, description: 'The collection', schema: envelope(200, 'Success', stkRecordSchema) },
  handle: ({ core, caller, query }) =>
    enveloped(200, 'Success', stkRecord(core, findPayment(core, caller, query.requestId, 'stk'))),
})

const status = operation({
  id: 'getStkCollectionStatus',
  method: 'get',
  path: `${base}/status`,
  tag,
  summary: 'Read the status of a mobile collection',
  basis: 'published',
  source: 'published stk/status',
  auth: 'bearer',
  query: singleQuery,
  answer: { status: 200, description: 'Its status', schema: envelope(200, 'Success', stkStatusSchema) },
  handle: ({ core, caller, query }) =>
    enveloped(200, 'Success', stkStatus(findPayment(core, caller, query.requestId, 'stk'))),
})

const all = operation({
  id: 'listStkCollections',
  method: 'get',
  path: `${base}/all`,
  tag,
  summary: 'List mobile collections',
  basis: 'published',
  source: 'published stk/all',
  auth: 'bearer',
  answer: { status: 200, description: 'All of them', schema: envelope(200, 'Success', z.array(stkRecordSchema)) },
  handle: ({ core, caller }) =>
    listed(core, 'Success', { kind: 'stk', owner: caller }, (payment) => stkRecord(core, payment)),
})

/** POST and reads of `stk`. */
export const stkOperations = [create, single, status, all]

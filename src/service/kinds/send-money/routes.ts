import { z } from 'zod'
import { perform } from '../../../engine/perform.ts'
import { operation } from '../../../http/operation.ts'
import { asPlanned } from '../../../http/response-fault.ts'
import { toMinor } from '../../../model/money.ts'
import type { JsonObject } from '../../../model/payment.ts'
import { envelope } from '../../fields.ts'
import { phoneOf } from '../../phone.ts'
import { company, enveloped, findPayment, listed } from '../../reads.ts'
import { sendMoneyAccepted, sendMoneyRecord, sendMoneyStatus } from './record.ts'
import {
  companyQuery,
  fieldsOfOtherCurrencies,
  ledgerCurrency,
  sendMoneyAcceptedAnswer,
  sendMoneyRecordSchema,
  sendMoneyRequest,
  sendMoneyStatusSchema,
  singleQuery,
  statusQuery,
} from './schema.ts'

const tag = 'Mobile money payouts'
const base = '/api/sandbox/v1/send-money'

const create = operation({
  id: 'createSendMoney',
  method: 'post',
  path: base,
  tag,
  summary: 'Send money to a mobile wallet',
  description: 'Accepted as PENDING; the final outcome is sent to callbackUrl.',
  basis: 'specified',
  source: 'specification, Mobile money payouts; published b2c/post',
  auth: 'bearer',
  body: sendMoneyRequest,
  answer: { status: 201, description: 'Accepted', schema: sendMoneyAcceptedAnswer },
  callback: {
    schema: sendMoneyStatusSchema,
    description: 'The final outcome',
    basis: 'published',
    url: '{$request.body#/callbackUrl}',
  },
  handle: ({ core, caller, body, unread }) => {
    const currency = ledgerCurrency(body)
    const phoneNumber = phoneOf(core, body.phoneNumber, currency)
    unread(...fieldsOfOtherCurrencies(body))
    const { payment, replayed } = perform(core, {
      command: 'open-payment',
      kind: 'send-money',
      organisationId: caller.id,
      currency,
      amountMinor: toMinor(body.amount) as number,
      request: { ...body, phoneNumber } as JsonObject,
      referenceId: body.referenceId,
      callbackUrl: body.callbackUrl,
    })
    return { ...enveloped(201, 'Success', sendMoneyAccepted(payment)), ...asPlanned(payment, replayed) }
  },
})

const single = operation({
  id: 'getSendMoney',
  method: 'get',
  path: `${base}/single`,
  tag,
  summary: 'Read one payout',
  basis: 'specified',
  source: 'specification, Mobile money payouts; published b2c/get_single',
  auth: 'bearer',
  query: singleQuery,
  answer: { status: 200, description: 'The payout', schema: envelope(200, 'Success', sendMoneyRecordSchema) },
  handle: ({ core, caller, query }) => {
    const owner = company(core, caller, query.companyId)
    return enveloped(
      200,
      'Success',
      sendMoneyRecord(core, findPayment(core, caller, query.requestId, 'send-money', { company: owner })),
    )
  },
})

const all = operation({
  id: 'listSendMoney',
  method: 'get',
  path: `${base}/all`,
  tag,
  summary: 'List the payouts of a company',
  basis: 'specified',
  source: 'specification, Mobile money payouts; published b2c/get_all',
  auth: 'bearer',
  query: companyQuery,
  answer: { status: 200, description: 'All of them', schema: envelope(200, 'Success', z.array(sendMoneyRecordSchema)) },
  handle: ({ core, caller, query }) =>
    listed(core, 'Success', { kind: 'send-money', owner: company(core, caller, query.companyId) }, (payment) =>
      sendMoneyRecord(core, payment),
    ),
})

const status = operation({
  id: 'getSendMoneyStatus',
  method: 'get',
  path: `${base}/status`,
  tag,
  summary: 'Read the status of a payout',
  basis: 'published',
  source: 'published b2c/get_status',
  auth: 'bearer',
  query: statusQuery,
  answer: { status: 200, description: 'Its status', schema: envelope(200, 'Success', sendMoneyStatusSchema) },
  handle: ({ core, caller, query }) => {
    const owner = query.companyId === undefined ? undefined : company(core, caller, query.companyId)
    return enveloped(
      200,
      'Success',
      sendMoneyStatus(findPayment(core, caller, query.requestId, 'send-money', { company: owner })),
    )
  },
})

/** POST and reads of `send-money`. */
export const sendMoneyOperations = [create, single, all, status]

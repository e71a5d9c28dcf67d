import { perform } from '../../../engine/perform.ts'
import { operation } from '../../../http/operation.ts'
import { asPlanned } from '../../../http/response-fault.ts'
import { toMinor } from '../../../model/money.ts'
import type { JsonObject } from '../../../model/payment.ts'
import { enveloped, findPayment, listed } from '../../reads.ts'
import { bankPayoutAccepted, bankPayoutRecord, verificationAccepted } from './record.ts'
import {
  bankPayoutAcceptedAnswer,
  bankPayoutAnswer,
  bankPayoutCallbackSchema,
  bankPayoutListAnswer,
  bankPayoutRequest,
  singleQuery,
  verificationAcceptedAnswer,
  verificationCallbackSchema,
  verifyAccountRequest,
} from './schema.ts'

const tag = 'Bank payouts'
const base = '/api/sandbox/v1/bank/payout'

const create = operation({
  id: 'createBankPayout',
  method: 'post',
  path: `${base}/new`,
  tag,
  summary: 'Pay out to a Kenyan bank account',
  description: 'Accepted as PENDING; the final outcome is sent to callbackUrl.',
  basis: 'specified',
  source: 'specification, Bank payouts; published bank_payouts/pesalink/post',
  auth: 'bearer',
  body: bankPayoutRequest,
  answer: { status: 201, description: 'Accepted', schema: bankPayoutAcceptedAnswer },
  callback: {
    schema: bankPayoutCallbackSchema,
    description: 'The final outcome',
    basis: 'published',
    url: '{$request.body#/callbackUrl}',
  },
  handle: ({ core, caller, body }) => {
    const { payment, replayed } = perform(core, {
      command: 'open-payment',
      kind: 'bank-payout',
      organisationId: caller.id,
      currency: 'KES',
      amountMinor: toMinor(body.amount) as number,
      request: body as JsonObject,
      referenceId: body.referenceId,
      callbackUrl: body.callbackUrl,
    })
    return { ...enveloped(201, 'Success', bankPayoutAccepted(payment)), ...asPlanned(payment, replayed) }
  },
})

const single = operation({
  id: 'getBankPayout',
  method: 'get',
  path: `${base}/single`,
  tag,
  summary: 'Read one bank payout',
  description: 'The data is an array with this one record.',
  basis: 'specified',
  source: 'specification, Bank payouts; published bank_payouts/pesalink/get-single',
  auth: 'bearer',
  query: singleQuery,
  answer: { status: 200, description: 'The payout, in an array', schema: bankPayoutAnswer },
  handle: ({ core, caller, query }) =>
    enveloped(200, 'SUCCESS', [bankPayoutRecord(core, findPayment(core, caller, query.requestId, 'bank-payout'))]),
})

const all = operation({
  id: 'listBankPayouts',
  method: 'get',
  path: `${base}/all`,
  tag,
  summary: 'List bank payouts',
  basis: 'specified',
  source: 'specification, Bank payouts; published bank_payouts/pesalink/get-all',
  auth: 'bearer',
  answer: { status: 200, description: 'All of them', schema: bankPayoutListAnswer },
  handle: ({ core, caller }) =>
    listed(core, 'SUCCESS', { kind: 'bank-payout', owner: caller }, (payment) => bankPayoutRecord(core, payment)),
})

const verify = operation({
  id: 'verifyBankAccount',
  method: 'post',
  path: `${base}/verify-account`,
  tag,
  summary: 'Look up the holder of a bank account',
  description: "The holder's name is sent to callbackUrl.",
  basis: 'published',
  source: 'published bank_payouts/pesalink/verify-account (unlisted)',
  auth: 'bearer',
  only: { assumption: 'unlisted-operations', is: 'on' },
  body: verifyAccountRequest,
  answer: { status: 201, description: 'Accepted', schema: verificationAcceptedAnswer },
  callback: {
    schema: verificationCallbackSchema,
    description: 'What was found',
    basis: 'published',
    url: '{$request.body#/callbackUrl}',
  },
  handle: ({ core, caller, body }) => {
    const { payment, replayed } = perform(core, {
      command: 'open-payment',
      kind: 'account-verification',
      organisationId: caller.id,
      currency: 'KES',
      amountMinor: 0,
      request: body as JsonObject,
      callbackUrl: body.callbackUrl,
    })
    return { ...enveloped(201, 'SUCCESS', verificationAccepted(payment)), ...asPlanned(payment, replayed) }
  },
})

/** POST and reads of `bank/payout`. */
export const bankPayoutOperations = [create, single, all, verify]

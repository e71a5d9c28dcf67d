/** Tanzania payouts and collections. They start like all others, and are read under paths of their own. */

import type { View } from '../../core/model/kind.ts'
import type { Payment } from '../../core/model/payment.ts'
import { grounded } from '../../http/json-schema.ts'
import { operation, type RequiredHeader } from '../../http/operation.ts'
import { chosen } from '../assumed/assumptions.ts'
import { enveloped, findOwnPayment, paymentReasons } from '../declared/operations.ts'
import { readEnvelope } from '../fields.ts'
import { type SendMoneyRequest, sendMoney, sendMoneyRecord } from '../kinds/send-money.ts'
import { type StkRequest, stk, stkRecord } from '../kinds/stk.ts'
import { request } from '../requests/request.ts'

// Queries and answers of the Tanzania reads.

/** Status and text of the envelope are from a withdrawn page; the records are specified. */
const tanzaniaPayoutAnswer = readEnvelope('SUCCESS', sendMoneyRecord.schema)
const tanzaniaCollectionAnswer = readEnvelope('SUCCESS', stkRecord.schema)

const tanzaniaQuery = request({ fields: ({ requestId }) => ({ requestId: requestId('specified') }) })

const deviceId: RequiredHeader = {
  name: 'Device-Id',
  why: 'identifies the calling device or client',
  schema: {
    type: 'string',
    pattern: '\\S',
    description: 'Identifies the calling device or client; any text.',
    'x-basis': 'specified',
    'x-constraints': { required: grounded('specified'), pattern: grounded('blank-text') },
  },
}

const common = {
  method: 'get',
  tag: 'Tanzania',
  basis: 'specified',
  auth: 'bearer',
  headers: [deviceId],
  errorForm: 'tz-error-body',
  query: tanzaniaQuery,
  refuses: paymentReasons,
} as const

export const tanzaniaPayout = operation({
  ...common,
  id: 'getTanzaniaPayout',
  path: '/api/v1/tz/spending/single',
  summary: 'Read one Tanzania payout',
  description: 'A payout made by POST send-money with currencyCode TZS.',
  source: 'specification, Mobile money payouts; published b2c/get_single_tz',
  answer: { status: 200, description: 'The payout', schema: tanzaniaPayoutAnswer },
  handle: (call) => {
    const { core, query } = call
    const payment = findOwnPayment(call, query.requestId, sendMoney, { currency: 'TZS' })
    return enveloped(200, 'SUCCESS', tanzaniaPayoutRecord(core, payment))
  },
})

export const tanzaniaCollection = operation({
  ...common,
  id: 'getTanzaniaCollection',
  path: '/api/v1/tz/collections/single',
  summary: 'Read one Tanzania collection',
  description: 'A collection made by POST stk/new with currencyCode TZS.',
  source: 'specification, Collections; published stk/get_single_tz',
  answer: { status: 200, description: 'The collection', schema: tanzaniaCollectionAnswer },
  handle: (call) => {
    const { core, query } = call
    const payment = findOwnPayment(call, query.requestId, stk, { currency: 'TZS' })
    return enveloped(200, 'SUCCESS', tanzaniaCollectionRecord(core, payment))
  },
})

// Records of payouts and collections in Tanzania.

/** The record of mobile money payouts. Specified. */
function tanzaniaPayoutRecord(view: View, payment: Payment<SendMoneyRequest>) {
  return { ...sendMoneyRecord.show(view, payment), status: statusWord(view, payment) }
}

/** The record of STK collections. Specified. */
function tanzaniaCollectionRecord(view: View, payment: Payment<StkRequest>) {
  return { ...stkRecord.show(view, payment), status: statusWord(view, payment) }
}

/** A pending payment has been accepted by the operator, and which word says so is assumed (`tz-status-word`). */
function statusWord(view: View, payment: Payment): string {
  return payment.status === 'PENDING' ? chosen(view)['tz-status-word'] : payment.status
}

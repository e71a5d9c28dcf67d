/** Tanzania payouts and collections. They start like all others, and are read under paths of their own. */

import type { View } from '../../core/model/kind.ts'
import type { Payment } from '../../core/model/payment.ts'
import { grounded } from '../../http/json-schema.ts'
import { type Operation, operation, type RequiredHeader } from '../../http/operation.ts'
import { chosen } from '../assumptions/assumptions.ts'
import { enveloped, findOwnPayment, paymentReasons } from '../declarations/lookups.ts'
import { type ServedKind, specifiedById } from '../declarations/payment-kind.ts'
import type { PaymentRecord } from '../declarations/record.ts'
import { readEnvelope } from '../fields.ts'
import { sendMoney, sendMoneyRecord } from '../kinds/send-money.ts'
import { stk, stkRecord } from '../kinds/stk.ts'

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

/** Status and text of the envelope are from a withdrawn page; the records are specified. */
function reads<Request>(
  contract: Pick<Operation, 'id' | 'path' | 'summary' | 'description' | 'source'>,
  noun: string,
  kind: ServedKind<Request>,
  record: PaymentRecord<Request>,
) {
  return operation({
    ...contract,
    method: 'get',
    tag: 'Tanzania',
    headers: [deviceId],
    errorForm: 'tz-error-body',
    query: specifiedById,
    refuses: paymentReasons,
    answer: { status: 200, description: `The ${noun}`, schema: readEnvelope('SUCCESS', record.schema) },
    handle: (call) => {
      const { core, query } = call
      const payment = findOwnPayment(call, query.requestId, kind, { currency: 'TZS' })
      return enveloped(200, 'SUCCESS', { ...record.show(core, payment), status: statusWord(core, payment) })
    },
  })
}

export const tanzaniaPayout = reads(
  {
    id: 'getTanzaniaPayout',
    path: '/api/v1/tz/spending/single',
    summary: 'Read one Tanzania payout',
    description: 'A payout made by POST send-money with currencyCode TZS.',
    source: 'specification, Mobile money payouts; published b2c/get_single_tz',
  },
  'payout',
  sendMoney,
  sendMoneyRecord,
)

export const tanzaniaCollection = reads(
  {
    id: 'getTanzaniaCollection',
    path: '/api/v1/tz/collections/single',
    summary: 'Read one Tanzania collection',
    description: 'A collection made by POST stk/new with currencyCode TZS.',
    source: 'specification, Collections; published stk/get_single_tz',
  },
  'collection',
  stk,
  stkRecord,
)

/** A pending payment has been accepted by the operator, and which word says so is assumed (`tz-status-word`). */
function statusWord<Request>(view: View, payment: Payment<Request>): string {
  return payment.status === 'PENDING' ? chosen(view)['tz-status-word'] : payment.status
}

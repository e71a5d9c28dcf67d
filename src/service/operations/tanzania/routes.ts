/** Tanzania payouts and collections. They start like all others, and are read under paths of their own. */
import { operation } from '../../../http/operation.ts'
import { enveloped } from '../../declared/answers.ts'
import { findOwnPayment, paymentReasons } from '../../declared/find.ts'
import { sendMoney } from '../../kinds/send-money/send-money.ts'
import { stk } from '../../kinds/stk/stk.ts'
import { tanzaniaCollectionRecord, tanzaniaPayoutRecord } from './record.ts'
import { deviceId, tanzaniaCollectionAnswer, tanzaniaPayoutAnswer, tanzaniaQuery } from './schema.ts'

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

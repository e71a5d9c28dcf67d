import { operation } from '../../../http/operation.ts'
import { enveloped, findPayment } from '../../reads.ts'
import { tanzaniaCollectionRecord, tanzaniaPayoutRecord } from './record.ts'
import { deviceId, singleQuery, tanzaniaCollectionAnswer, tanzaniaPayoutAnswer } from './schema.ts'

const tag = 'Tanzania'

/** GET `tz/spending/single`. */
export const tanzaniaPayout = operation({
  id: 'getTanzaniaPayout',
  method: 'get',
  path: '/api/v1/tz/spending/single',
  tag,
  summary: 'Read one Tanzania payout',
  description: 'A payout made by POST send-money with currencyCode TZS.',
  basis: 'specified',
  source: 'specification, Mobile money payouts; published b2c/get_single_tz',
  auth: 'bearer',
  headers: [deviceId],
  query: singleQuery,
  answer: { status: 200, description: 'The payout', schema: tanzaniaPayoutAnswer },
  handle: ({ core, caller, query }) =>
    enveloped(
      200,
      'SUCCESS',
      tanzaniaPayoutRecord(core, findPayment(core, caller, query.requestId, 'send-money', { currency: 'TZS' })),
    ),
})

/** GET `tz/collections/single`. */
export const tanzaniaCollection = operation({
  id: 'getTanzaniaCollection',
  method: 'get',
  path: '/api/v1/tz/collections/single',
  tag,
  summary: 'Read one Tanzania collection',
  description: 'A collection made by POST stk/new with currencyCode TZS.',
  basis: 'specified',
  source: 'specification, Collections; published stk/get_single_tz',
  auth: 'bearer',
  headers: [deviceId],
  query: singleQuery,
  answer: { status: 200, description: 'The collection', schema: tanzaniaCollectionAnswer },
  handle: ({ core, caller, query }) =>
    enveloped(
      200,
      'SUCCESS',
      tanzaniaCollectionRecord(core, findPayment(core, caller, query.requestId, 'stk', { currency: 'TZS' })),
    ),
})

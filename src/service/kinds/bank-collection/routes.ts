import { operation } from '../../../http/operation.ts'
import { enveloped, findPayment, listed } from '../../reads.ts'
import { bankCollectionRecord } from './record.ts'
import { bankCollectionAnswer, bankCollectionListAnswer, singleQuery } from './schema.ts'

const tag = 'Bank collections'
const base = '/api/sandbox/v1/bank/collection'

const all = operation({
  id: 'listBankCollections',
  method: 'get',
  path: `${base}/all`,
  tag,
  summary: "List the payments into the organisation's bank account",
  basis: 'specified',
  source: 'specification, Collections; published bank_collections/get-all',
  auth: 'bearer',
  answer: { status: 200, description: 'All of them', schema: bankCollectionListAnswer },
  handle: ({ core, caller }) =>
    listed(core, 'OK', { kind: 'bank-collection', owner: caller }, (payment) => bankCollectionRecord(core, payment)),
})

const single = operation({
  id: 'getBankCollection',
  method: 'get',
  path: `${base}/single`,
  tag,
  summary: 'Read one bank collection',
  basis: 'published',
  source: 'published bank_collections/get-single',
  auth: 'bearer',
  query: singleQuery,
  answer: { status: 200, description: 'The collection', schema: bankCollectionAnswer },
  handle: ({ core, caller, query }) =>
    enveloped(200, 'OK', bankCollectionRecord(core, findPayment(core, caller, query.requestId, 'bank-collection'))),
})

/** Reads of `bank/collection`. */
export const bankCollectionOperations = [all, single]

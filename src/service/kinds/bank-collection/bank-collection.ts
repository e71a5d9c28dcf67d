/** A customer pays into the organisation's bank account. No request of the merchant starts it. */

import { arrivalMachine } from '../../../core/machines.ts'
import { toMinor } from '../../../core/model/money.ts'
import { must } from '../../../core/model/must.ts'
import { kind } from '../../declared/payment-kind.ts'
import { readsAll, readsOne } from '../../declared/reads.ts'
import type { Collection } from '../../parts.ts'
import {
  type BankCollectionRequest,
  bankCollectionAnswer,
  bankCollectionListAnswer,
  bankCollectionQuery,
  bankCollectionRequest,
  bankCollectionSchema,
} from './contract.ts'
import { bankCollectionRecord } from './record.ts'

const tag = 'Bank collections'
const base = '/api/sandbox/v1/bank/collection'

const all = readsAll({
  id: 'listBankCollections',
  path: `${base}/all`,
  tag,
  summary: "List the payments into the organisation's bank account",
  basis: 'specified',
  source: 'specification, Collections; published bank_collections/get-all',
  answer: { status: 200, description: 'All of them', schema: bankCollectionListAnswer },
  data: bankCollectionRecord,
})

const single = readsOne({
  id: 'getBankCollection',
  path: `${base}/single`,
  tag,
  summary: 'Read one bank collection',
  basis: 'published',
  source: 'published bank_collections/get-single',
  query: bankCollectionQuery,
  answer: { status: 200, description: 'The collection', schema: bankCollectionAnswer },
  data: bankCollectionRecord,
})

const intoAccount: Collection<BankCollectionRequest> = {
  way: 'bank',
  phrase: 'a customer pays into the account',
  given: bankCollectionRequest,
  asked: (_core, given, organisation) => ({
    currency: 'KES',
    amountMinor: must(toMinor(given.amount)),
    request: {
      amount: given.amount,
      // Money into a wallet names its owner by the unique reference (published, wallet funding).
      accountNumber: given.accountNumber ?? `99000${organisation.uniqueReference}`,
      description: given.description ?? 'Payment received',
    },
  }),
}

export const bankCollection = kind({
  name: 'bank-collection',
  phrase: 'a bank collection',
  direction: 'in',
  machine: arrivalMachine('bank-collection'),
  request: bankCollectionRequest,
  party: null,
  ends: ['SUCCESS'],
  // The payer's text, as the banks pass it on.
  fields: { description: 'text', accountnumber: 'text', customerid: 'text' },
  record: bankCollectionRecord,
  callback: {
    schema: bankCollectionSchema,
    to: 'organisation',
    unless: { assumption: 'bank-collection-callback', is: 'none' },
    withoutStatus: true,
    body: bankCollectionRecord,
  },
  webhook: {
    name: 'bankCollection',
    title: 'Bank collection',
    to: 'collectionCallbackUrl',
    schema: bankCollectionSchema,
    description:
      'A payment into the bank account. Sent to the collectionCallbackUrl of the organisation; no source shows the body.',
    basis: 'assumed',
    source: 'assumption bank-collection-callback',
  },
  collections: [intoAccount],
  operations: [all, single],
})

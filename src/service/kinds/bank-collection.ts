/** A customer pays into the organisation's bank account. No request of the merchant starts it. */
import * as z from 'zod'
import { arrivalMachine } from '../../core/machines.ts'
import { DIGITS, UPPER_ALPHANUMERIC } from '../../core/model/chance.ts'
import type { View } from '../../core/model/kind.ts'
import { toMajor, toMinor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import type { Payment } from '../../core/model/payment.ts'
import { closedObject } from '../declared/lazy-objects.ts'
import { readsAll, readsOne } from '../declared/operations.ts'
import { kind } from '../declared/payment-kind.ts'
import { isParent, localDate, parentSummary, timestamps } from '../declared/record-parts.ts'
import {
  amount,
  answered,
  known,
  localTimestamp,
  parentOrganisationSchema,
  publishedEnvelope,
  readEnvelope,
  recordUuid,
  text,
  usual,
  uuid,
} from '../fields.ts'
import type { Collection } from '../parts.ts'
import { request } from '../requests/request.ts'

// Payments and answers of bank collections.

/** Sent by an operator for the customer, never by a merchant. */
const bankCollectionRequest = closedObject(() => ({
  amount: amount('assumed', 'What was paid in.'),
  accountNumber: text('assumed', 'The account that is paid into.', { max: 34 }).optional(),
  description: text('assumed', "The payer's narration.").optional(),
  organisationId: z.string().optional().describe('Uuid of the organisation that is paid. Default: the first.'),
}))
type BankCollectionRequest = z.infer<typeof bankCollectionRequest>

const bankCollectionSchema = closedObject(() => ({
  id: answered.id,
  uuid: recordUuid('specified', 'What the single read calls requestId.'),
  customerid: known('specified', 'Five digits in the published sample.', z.string()),
  transactionref: usual(
    known('specified', 'Eleven letters and digits in the published sample.', z.string()),
    'S…',
    'published',
  ),
  paymentmode: usual(known('specified', 'PESALINK is the only value seen.', z.string()), 'PESALINK', 'specified'),
  transactiondate: known('specified', 'A date.', z.string().regex(/^\d{4}-\d\d-\d\d$/), { pattern: 'specified' }),
  accountnumber: usual(known('specified', 'The account that was paid into.', z.string()), '99000…', 'published'),
  amount: known('specified', 'Numeric text.', z.string().regex(/^\d+(?:\.\d{1,2})?$/), {
    pattern: 'convention: cents in the text of a bank collection',
  }),
  description: known('specified', "The payer's narration.", z.string()),
  organisation: closedObject(() => ({
    uuid: known('specified', 'The organisation.', z.string()),
    name: known('specified', 'Its name.', z.string()),
    phoneNumber: known('specified', 'Its phone number.', z.string()),
    environment: usual(
      known('specified', '`sandbox` in the published sample.', z.string().nullable()),
      'sandbox',
      'published',
    ),
    collectionCallbackUrl: known('specified', 'Told of collections.', z.string().nullable()),
    parentOrganisation: known('specified', 'Null for a parent.', parentOrganisationSchema.nullable()),
    parent: known('specified', 'It has sub-accounts; false in the published sample.', z.boolean()),
  })).meta({ id: 'CollectingOrganisation', 'x-basis': 'specified' }),
  createdAt: localTimestamp,
  updatedAt: localTimestamp,
})).meta({ id: 'BankCollectionRecord', 'x-basis': 'specified' })

const bankCollectionAnswer = publishedEnvelope(200, 'OK', bankCollectionSchema)
const bankCollectionListAnswer = readEnvelope('OK', z.array(bankCollectionSchema))

const bankCollectionQuery = request({
  fields: () => ({
    requestId: uuid('published', "The collection's uuid.", { required: 'published' }),
  }),
})

// Records of bank collections.

/** Its own form of organisation, and the amount as text. Fields specified, order published. */
function bankCollectionRecord(view: View, payment: Payment<BankCollectionRequest>) {
  const organisation = view.store.organisations.byId(payment.organisationId)
  const { request, details } = payment
  const draw = view.ids.of('bank-collection', payment.seq)
  return {
    id: payment.id,
    uuid: payment.uuid,
    customerid: details['customerid'] ?? draw.text(5, DIGITS.slice(1)),
    transactionref: `S${draw.text(10, UPPER_ALPHANUMERIC)}`,
    paymentmode: 'PESALINK',
    transactiondate: localDate(view, payment.createdAtUs),
    accountnumber: details['accountnumber'] ?? request.accountNumber,
    amount: String(toMajor(payment.amountMinor)),
    description: details['description'] ?? request.description,
    organisation: {
      uuid: organisation.uuid,
      name: organisation.name,
      phoneNumber: organisation.phoneNumber,
      environment: 'sandbox',
      collectionCallbackUrl: organisation.collectionCallbackUrl,
      parentOrganisation: organisation.parentId === null ? null : parentSummary(view, organisation.parentId),
      parent: isParent(view, organisation),
    },
    ...timestamps(view, payment, 'six-digits'),
  }
}

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

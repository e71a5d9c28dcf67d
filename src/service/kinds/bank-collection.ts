/** A customer pays into the organisation's bank account. No request of the merchant starts it. */
import * as z from 'zod'
import { lifecycle } from '../../core/lifecycle.ts'
import { DIGITS, UPPER_ALPHANUMERIC } from '../../core/model/chance.ts'
import { toMajor, toMinor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { kind } from '../declarations/payment-kind.ts'
import {
  field,
  form,
  isParent,
  localDate,
  parentOf,
  parentOrganisation,
  part,
  type RecordSource,
  record,
  settable,
  shared,
  times,
} from '../declarations/record.ts'
import { amount, answered, closedObject, text, uuid } from '../fields.ts'
import type { Collection } from '../parts.ts'
import { request } from '../requests/request.ts'

/** Sent by an operator for the customer, never by a merchant. */
const bankCollectionRequest = closedObject(() => ({
  amount: amount('assumed', 'The amount that was paid in.'),
  accountNumber: text('assumed', 'The account that is paid into.', { max: 34 }).optional(),
  description: text('assumed', "The payer's narration.").optional(),
  organisationId: z.string().optional().describe('Uuid of the organisation that is paid. Default: the first.'),
}))
type BankCollectionRequest = z.infer<typeof bankCollectionRequest>

const collectingOrganisation = part<Organisation>('CollectingOrganisation', 'specified', {
  uuid: field('The organisation.', form.text),
  name: field('Its name.', form.text),
  phoneNumber: field('Its phone number.', form.text),
  environment: field('`sandbox` in the published sample.', { ...form.textOrNull, usual: 'published' }, 'sandbox'),
  collectionCallbackUrl: field('Told of collections.', form.textOrNull),
  parentOrganisation: field('Null for a parent.', { schema: parentOrganisation.schema.nullable() }, ({ view, of }) =>
    parentOf(view, of),
  ),
  parent: field('It has sub-accounts; false in the published sample.', form.yesOrNo, ({ view, of }) =>
    isParent(view, of),
  ),
})

/** Its own form of organisation, and the amount as text. Fields specified, order published. */
const bankCollectionRecord = record<BankCollectionRequest>('BankCollectionRecord', 'specified', {
  id: shared(answered.id, 'id'),
  uuid: shared(uuid('specified', 'The single read calls it requestId.'), 'uuid'),
  customerid: settable('Five digits in the published sample.', form.text, (shown) => drawn(shown).customerid),
  transactionref: field(
    'Eleven letters and digits in the published sample.',
    { ...form.text, usual: ['S…', 'published'] },
    (shown) => drawn(shown).transactionref,
  ),
  paymentmode: field('PESALINK is the only value seen.', { ...form.text, usual: 'specified' }, 'PESALINK'),
  transactiondate: field(
    'A date.',
    { schema: z.string().regex(/^\d{4}-\d\d-\d\d$/), grounds: { pattern: 'specified' } },
    ({ view, payment }) => localDate(view, payment.createdAtUs),
  ),
  accountnumber: settable(
    'The account that was paid into.',
    { ...form.text, usual: ['99000…', 'published'] },
    ({ request }) => request.accountNumber,
  ),
  amount: field(
    'Numeric text.',
    {
      schema: z.string().regex(/^\d+(?:\.\d{1,2})?$/),
      grounds: { pattern: 'convention: cents in the text of a bank collection' },
    },
    ({ payment }) => String(toMajor(payment.amountMinor)),
  ),
  description: settable("The payer's narration.", form.text, ({ request }) => request.description),
  organisation: shared(collectingOrganisation.schema, ({ view, payment }) =>
    collectingOrganisation.show(view, view.store.organisations.byId(payment.organisationId)),
  ),
  ...times('six-digits'),
})

/** Drawn one after the other, so that a number which was set leaves its draw to the reference. */
function drawn({ view, payment, details }: RecordSource<BankCollectionRequest>) {
  const draw = view.ids.of('bank-collection', payment.seq)
  return {
    customerid: details['customerid'] ?? draw.text(5, DIGITS.slice(1)),
    transactionref: `S${draw.text(10, UPPER_ALPHANUMERIC)}`,
  }
}

const bankCollectionQuery = request({
  fields: () => ({
    requestId: uuid('published', "The collection's uuid.", { required: 'published' }),
  }),
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
  tag: 'Bank collections',
  base: '/api/sandbox/v1/bank/collection',
  noun: 'collection',
  message: 'OK',
  direction: 'in',
  /** The service shows it only once it has arrived. */
  machine: lifecycle().createMachine({
    id: 'bank-collection',
    context: ({ input }) => input,
    initial: 'SUCCESS',
    states: { SUCCESS: { entry: ['move', 'notify'] } },
  }),
  request: bankCollectionRequest,
  party: null,
  ends: ['SUCCESS'],
  record: bankCollectionRecord,
  callback: {
    record: bankCollectionRecord,
    to: 'organisation',
    unless: { assumption: 'bank-collection-callback', is: 'none' },
    withoutStatus: true,
  },
  webhook: {
    name: 'bankCollection',
    title: 'Bank collection',
    to: 'collectionCallbackUrl',
    schema: bankCollectionRecord.schema,
    description:
      'A payment into the bank account. Sent to the collectionCallbackUrl of the organisation; no source shows the body.',
    basis: 'assumed',
    source: 'assumption bank-collection-callback',
  },
  collections: [intoAccount],
  operations: ({ all, single }) => [
    all({
      id: 'listBankCollections',
      summary: "List the payments into the organisation's bank account",
      source: 'specification, Collections; published bank_collections/get-all',
    }),
    single({
      id: 'getBankCollection',
      summary: 'Read one bank collection',
      source: 'published bank_collections/get-single',
      query: bankCollectionQuery,
    }),
  ],
})

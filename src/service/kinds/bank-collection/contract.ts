/** Payments and answers of bank collections. */
import * as z from 'zod'
import { closedObject, openObject } from '../../declared/lazy-objects.ts'
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
} from '../../fields.ts'

/** Sent by an operator for the customer, never by a merchant. */
export const bankCollectionRequest = closedObject(() => ({
  amount: amount('assumed', 'What was paid in.'),
  accountNumber: text('assumed', 'The account that is paid into.', { max: 34 }).optional(),
  description: text('assumed', "The payer's narration.").optional(),
  organisationId: z.string().optional(),
}))
export type BankCollectionRequest = z.infer<typeof bankCollectionRequest>

export const bankCollectionSchema = closedObject(() => ({
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

export const bankCollectionAnswer = publishedEnvelope(200, 'OK', bankCollectionSchema)
export const bankCollectionListAnswer = readEnvelope('OK', z.array(bankCollectionSchema))

export const bankCollectionQuery = openObject(() => ({
  requestId: uuid('published', "The collection's uuid.", { required: 'published' }),
}))

/** Requests and answers of sub-accounts. */
import * as z from 'zod'
import { closedObject, openObject } from '../../declared/lazy-objects.ts'
import {
  CONTACT_FORMS,
  constrained,
  envelope,
  type Grounds,
  INVENTED_LIMITS,
  known,
  localTimestamp,
  parentOrganisationSchema,
  publishedEnvelope,
  recordUuid,
  text,
  UNMARKED,
  usual,
} from '../../fields.ts'
import { type RequestRule, ruled } from '../../requests/request-rules.ts'

const email = (description: string, required: Grounds['required']) =>
  known('specified', description, z.email('must be an e-mail address').max(254, 'must be at most 254 characters'), {
    required,
    format: CONTACT_FORMS,
    pattern: CONTACT_FORMS,
    maxLength: INVENTED_LIMITS,
  })

const subAccountUser = openObject(() => ({
  userType: text('specified', 'API_USER is the only value seen.', { max: 100, required: 'required-fields' }),
  firstName: text('specified', 'Of the user.', { max: 200, required: 'required-fields' }),
  lastName: text('specified', 'Of the user.', { max: 200, required: 'required-fields' }),
  username: text('specified', 'Unique in the service (assumed).', { max: 200, required: UNMARKED }),
  password: text('specified', "The user's first credential. Checked, never kept, logged or answered.", {
    max: 200,
    required: UNMARKED,
    format: 'specified',
  }).meta({ format: 'password', writeOnly: true }),
  roles: known(
    'specified',
    'ADMIN is the only value seen.',
    z
      .array(
        constrained(z.string().min(1, 'must not be empty').max(100, 'must be at most 100 characters'), {
          minLength: 'blank-text',
          maxLength: INVENTED_LIMITS,
        }),
      )
      .min(1, 'must name at least one role')
      .max(20, 'must name at most 20 roles'),
    { required: 'required-fields', minItems: 'required-fields', maxItems: INVENTED_LIMITS },
  ),
  email: email("The user's e-mail address.", 'required-fields'),
})).meta({ id: 'SubAccountUser', description: 'The first API user.', 'x-basis': 'specified' })

const SEEN = 'convention: userType and roles of a user'

const seenWords: RequestRule[] = [
  { field: 'user.userType', enum: ['API_USER'], expected: 'must be API_USER', ground: SEEN },
  { field: 'user.roles.*', enum: ['ADMIN'], expected: 'must be ADMIN', ground: SEEN },
]

export const subAccountRequest = ruled(
  openObject(() => ({
    name: text('specified', 'The name of the sub-account.', { max: 200, required: UNMARKED }),
    email: email('Its e-mail address.', UNMARKED),
    phone: known(
      'specified',
      'Its phone number; comes back as phoneNumber. Samples have 11 to 13 digits.',
      z.string().regex(/^\+?\d{9,15}$/, 'must be 9 to 15 digits'),
      { required: UNMARKED, pattern: CONTACT_FORMS },
    ),
    user: constrained(subAccountUser, { required: UNMARKED }),
  })).meta({ id: 'SubAccountRequest', 'x-basis': 'specified' }),
  () => seenWords,
)
export type SubAccountRequest = z.infer<typeof subAccountRequest>

/** Under `required-fields`, only a name to log in with is needed. */
export function withoutDetails(email: string): Omit<SubAccountRequest['user'], 'username' | 'password'> {
  return { userType: 'API_USER', firstName: '', lastName: '', roles: ['ADMIN'], email }
}

const record = {
  uuid: recordUuid('specified', 'The sub-account.'),
  name: known('specified', 'Its name.', z.string()),
  phoneNumber: known('specified', 'The phone of its creation.', z.string()),
  email: known('specified', 'Its e-mail address.', z.string()),
  uniqueReference: known('specified', "The parent's seven digits and three more (published).", z.string()),
  environment: usual(known('specified', 'Null in samples.', z.string().nullable()), null, 'sub-account-environment'),
  createdAt: localTimestamp,
  updatedAt: localTimestamp,
  collectionCallbackUrl: known('specified', 'Told of bank collections.', z.string().nullable()),
}
const parent = known('specified', 'False for a sub-account.', z.literal(false), { const: 'specified' })

export const subAccountCreatedAnswer = envelope(
  201,
  'Created Successfully',
  closedObject(() => ({ ...record, parentOrganisation: parentOrganisationSchema, parent })).meta({
    id: 'SubAccountCreated',
    'x-basis': 'specified',
  }),
)
export const subAccountListAnswer = envelope(
  200,
  'SUCCESS',
  z.array(closedObject(() => ({ ...record, parent })).meta({ id: 'SubAccountRecord', 'x-basis': 'specified' })),
)

const subscribedAt = known('published', 'Date and time, with up to 9 fractional digits.', localTimestamp)

export const subscriptionAnswer = publishedEnvelope(
  201,
  'Created Successfully',
  closedObject(() => ({
    uuid: known('published', 'The subscription.', z.string()),
    active: known('published', 'Whether sub-accounts are turned on.', z.boolean()),
    createdAt: subscribedAt,
    updatedAt: subscribedAt,
  })).meta({ id: 'Subscription', 'x-basis': 'published' }),
)
export const activatedAnswer = publishedEnvelope(
  200,
  'Updated Successfully',
  known('published', 'A plain text.', z.literal('subscribed Successfully'), { const: 'published' }),
)
export const deactivatedAnswer = publishedEnvelope(
  200,
  'Updated Successfully',
  known('published', 'A plain text.', z.literal('un-subscribed Successfully'), { const: 'published' }),
)

const total = (description: string) => known('published', `${description} KES, with at least one decimal.`, z.number())

export const breakdownAnswer = z.array(
  closedObject(() => ({
    totalTransactions: total('Collections and payouts of the other lines.'),
    totalStkCollection: total('Successful STK collections.'),
    totalPaybill: total('Successful paybill payouts.'),
    netBalance: total('Assumption net-balance.'),
    totalPaybillCollection: total('Collections by paybill; no operation makes any.'),
    totalCollections: total('Collections of the other lines.'),
    totalTill: total('Successful till payouts.'),
    organisationUuid: known('published', 'The sub-account.', z.string()),
    totalSendMoney: total('Successful mobile money payouts.'),
  })).meta({ id: 'WalletBreakdownEntry', 'x-basis': 'published' }),
)

/** Creates, lists and totals sub-accounts, and subscribes to them. */
import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import type { View } from '../../core/model/kind.ts'
import type { Organisation, Subscription } from '../../core/model/payment.ts'
import { commonReasons } from '../../core/model/refusal.ts'
import { perform } from '../../core/perform.ts'
import { type Asked, operation } from '../../http/operation.ts'
import { type Chosen, chosen, reason } from '../assumed/assumptions.ts'
import { countries } from '../countries/countries.ts'
import { enveloped } from '../declared/operations.ts'
import { callerIsSubAccount, requireParent, requireSubscription, subscriptionNeeded } from '../declared/payment-kind.ts'
import { isParent, parentSummary, timestamps } from '../declared/record.ts'
import {
  CONTACT_FORMS,
  closedObject,
  constrained,
  envelope,
  type Grounds,
  INVENTED_LIMITS,
  known,
  localTimestamp,
  openObject,
  optionalIf,
  parentOrganisationSchema,
  publishedEnvelope,
  type RequestFields,
  recordUuid,
  UNMARKED,
  usual,
} from '../fields.ts'
import { type RequestRule, request } from '../requests/request.ts'
import { breakdownEntry, type Totals } from './wallet.ts'

// Requests and answers of sub-accounts.

const email = (description: string, required: Grounds['required']) =>
  known('specified', description, z.email('must be an e-mail address').max(254, 'must be at most 254 characters'), {
    required,
    format: CONTACT_FORMS,
    pattern: CONTACT_FORMS,
    maxLength: INVENTED_LIMITS,
  })

function subAccountUser({ text }: RequestFields, choices: Chosen) {
  const few = choices['required-fields'] === 'few'
  const ofUser = (description: string, max = 200) =>
    optionalIf(few, text('specified', description, { max, required: 'required-fields' }))
  const role = z.string().max(100, 'must be at most 100 characters')
  const ofBlank = { minLength: 'blank-text', maxLength: INVENTED_LIMITS } as const
  const roles = z
    .array(constrained(choices['blank-text'] === 'accept' ? role : role.min(1, 'must not be empty'), ofBlank))
    .max(20, 'must name at most 20 roles')
  const schema = openObject(() => ({
    userType: ofUser('API_USER is the only value seen.', 100),
    firstName: ofUser('Name of the user.'),
    lastName: ofUser('Name of the user.'),
    username: text('specified', 'Unique in the service (assumed).', { max: 200, required: UNMARKED }),
    password: text('specified', "The user's first credential. Checked, never kept, logged or answered.", {
      max: 200,
      required: UNMARKED,
      format: 'specified',
    }).meta({ format: 'password', writeOnly: true }),
    roles: optionalIf(
      few,
      known('specified', 'ADMIN is the only value seen.', few ? roles : roles.min(1, 'must name at least one role'), {
        required: 'required-fields',
        minItems: 'required-fields',
        maxItems: INVENTED_LIMITS,
      }),
    ),
    email: optionalIf(few, email("The user's e-mail address.", 'required-fields')),
  }))
  return schema.meta({ id: 'SubAccountUser', description: 'The first API user.', 'x-basis': 'specified' })
}

const SEEN = 'convention: userType and roles of a user'

const seenWords: RequestRule[] = [
  { field: 'user.userType', enum: ['API_USER'], expected: 'must be API_USER', ground: SEEN },
  { field: 'user.roles.*', enum: ['ADMIN'], expected: 'must be ADMIN', ground: SEEN },
]

const subAccountRequest = request({
  id: 'SubAccountRequest',
  basis: 'specified',
  fields: (fields, choices) => ({
    name: fields.text('specified', 'The name of the sub-account.', { max: 200, required: UNMARKED }),
    email: email('Its e-mail address.', UNMARKED),
    phone: known(
      'specified',
      'Its phone number; comes back as phoneNumber. Samples have 11 to 13 digits.',
      z.string().regex(/^\+?\d{9,15}$/, 'must be 9 to 15 digits'),
      { required: UNMARKED, pattern: CONTACT_FORMS },
    ),
    user: constrained(subAccountUser(fields, choices), { required: UNMARKED }),
  }),
  rules: () => seenWords,
})

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

const subAccountCreatedAnswer = envelope(
  201,
  'Created Successfully',
  closedObject(() => ({ ...record, parentOrganisation: parentOrganisationSchema, parent })).meta({
    id: 'SubAccountCreated',
    'x-basis': 'specified',
  }),
)
const subAccountListAnswer = envelope(
  200,
  'SUCCESS',
  z.array(closedObject(() => ({ ...record, parent })).meta({ id: 'SubAccountRecord', 'x-basis': 'specified' })),
)

const subscribedAt = known('published', 'Date and time, with up to 9 fractional digits.', localTimestamp)

const subscriptionAnswer = publishedEnvelope(
  201,
  'Created Successfully',
  closedObject(() => ({
    uuid: known('published', 'The subscription.', z.string()),
    active: known('published', 'Whether sub-accounts are turned on.', z.boolean()),
    createdAt: subscribedAt,
    updatedAt: subscribedAt,
  })).meta({ id: 'Subscription', 'x-basis': 'published' }),
)
const activatedAnswer = publishedEnvelope(
  200,
  'Updated Successfully',
  known('published', 'A plain text.', z.literal('subscribed Successfully'), { const: 'published' }),
)
const deactivatedAnswer = publishedEnvelope(
  200,
  'Updated Successfully',
  known('published', 'A plain text.', z.literal('un-subscribed Successfully'), { const: 'published' }),
)

const total = (description: string) => known('published', `${description} KES, with at least one decimal.`, z.number())

const breakdownAnswer = z.array(
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

const tag = 'Sub-accounts'
const base = '/api/sandbox/v1/multiaccount'

const emailTaken = reason('resource', 'REQ_INVALID_FIELD', 'the e-mail address is taken', 'taken-emails', 'refuse')
const subscribedAlready = reason('resource', 'REQ_BAD_REQUEST', 'already subscribed', 'second-subscribe', 'refuse')

const create = operation({
  id: 'createSubAccount',
  method: 'post',
  path: `${base}/new/organisation`,
  tag,
  summary: 'Create a sub-account with its first API user',
  basis: 'specified',
  source: 'specification, Sub-accounts; published virtual/new-sub-account',
  auth: 'bearer',
  body: subAccountRequest,
  answer: { status: 201, description: 'The sub-account', schema: subAccountCreatedAnswer },
  example: () => ({
    name: 'Example Merchant Westlands',
    email: 'westlands@merchant.example',
    phone: '254700000100',
    user: {
      userType: 'API_USER',
      firstName: 'Jane',
      lastName: 'Mwangi',
      username: 'jane.mwangi',
      password: 'a-long-first-password',
      roles: ['ADMIN'],
      email: 'jane.mwangi@merchant.example',
    },
  }),
  refuses: [callerIsSubAccount, subscriptionNeeded, emailTaken, commonReasons.usernameTaken],
  handle: (call) => {
    const { core, caller, body } = call
    requireParent(call)
    requireSubscription(call)
    requireFreeEmail(call, body.email)
    // Under `required-fields`, only a name to log in with is needed.
    const { username, userType = 'API_USER', firstName = '', lastName = '', roles = ['ADMIN'], email } = body.user
    const user = { username, userType, firstName, lastName, roles, email: email ?? body.email }
    const organisation = perform(core, {
      command: 'create-organisation',
      parentId: caller.id,
      name: body.name,
      email: body.email,
      phoneNumber: body.phone,
      user,
    })
    return enveloped(201, 'Created Successfully', subAccountCreated(core, organisation, caller.id))
  },
})

const all = operation({
  id: 'listSubAccounts',
  method: 'get',
  path: `${base}/organisation/all`,
  tag,
  summary: "List the parent's sub-accounts",
  basis: 'specified',
  source: 'specification, Sub-accounts; published virtual/all-parent-sub-accounts',
  auth: 'bearer',
  answer: { status: 200, description: 'All of them', schema: subAccountListAnswer },
  refuses: [callerIsSubAccount, subscriptionNeeded],
  handle: (call) => {
    const { core, caller } = call
    requireParent(call)
    requireSubscription(call)
    return enveloped(
      200,
      'SUCCESS',
      childrenInOrder(core, caller).map((child) => subAccountRecord(core, child)),
    )
  },
})

const subscribe = operation({
  id: 'subscribeSubAccounts',
  method: 'post',
  path: `${base}/subscribe`,
  tag,
  summary: 'Turn the sub-account feature on',
  basis: 'published',
  source: 'published virtual/subscription',
  auth: 'bearer',
  answer: { status: 201, description: 'The subscription', schema: subscriptionAnswer },
  refuses: [callerIsSubAccount, subscribedAlready],
  handle: (call) => {
    const { core, caller, refuse } = call
    requireParent(call)
    if (chosen(core)['second-subscribe'] === 'refuse' && core.store.organisations.subscription(caller.id)?.active)
      throw refuse(subscribedAlready, 'sub-accounts are turned on already')
    const subscription = perform(core, { command: 'subscribe', organisationId: caller.id })
    return enveloped(201, 'Created Successfully', subscriptionRecord(core, subscription))
  },
})

const activate = operation({
  id: 'activateSubAccounts',
  method: 'put',
  path: `${base}/activate`,
  tag,
  summary: 'Take the subscription up again',
  basis: 'published',
  source: 'published virtual/activate',
  auth: 'bearer',
  answer: { status: 200, description: 'A text', schema: activatedAnswer },
  refuses: [callerIsSubAccount, commonReasons.subscriptionMissing],
  handle: (call) => {
    const { core, caller } = call
    requireParent(call)
    perform(core, { command: 'set-subscription', organisationId: caller.id, active: true })
    return enveloped(200, 'Updated Successfully', 'subscribed Successfully')
  },
})

const deactivate = operation({
  id: 'deactivateSubAccounts',
  method: 'put',
  path: `${base}/de-activate`,
  tag,
  summary: 'Suspend the subscription',
  description: 'Ties between parent and sub-accounts stay.',
  basis: 'published',
  source: 'published virtual/deactivate',
  auth: 'bearer',
  answer: { status: 200, description: 'A text', schema: deactivatedAnswer },
  refuses: [callerIsSubAccount, commonReasons.subscriptionMissing],
  handle: (call) => {
    const { core, caller } = call
    requireParent(call)
    perform(core, { command: 'set-subscription', organisationId: caller.id, active: false })
    return enveloped(200, 'Updated Successfully', 'un-subscribed Successfully')
  },
})

const breakdown = operation({
  id: 'getWalletBreakdown',
  method: 'get',
  path: `${base}/wallet/total/breakdown`,
  tag,
  summary: "Read totals of the parent's sub-accounts",
  basis: 'published',
  source: 'published virtual/sub-accounts-wallets-breakdown',
  auth: 'bearer',
  answer: { status: 200, description: 'One entry per sub-account, not enveloped', schema: breakdownAnswer },
  refuses: [callerIsSubAccount, subscriptionNeeded],
  handle: (call) => {
    const { core, caller } = call
    requireParent(call)
    requireSubscription(call)
    const entries = childrenInOrder(core, caller).map((child) => breakdownEntry(child, totalsOf(core, child.id)))
    return { status: 200, body: entries }
  },
})

function requireFreeEmail({ core, caller: parent, refuse }: Asked<typeof emailTaken>, email: string): void {
  if (chosen(core)['taken-emails'] === 'accept') return
  const family = [parent, ...core.store.organisations.childrenOf(parent.id)]
  if (!family.some((one) => one.email.toLowerCase() === email.toLowerCase())) return
  throw refuse(emailTaken, `email: "${email}" is taken; choose another`, 'email must be unique')
}

function childrenInOrder(core: Core, parent: Organisation): Organisation[] {
  const children = core.store.organisations.childrenOf(parent.id)
  return chosen(core)['list-order'] === 'newest-first' ? children.reverse() : children
}

export const subAccountOperations = [create, all, subscribe, activate, deactivate, breakdown]

// Records of sub-accounts.

/** Without its parent. Fields specified, key order published. */
function subAccountRecord(view: View, organisation: Organisation) {
  return {
    uuid: organisation.uuid,
    name: organisation.name,
    phoneNumber: organisation.phoneNumber,
    email: organisation.email,
    uniqueReference: organisation.uniqueReference,
    environment: chosen(view)['sub-account-environment'] === 'sandbox' ? 'sandbox' : null,
    ...timestamps(view, organisation, 'six-digits'),
    collectionCallbackUrl: organisation.collectionCallbackUrl,
    parent: isParent(view, organisation),
  }
}

/** With its parent, and with times as they are before storage cuts digits. Specified; order and digits published. */
function subAccountCreated(view: View, organisation: Organisation, parentId: number) {
  const { parent, ...record } = subAccountRecord(view, organisation)
  return {
    ...record,
    ...timestamps(view, organisation, 'eight-digits'),
    parentOrganisation: parentSummary(view, parentId),
    parent,
  }
}

/** Published. */
function subscriptionRecord(view: View, subscription: Subscription) {
  return {
    uuid: subscription.uuid,
    active: subscription.active,
    ...timestamps(view, subscription, 'nine-digits'),
  }
}

// Totals of a sub-account's payments.

function totalsOf(core: Core, organisationId: number): Totals {
  const { currency } = countries.home
  const sum = (kind: string) => core.store.payments.total(organisationId, kind, 'SUCCESS', currency)
  const lines = {
    stkCollection: sum('stk'),
    sendMoney: sum('send-money'),
    till: sum('till'),
    paybill: sum('paybill'),
    paybillCollection: 0,
  }
  const collections = lines.stkCollection + lines.paybillCollection
  const payouts = lines.sendMoney + lines.till + lines.paybill
  const netBalance =
    chosen(core)['net-balance'] === 'wallet' ? core.ledger.available(organisationId, currency) : collections - payouts
  return { ...lines, collections, transactions: collections + payouts, netBalance }
}

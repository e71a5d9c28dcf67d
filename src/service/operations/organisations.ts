import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import { float } from '../../core/model/json.ts'
import type { Organisation, Subscription } from '../../core/model/payment.ts'
import { commonReasons, type Reason } from '../../core/model/refusal.ts'
import { perform } from '../../core/perform.ts'
import {
  type Call,
  type DeclaredOperation,
  type Operation,
  operation,
  type RefusalContext,
} from '../../http/operation.ts'
import { type Chosen, chosen, reason } from '../assumptions/assumptions.ts'
import { countries } from '../countries/countries.ts'
import { enveloped } from '../declarations/lookups.ts'
import {
  answerOf,
  callerIsSubAccount,
  requireParent,
  requireSubscription,
  subscriptionNeeded,
} from '../declarations/payment-kind.ts'
import {
  field,
  form,
  isParent,
  type Of,
  type PartFields,
  parentOf,
  parentOrganisation,
  part,
  shared,
  type TimestampForm,
  times,
} from '../declarations/record.ts'
import {
  CONTACT_FORMS,
  constrained,
  envelope,
  type Grounds,
  INVENTED_LIMITS,
  localTimestamp,
  openObject,
  optionalIf,
  type RequestFields,
  schemaField,
  UNMARKED,
  uuid,
} from '../fields.ts'
import { request } from '../requests/request.ts'

const email = (description: string, required: Grounds['required']) =>
  schemaField(
    'specified',
    description,
    z.email('must be an e-mail address').max(254, 'must be at most 254 characters'),
    {
      required,
      format: CONTACT_FORMS,
      pattern: CONTACT_FORMS,
      maxLength: INVENTED_LIMITS,
    },
  )

const SEEN = 'convention: userType and roles of a user'

function subAccountUser({ text, asText }: RequestFields, choices: Chosen) {
  const few = choices['required-fields'] === 'few'
  const ofUser = (description: string, bounds: Parameters<typeof text>[2] = { max: 200 }) =>
    optionalIf(few, text('specified', description, { required: 'required-fields', ...bounds }))
  const role = z
    .string()
    .max(100, 'must be at most 100 characters')
    .refine((word) => word === 'ADMIN', 'must be ADMIN')
  const ofRole = { minLength: 'blank-text', maxLength: INVENTED_LIMITS, enum: SEEN } as const
  const roles = z
    .array(
      constrained(choices['blank-text'] === 'accept' ? role : role.min(1, 'must not be empty'), ofRole).meta({
        enum: ['ADMIN'],
      }),
    )
    .max(20, 'must name at most 20 roles')
  const schema = openObject(() => ({
    userType: ofUser('API_USER is the only value seen.', { max: 100, only: 'API_USER', enum: SEEN }),
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
      schemaField(
        'specified',
        'ADMIN is the only value seen.',
        few ? roles : roles.min(1, 'must name at least one role'),
        {
          required: 'required-fields',
          minItems: 'required-fields',
          maxItems: INVENTED_LIMITS,
        },
      ),
    ),
    email: optionalIf(few, asText(email("The user's e-mail address.", 'required-fields'))),
  }))
  return schema.meta({ id: 'SubAccountUser', description: 'The first API user.', 'x-basis': 'specified' })
}

const subAccountRequest = request({
  id: 'SubAccountRequest',
  basis: 'specified',
  fields: (fields, choices) => ({
    name: fields.text('specified', 'The name of the sub-account.', { max: 200, required: UNMARKED }),
    email: fields.asText(email('Its e-mail address.', UNMARKED)),
    phone: schemaField(
      'specified',
      'Its phone number; comes back as phoneNumber. Samples have 11 to 13 digits.',
      fields.asText(z.string().regex(/^\+?\d{9,15}$/, 'must be 9 to 15 digits')),
      { required: UNMARKED, pattern: CONTACT_FORMS },
    ),
    user: constrained(subAccountUser(fields, choices), { required: UNMARKED }),
  }),
})

const subAccount = (stamps: TimestampForm): PartFields<Organisation> => ({
  uuid: shared(uuid('specified', 'The sub-account.')),
  name: field('Its name.', form.text),
  phoneNumber: field('The phone of its creation.', form.text),
  email: field('Its e-mail address.', form.text),
  uniqueReference: field("The parent's seven digits and three more (published).", form.text),
  environment: field(
    'Null in samples.',
    { ...form.textOrNull, usual: [null, 'sub-account-environment'] },
    ({ view }) => (chosen(view)['sub-account-environment'] === 'sandbox' ? 'sandbox' : null),
  ),
  ...times(stamps),
  collectionCallbackUrl: field('Told of bank collections.', form.textOrNull),
})
const parent = field<Of<Organisation>>(
  'False for a sub-account.',
  { schema: z.literal(false), grounds: { const: 'specified' } },
  ({ view, of }) => isParent(view, of),
)

/** With its parent, and with times as they are before storage cuts digits. Specified; order and digits published. */
const subAccountCreated = part<Organisation>('SubAccountCreated', 'specified', {
  ...subAccount('eight-digits'),
  parentOrganisation: shared(parentOrganisation.schema, ({ view, of }) => parentOf(view, of)),
  parent,
})

/** Without its parent. Fields specified, key order published. */
const subAccountRecord = part<Organisation>('SubAccountRecord', 'specified', { ...subAccount('six-digits'), parent })

const subscribedAt = schemaField('published', 'Date and time, with up to 9 fractional digits.', localTimestamp)

const subscription = part<Subscription>('Subscription', 'published', {
  uuid: field('The subscription.', form.text),
  active: field('Whether sub-accounts are turned on.', form.yesOrNo),
  ...times('nine-digits', undefined, subscribedAt),
})

const total = (description: string, of: (totals: Totals) => number) =>
  field<Of<Totals>>(`${description} KES, with at least one decimal.`, form.decimal, (shown) => float(of(shown.of)))

const breakdownEntry = part<Totals>('WalletBreakdownEntry', 'published', {
  totalTransactions: total('Collections and payouts of the other lines.', ({ stk, payouts }) => stk + payouts),
  totalStkCollection: total('Successful STK collections.', ({ stk }) => stk),
  totalPaybill: total('Successful paybill payouts.', ({ paybill }) => paybill),
  netBalance: total('Assumption net-balance.', ({ netBalance }) => netBalance),
  totalPaybillCollection: total('Collections by paybill; no operation makes any.', () => 0),
  totalCollections: total('Collections of the other lines.', ({ stk }) => stk),
  totalTill: total('Successful till payouts.', ({ till }) => till),
  organisationUuid: field('The sub-account.', form.text, ({ of }) => of.uuid),
  totalSendMoney: total('Successful mobile money payouts.', ({ sendMoney }) => sendMoney),
})

const base = '/api/sandbox/v1/multiaccount'

const emailTaken = reason('resource', 'REQ_INVALID_FIELD', 'the e-mail address is taken', 'taken-emails', 'refuse')
const subscribedAlready = reason('resource', 'REQ_BAD_REQUEST', 'already subscribed', 'second-subscribe', 'refuse')

function ofParents<Body = undefined, Refuses extends Reason = never>({
  subscribed,
  refuses = [],
  data,
  ...contract
}: Omit<DeclaredOperation<undefined, undefined, Body, Refuses>, 'tag' | 'handle'> & {
  subscribed: boolean
  data(call: Call<undefined, undefined, Body, Refuses>): unknown
}): Operation {
  const answer = answerOf(contract)
  return operation<undefined, undefined, Body, Reason>({
    ...contract,
    tag: 'Sub-accounts',
    refuses: [callerIsSubAccount, ...(subscribed ? [subscriptionNeeded] : []), ...refuses],
    handle: (call) => {
      requireParent(call)
      if (subscribed) requireSubscription(call)
      return answer(call.core, data(call))
    },
  })
}

const create = ofParents({
  id: 'createSubAccount',
  method: 'post',
  path: `${base}/new/organisation`,
  summary: 'Create a sub-account with its first API user',
  source: 'specification, Sub-accounts; published virtual/new-sub-account',
  body: subAccountRequest,
  answer: envelope(201, 'The sub-account', 'Created Successfully', subAccountCreated.schema),
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
  subscribed: true,
  refuses: [emailTaken, commonReasons.usernameTaken],
  data: (call) => {
    const { core, caller, body } = call
    requireFreeEmail(call, body.email)
    // Under `required-fields`, only a name to log in with is needed.
    const { username, userType = 'API_USER', firstName = '', lastName = '', roles = ['ADMIN'], email } = body.user
    const organisation = perform(core, {
      command: 'create-organisation',
      parentId: caller.id,
      name: body.name,
      email: body.email,
      phoneNumber: body.phone,
      user: { username, userType, firstName, lastName, roles, email: email ?? body.email },
    })
    return subAccountCreated.show(core, organisation)
  },
})

const all = ofParents({
  id: 'listSubAccounts',
  method: 'get',
  path: `${base}/organisation/all`,
  summary: "List the parent's sub-accounts",
  source: 'specification, Sub-accounts; published virtual/all-parent-sub-accounts',
  answer: envelope(200, 'All of them', 'SUCCESS', z.array(subAccountRecord.schema)),
  subscribed: true,
  data: ({ core, caller }) => childrenInOrder(core, caller).map((child) => subAccountRecord.show(core, child)),
})

const subscribe = ofParents({
  id: 'subscribeSubAccounts',
  method: 'post',
  path: `${base}/subscribe`,
  summary: 'Turn the sub-account feature on',
  source: 'published virtual/subscription',
  answer: envelope(201, 'The subscription', 'Created Successfully', subscription.schema, 'published'),
  subscribed: false,
  refuses: [subscribedAlready],
  data: ({ core, caller, refuse }) => {
    if (chosen(core)['second-subscribe'] === 'refuse' && core.store.organisations.subscription(caller.id)?.active)
      throw refuse(subscribedAlready, 'sub-accounts are turned on already')
    return subscription.show(core, perform(core, { command: 'subscribe', organisationId: caller.id }))
  },
})

function switches(
  active: boolean,
  contract: Pick<Operation, 'id' | 'path' | 'summary' | 'description' | 'source'>,
  text: string,
): Operation {
  const plain = schemaField('published', 'A plain text.', z.literal(text), { const: 'published' })
  return ofParents({
    ...contract,
    method: 'put',
    answer: envelope(200, 'A text', 'Updated Successfully', plain, 'published'),
    subscribed: false,
    refuses: [commonReasons.subscriptionMissing],
    data: ({ core, caller }) => {
      perform(core, { command: 'set-subscription', organisationId: caller.id, active })
      return text
    },
  })
}

const activate = switches(
  true,
  {
    id: 'activateSubAccounts',
    path: `${base}/activate`,
    summary: 'Take the subscription up again',
    source: 'published virtual/activate',
  },
  'subscribed Successfully',
)

const deactivate = switches(
  false,
  {
    id: 'deactivateSubAccounts',
    path: `${base}/de-activate`,
    summary: 'Suspend the subscription',
    description: 'Ties between parent and sub-accounts stay.',
    source: 'published virtual/deactivate',
  },
  'un-subscribed Successfully',
)

const breakdown = ofParents({
  id: 'getWalletBreakdown',
  method: 'get',
  path: `${base}/wallet/total/breakdown`,
  summary: "Read totals of the parent's sub-accounts",
  source: 'published virtual/sub-accounts-wallets-breakdown',
  answer: {
    status: 200,
    description: 'One entry per sub-account, not enveloped',
    schema: z.array(breakdownEntry.schema),
  },
  subscribed: true,
  data: ({ core, caller }) =>
    childrenInOrder(core, caller).map((child) => breakdownEntry.show(core, totalsOf(core, child))),
})

function requireFreeEmail({ core, caller: parent, refuse }: RefusalContext<typeof emailTaken>, email: string): void {
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

type Totals = ReturnType<typeof totalsOf>

function totalsOf(core: Core, { id, uuid }: Organisation) {
  const { currency } = countries.home
  const sum = (kind: string) => core.store.payments.total(id, kind, 'SUCCESS', currency)
  const [stk, sendMoney, till, paybill] = [sum('stk'), sum('send-money'), sum('till'), sum('paybill')]
  const payouts = sendMoney + till + paybill
  const netBalance = chosen(core)['net-balance'] === 'wallet' ? core.ledger.available(id, currency) : stk - payouts
  return { uuid, stk, sendMoney, till, paybill, payouts, netBalance }
}

// Published, unlisted. Names are invented, the same for everybody, so that no real provider is named.

const fixed = (description: string, value: string) =>
  field<Of<Organisation>>(description, { ...form.text, usual: 'published' }, value)
const reference = field<Of<Organisation>>(
  "The caller's uniqueReference, by which incoming money is matched to the wallet.",
  form.text,
  ({ of }) => of.uniqueReference,
)
const account = field<Of<Organisation>>(
  "A fixed five-digit prefix and the caller's uniqueReference.",
  { ...form.text, usual: ['99000…', 'published'] },
  ({ of }) => `99000${of.uniqueReference}`,
)

function way(description: string, fields: PartFields<Organisation>) {
  const { schema, show } = part<Organisation>(null, 'published', fields)
  return shared<Of<Organisation>>(schema.meta({ description, 'x-basis': 'published' }), ({ view, of }) =>
    show(view, of),
  )
}

const fundingDetails = part<Organisation>('WalletDetails', 'published', {
  pesalinkDetails: way('By PesaLink.', {
    accountNumber: account,
    accountName: fixed('Whose account it is.', 'Provider Ltd'),
    beneficiaryBank: fixed('At which bank.', 'Example Bank'),
    remarks: reference,
  }),
  bankDetails: way('By bank transfer.', {
    beneficiaryName: fixed('Whose account it is.', 'Provider Ltd'),
    beneficiaryBank: fixed('At which bank.', 'Example Bank'),
    beneficiaryBranch: fixed('At which branch.', 'EXAMPLE BRANCH'),
    swiftCode: fixed('SWIFT code of the bank.', 'EXMPKENA'),
    beneficiaryAccount: account,
    remarks: reference,
  }),
  paybillDetails: way('By paybill.', {
    paybillNumber: fixed('The paybill to pay to.', '9990001'),
    accountNumber: reference,
  }),
})

const walletDetails = operation({
  id: 'getWalletDetails',
  method: 'post',
  path: '/api/sandbox/v1/org/wallet-details',
  tag: 'Wallet',
  summary: "Read how to fund the caller's wallet",
  source: 'published wallet/wallet_load_details (unlisted)',
  only: { assumption: 'unlisted-operations', is: 'on' },
  answer: envelope(200, 'Accounts and references', 'SUCCESS', fundingDetails.schema, 'published'),
  handle: ({ core, caller }) => enveloped('SUCCESS', fundingDetails.show(core, caller)),
})

export const walletRoutes = [walletDetails]

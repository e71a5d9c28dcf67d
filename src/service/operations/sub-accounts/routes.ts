/** Creates, lists and totals sub-accounts, and subscribes to them. */
import type { Core } from '../../../core/core.ts'
import type { Organisation } from '../../../core/model/payment.ts'
import { commonReasons } from '../../../core/model/refusal-reasons.ts'
import { perform } from '../../../core/perform.ts'
import { type Asked, operation } from '../../../http/operation.ts'
import { chosen, reason } from '../../assumed/assumptions.ts'
import { enveloped } from '../../declared/answers.ts'
import { callerIsSubAccount, requireParent, requireSubscription, subscriptionNeeded } from '../../declared/parents.ts'
import { breakdownEntry } from '../wallet/record.ts'
import { subAccountCreated, subAccountRecord, subscriptionRecord } from './record.ts'
import {
  activatedAnswer,
  breakdownAnswer,
  deactivatedAnswer,
  subAccountCreatedAnswer,
  subAccountListAnswer,
  subAccountRequest,
  subscriptionAnswer,
  withoutDetails,
} from './schema.ts'
import { totalsOf } from './totals.ts'

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
    const { password: _, ...given } = body.user
    const user = { ...withoutDetails(body.email), ...given }
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

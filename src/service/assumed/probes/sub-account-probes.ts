/** How the service is asked about sub-accounts: who may call what, and what a parent sees. */

import { oneWay, type ProbeAccount, type ProbeRequest, untold } from './asked-by.ts'
import { API, get, listReads, post } from './asking.ts'
import { byStatus, isDone, type ListedRecord, recordsOf } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

const subAccount = ({ run }: ProbeAccount, name: string, user: object = {}, mailbox = name): ProbeRequest =>
  post(`${API}/multiaccount/new/organisation`, {
    name: `Calibration ${run} ${name}`,
    email: `calibration-${run}-${mailbox}@merchant.example`,
    phone: '254700000100',
    user: {
      userType: 'API_USER',
      firstName: 'Calibration',
      lastName: 'Calibration',
      username: `mfano-${run}`,
      password: 'a-long-first-password',
      roles: ['ADMIN'],
      email: 'calibration@merchant.example',
      ...user,
    },
  })

const users = { admin: { username: 'admin' }, clerk: { username: 'clerk', roles: ['CLERK'] } } as const
const userOf = ({ run }: ProbeAccount, name: keyof typeof users) => ({
  ...users[name],
  username: `mfano-${run}-${name}`,
})

const loginOf = (account: ProbeAccount, name: keyof typeof users): ProbeRequest =>
  post(
    '/api/v1/get-token',
    { apiKey: userOf(account, name).username, apiSecret: 'a-long-first-password' },
    { asker: 'nobody' },
  )

/** The lines of a breakdown that count payments which have a list, and that list. */
const lines = [
  ['totalSendMoney', 0],
  ['totalTill', 1],
  ['totalPaybill', 2],
  ['totalStkCollection', 3],
] as const

export const subAccountProbes = {
  'list-scope': oneWay(
    'free',
    (account) => [
      listReads.breakdown(),
      listReads.sendMoney(account),
      listReads.till(account),
      listReads.paybill(),
      listReads.stk(),
      listReads.bankCollections(),
    ],
    ([breakdown, ...seen], { companyId }) => {
      const isOthers = ({ organisation }: ListedRecord) =>
        organisation?.uuid !== undefined && organisation.uuid !== companyId
      if (seen.flatMap(recordsOf).some(isOthers)) return 'with-sub-accounts'
      const entries = recordsOf(breakdown)
      // What a sub-account has would have to be on the list, unless that is cut.
      const absent = lines.some(([name, at]) => {
        const list = seen[at]
        return list?.status === 200 && recordsOf(list).length !== 20 && entries.some((entry) => entry[name] > 0)
      })
      return absent ? 'own' : untold('no sub-account is known to have a payment')
    },
  ),
  'parent-flag': oneWay(
    'free',
    () => [listReads.subAccounts(), listReads.bankCollections()],
    ([subs, collections], { companyId }) => {
      const own = recordsOf(collections).find(({ organisation }) => organisation?.uuid === companyId)
      if (!own) return untold('the account has no bank collection')
      if (own.organisation.parentOrganisation !== null) return untold('the account is a sub-account itself')
      if (own.organisation.parent === false) return 'with-sub-accounts'
      if (subs?.status !== 200) return untold(`sub-accounts are not listed: ${subs?.status}`)
      if (recordsOf(subs).length > 0) return untold('the account has sub-accounts, so that it is a parent either way')
      return own.organisation.parent === true ? 'top-level' : undefined
    },
  ),
  'sub-account-callers': oneWay(
    'free',
    () => [listReads.subAccounts(), { ...listReads.subAccounts(), asker: 'sub-account' }],
    ([own, asked]) => {
      if (own?.status !== 200) return untold(`its parent itself was answered ${own?.status}`)
      return byStatus(asked, { 200: 'for-parent', 403: 'refused' })
    },
    ['sub-account'],
  ),
  'foreign-company': oneWay(
    'free',
    ({ companyId }) => [get(`${API}/send-money/all?companyId=${companyId}`, { asker: 'sub-account' })],
    ([seen]) => byStatus(seen, { 403: '403', 404: '404' }),
    ['sub-account'],
  ),
  'foreign-payment': oneWay(
    'free',
    ({ companyId }) => [
      listReads.bankCollections(),
      ([seen]) => {
        const own = recordsOf(seen).find(({ organisation }) => organisation?.uuid === companyId)
        return own
          ? get(`${API}/bank/collection/single?requestId=${own.uuid}`, { asker: 'sub-account' })
          : untold('the account has no bank collection that its sub-account could ask for')
      },
    ],
    ([, seen]) => byStatus(seen, { 403: '403', 404: '404' }),
    ['sub-account'],
  ),
  'subscription-required': {
    ways: [
      {
        tier: 'free',
        steps: () => [listReads.subAccounts()],
        tells: ([seen]) => {
          if (seen?.status === 403) return 'yes'
          return seen?.status === 200 ? untold('the account may have a subscription') : undefined
        },
      },
      {
        tier: 'lasting',
        steps: () => [
          { method: 'PUT', path: `${API}/multiaccount/de-activate` },
          { ...listReads.subAccounts(), repeats: 1 },
          ([off]) =>
            off && isDone(off) ? { method: 'PUT', path: `${API}/multiaccount/activate`, restores: true } : undefined,
        ],
        tells: ([off, seen]) =>
          off && (isDone(off) || off.status === 404) ? byStatus(seen, { 200: 'no', 403: 'yes' }) : undefined,
      },
    ],
  },
  'second-subscribe': oneWay(
    'lasting',
    () => {
      const subscribe: ProbeRequest = { method: 'POST', path: `${API}/multiaccount/subscribe` }
      return [subscribe, { ...subscribe, repeats: 1 }]
    },
    ([, seen]) => byStatus(seen, { 201: 'same-answer', 200: 'same-answer', 400: 'refuse' }),
  ),
  'taken-usernames': oneWay(
    'lasting',
    (account) => [subAccount(account, 'one'), subAccount(account, 'two')],
    ([first, second]) => {
      if (!first || !isDone(first)) return untold(`a sub-account was answered ${first?.status}`)
      return byStatus(second, { 201: 'accept', 200: 'accept', 400: 'refuse' })
    },
  ),
  'taken-emails': oneWay(
    'lasting',
    (account) => [
      subAccount(account, 'one'),
      subAccount(account, 'mail', { username: `mfano-${account.run}-mail` }, 'one'),
    ],
    ([first, second]) => {
      if (!first || !isDone(first)) return untold(`a sub-account was answered ${first?.status}`)
      return byStatus(second, { 201: 'accept', 200: 'accept', 400: 'refuse', 409: 'refuse' })
    },
  ),
  'activate-unsubscribed': oneWay(
    'lasting',
    () => [
      { method: 'PUT', path: `${API}/multiaccount/de-activate`, repeats: 1 },
      { method: 'PUT', path: `${API}/multiaccount/activate`, restores: true, repeats: 1 },
    ],
    ([off, on]) => {
      if (off?.status !== 404) return untold('the account has a subscription already')
      return byStatus(on, { 404: '404', 200: 'subscribes' })
    },
  ),
  'user-login': oneWay(
    'lasting',
    (account) => [
      subAccount(account, 'admin', userOf(account, 'admin')),
      loginOf(account, 'admin'),
      ([, admin]) => (admin && isDone(admin) ? subAccount(account, 'clerk', userOf(account, 'clerk')) : undefined),
      ([, , clerk]) => (clerk && isDone(clerk) ? loginOf(account, 'clerk') : undefined),
    ],
    ([made, admin, clerk, other]) => {
      if (!made || !isDone(made)) return untold(`a sub-account was answered ${made?.status}`)
      if (!admin || !isDone(admin)) return byStatus(admin, { 401: 'none', 403: 'none' })
      if (!clerk || !isDone(clerk)) return untold('no user without the role ADMIN can be made', 'none')
      return other && isDone(other) ? 'all' : byStatus(other, { 401: 'admins', 403: 'admins' })
    },
  ),
} as const satisfies SomeProbes

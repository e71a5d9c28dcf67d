/** Probes for sub-accounts: what each may call, and what a parent sees. */

import { oneWay, type ProbeAccount, type ProbeRequest, untold } from './asked-by.ts'
import { API, get, listReads, post } from './asking.ts'
import { accountHas } from './listed-records.ts'
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

/** Each line of the wallet breakdown that counts payments, with the list of those payments. */
const lines = [
  ['totalSendMoney', 0],
  ['totalTill', 1],
  ['totalPaybill', 2],
  ['totalStkCollection', 3],
] as const

const noneListed = accountHas('no sub-account, or may not list them')

export const subAccountProbes = {
  'company-id': oneWay(
    'free',
    () => [
      listReads.subAccounts(),
      ([seen]) => {
        const [listed] = recordsOf(seen)
        return listed ? get(`${API}/send-money/all?companyId=${listed.uuid}`) : noneListed
      },
    ],
    ([, seen]) => byStatus(seen, { 200: 'with-sub-accounts', 400: 'own', 403: 'own', 404: 'own' }),
  ),
  'sub-account-environment': oneWay(
    'free',
    () => [listReads.subAccounts()],
    ([seen]) => {
      const [listed] = recordsOf(seen)
      if (!listed) return noneListed
      return listed.environment === null ? 'none' : listed.environment === 'sandbox' ? 'sandbox' : undefined
    },
  ),
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
      // A full list would have to show the sub-account's payments.
      const absent = lines.some(([name, at]) => {
        const list = seen[at]
        return list?.status === 200 && recordsOf(list).length !== 20 && entries.some((entry) => entry[name] > 0)
      })
      return absent ? 'own' : untold('no sub-account is known to have a payment')
    },
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
} as const satisfies SomeProbes

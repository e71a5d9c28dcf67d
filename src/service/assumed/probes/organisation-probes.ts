/** How the service is asked about sub-accounts, and money between their wallets. */

import { type ProbeAccount, type ProbeRequest, type ProbeStep, type SeenAnswer, untold } from './asked-by.ts'
import { API, allocatingFromNobody, get, inOrder, listReads, NOBODY, post } from './asking.ts'
import { byStatus, either, isDone, isRefusedForForm, isTaken, type ListedRecord, recordsOf } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

const FAR_ABOVE = 900_000_000_000
const NO_SUB_ACCOUNT = 'the account has no sub-account'
/** Beyond what is lost where amounts are added up. */
const A_CENT = 0.01

const move = (path: string, from: string, to: string, amount: number, more: Partial<ProbeRequest> = {}) =>
  post(`${API}/${path}/new`, { fromOrganisationId: from, toOrganisationId: to, amount }, more)

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

/** Money goes to the first sub-account, and is taken back; then it is taken back once more. */
const thereAndBack = (account: ProbeAccount): ProbeStep[] => {
  const idOf = (seen: readonly SeenAnswer[]) => seen[2]?.body?.data?.requestId ?? NOBODY
  const cancel = (seen: readonly SeenAnswer[], repeats: number) =>
    get(`${API}/allocations/single/cancel?allocationId=${idOf(seen)}`, {
      repeats,
      ...(repeats === 0 && { restores: true }),
    })
  return [
    listReads.subAccounts(),
    { ...listReads.breakdown(), repeats: 1 },
    ([seen]) => {
      if (seen?.status !== 200) return untold(`sub-accounts are not listed: ${seen?.status}`)
      const [first] = recordsOf(seen)
      return first ? move('allocations', account.companyId, first.uuid, account.amount) : untold(NO_SUB_ACCOUNT)
    },
    (seen) =>
      seen[2] && isDone(seen[2])
        ? { ...listReads.breakdown(), repeats: 2 }
        : untold(`an allocation was answered ${seen[2]?.status}`),
    (seen) => (seen[2] && isDone(seen[2]) ? cancel(seen, 0) : undefined),
    (seen) => cancel(seen, 1),
    get(`${API}/allocations/allocations/org/all`, { repeats: 1 }),
  ]
}

const cancelOf = (made: SeenAnswer): ProbeRequest =>
  get(`${API}/allocations/single/cancel?allocationId=${made.body?.data?.requestId ?? NOBODY}`)

const balanceIn = (seen: SeenAnswer | undefined, uuid: string): number | undefined =>
  recordsOf(seen).find(({ organisationUuid }) => organisationUuid === uuid)?.netBalance

/** The lines of a breakdown that count payments which have a list, and that list. */
const lines = [
  ['totalSendMoney', 0],
  ['totalTill', 1],
  ['totalPaybill', 2],
  ['totalStkCollection', 3],
] as const

const sum = (entry: ListedRecord, names: readonly string[]) =>
  names.reduce((total, name) => total + (entry[name] ?? 0), 0)
const collected = (entry: ListedRecord) => sum(entry, ['totalStkCollection', 'totalPaybillCollection'])
const paidOut = (entry: ListedRecord) => sum(entry, ['totalSendMoney', 'totalTill', 'totalPaybill'])
const differs = (a: number, b: number) => Math.abs(a - b) > A_CENT
/** Whether the totals hold more than the lines of the breakdown. */
const addsMore = (one: ListedRecord): boolean =>
  differs(one.totalCollections, collected(one)) || differs(one.totalTransactions, one.totalCollections + paidOut(one))

function breakdownTotals(breakdown: SeenAnswer | undefined, collections: SeenAnswer | undefined) {
  if (breakdown?.status !== 200) return untold(`the wallet breakdown was answered ${breakdown?.status}`)
  const entries = recordsOf(breakdown)
  if (entries.length === 0) return untold(NO_SUB_ACCOUNT)
  if (entries.some(addsMore)) return 'all-money'
  const others = new Set(recordsOf(collections).map(({ organisation }) => organisation?.uuid))
  return entries.some(({ organisationUuid }) => others.has(organisationUuid))
    ? 'named-lines'
    : untold('no sub-account is known to have money that the lines of the breakdown leave out')
}

export const organisationProbes = {
  'list-scope': {
    ways: [
      {
        tier: 'free',
        steps: (account) => [
          listReads.breakdown(),
          listReads.sendMoney(account),
          listReads.till(account),
          listReads.paybill(),
          listReads.stk(),
          listReads.bankCollections(),
        ],
        tells: ([breakdown, ...seen], { companyId }) => {
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
      },
    ],
  },
  'parent-flag': {
    ways: [
      {
        tier: 'free',
        steps: () => [listReads.subAccounts(), listReads.bankCollections()],
        tells: ([subs, collections], { companyId }) => {
          const own = recordsOf(collections).find(({ organisation }) => organisation?.uuid === companyId)
          if (!own) return untold('the account has no bank collection')
          if (own.organisation.parentOrganisation !== null) return untold('the account is a sub-account itself')
          if (own.organisation.parent === false) return 'with-sub-accounts'
          if (subs?.status !== 200) return untold(`sub-accounts are not listed: ${subs?.status}`)
          if (recordsOf(subs).length > 0)
            return untold('the account has sub-accounts, so that it is a parent either way')
          return own.organisation.parent === true ? 'top-level' : undefined
        },
      },
    ],
  },
  'breakdown-totals': {
    ways: [
      {
        tier: 'free',
        steps: () => [listReads.breakdown(), listReads.bankCollections()],
        tells: ([breakdown, collections]) => breakdownTotals(breakdown, collections),
      },
      {
        tier: 'free',
        needs: ['sub-account'],
        steps: () => [listReads.breakdown(), { ...listReads.bankCollections(), asker: 'sub-account' }],
        tells: ([breakdown, collections]) => breakdownTotals(breakdown, collections),
      },
    ],
    sees: ({ request, body }) =>
      request.path === listReads.breakdown().path && Array.isArray(body) && body.some((one) => one && addsMore(one))
        ? 'all-money'
        : undefined,
  },
  'net-balance': {
    ways: [
      {
        tier: 'free',
        steps: () => [listReads.breakdown()],
        tells: ([breakdown]) => {
          if (breakdown?.status !== 200) return untold(`the wallet breakdown was answered ${breakdown?.status}`)
          // Whichever totals it is made of.
          const isMade = (one: ListedRecord) => {
            const payouts = one.totalTransactions - one.totalCollections
            return !differs(one.netBalance, one.totalCollections - payouts)
          }
          return recordsOf(breakdown).some((one) => !isMade(one))
            ? 'wallet'
            : untold('every balance of the breakdown is what was collected less what was paid out')
        },
      },
      {
        tier: 'own-transfer',
        steps: thereAndBack,
        tells: ([subs, before, , after]) => {
          const { uuid } = recordsOf(subs)[0] ?? {}
          const [was, is] = [balanceIn(before, uuid), balanceIn(after, uuid)]
          if (was === undefined || is === undefined) return undefined
          return differs(was, is) ? 'wallet' : 'collections-minus-payouts'
        },
      },
    ],
  },
  'second-cancel': {
    ways: [
      {
        tier: 'own-transfer',
        steps: thereAndBack,
        tells: ([, , , , first, second]) => {
          if (first?.status !== 200) return untold(`the first cancel was answered ${first?.status}`)
          return byStatus(second, { 200: 'same-answer', 400: 'refuse' })
        },
      },
    ],
  },
  'cancelled-allocation-status': {
    ways: [
      {
        tier: 'own-transfer',
        steps: thereAndBack,
        tells: ([, , made, , first, , list]) => {
          if (first?.status !== 200) return untold(`the cancel was answered ${first?.status}`)
          const found = recordsOf(list).find(({ requestId }) => requestId === made?.body?.data?.requestId)
          if (!found) return untold('the list of allocations does not show it')
          return found.status === 'CANCELLED' || found.status === 'SUCCESS' ? found.status : undefined
        },
      },
    ],
  },
  'allocation-direction': {
    ways: [
      {
        tier: 'free',
        steps: ({ companyId }) => [
          move('de-allocations', companyId, NOBODY, FAR_ABOVE, { doom: 'unknown-organisation' }),
          listReads.subAccounts(),
        ],
        tells: ([seen, subs]) => {
          if (seen?.status === 403 && subs?.status === 403)
            return untold('sub-accounts are not allowed to this account')
          return byStatus(seen, { 404: 'either', 403: 'either', 400: 'as-named' })
        },
      },
    ],
  },
  'allocation-to-oneself': {
    ways: [
      {
        tier: 'free',
        steps: (account) => [inOrder(account), allocatingFromNobody(account, { toOrganisationId: NOBODY })],
        tells: ([good, asked]) => either(isTaken(asked, good), 'accept', 'refuse'),
      },
    ],
  },
  'allocation-currency': {
    ways: [
      {
        tier: 'free',
        steps: (account) => [
          inOrder(account),
          allocatingFromNobody(account, { currency: 'TZS' }),
          allocatingFromNobody(account, { currency: 'NONE' }),
        ],
        tells: ([good, known, unknown]) => {
          const taken = isTaken(known, good)
          if (taken === true) return either(isTaken(unknown, good), 'kes-only', 'currency-field')
          // Fields that nobody knows are refused, and this one among them.
          return taken === false ? (unknown && isRefusedForForm(unknown) ? 'kes-only' : undefined) : taken
        },
      },
    ],
  },
  'allocation-callers': {
    ways: [
      {
        tier: 'free',
        needs: ['sub-account'],
        steps: ({ companyId }) => {
          const asker = 'sub-account'
          const from = (path: string) => (seen: readonly SeenAnswer[]) => {
            if (seen[0]?.status !== 200) return untold(`sub-accounts are not listed: ${seen[0]?.status}`)
            const own = recordsOf(seen[1]).find(({ organisation }) => organisation?.uuid)?.organisation?.uuid
            return own
              ? move(path, own, companyId, FAR_ABOVE, { asker, doom: 'impossible-amount' })
              : untold('the sub-account has no bank collection, which would show its id')
          }
          return [
            listReads.subAccounts(),
            { ...listReads.bankCollections(), asker },
            from('allocations'),
            from('de-allocations'),
          ]
        },
        tells: ([, , allocation, deAllocation]) => {
          if (allocation?.status === 400)
            return deAllocation?.status === 402
              ? untold('an allocation may not take from a sub-account, whoever asks', 'none')
              : untold('an allocation may not take from a sub-account, whoever asks')
          const told = [allocation?.status === 402, deAllocation?.status === 402]
          const refused = [allocation, deAllocation].every((one) => [402, 403, 404].includes(one?.status ?? 0))
          if (!refused) return undefined
          return ({ 'true,true': 'both', 'false,true': 'de-allocations', 'false,false': 'none' } as const)[String(told)]
        },
      },
    ],
  },
  'sub-account-callers': {
    ways: [
      {
        tier: 'free',
        needs: ['sub-account'],
        steps: () => [listReads.subAccounts(), { ...listReads.subAccounts(), asker: 'sub-account' }],
        tells: ([own, asked]) => {
          if (own?.status !== 200) return untold(`its parent itself was answered ${own?.status}`)
          return byStatus(asked, { 200: 'for-parent', 403: 'refused' })
        },
      },
    ],
  },
  'foreign-company': {
    ways: [
      {
        tier: 'free',
        needs: ['sub-account'],
        steps: ({ companyId }) => [get(`${API}/send-money/all?companyId=${companyId}`, { asker: 'sub-account' })],
        tells: ([seen]) => byStatus(seen, { 403: '403', 404: '404' }),
      },
    ],
  },
  'foreign-payment': {
    ways: [
      {
        tier: 'free',
        needs: ['sub-account'],
        steps: ({ companyId }) => [
          listReads.bankCollections(),
          ([seen]) => {
            const own = recordsOf(seen).find(({ organisation }) => organisation?.uuid === companyId)
            return own
              ? get(`${API}/bank/collection/single?requestId=${own.uuid}`, { asker: 'sub-account' })
              : untold('the account has no bank collection that its sub-account could ask for')
          },
        ],
        tells: ([, seen]) => byStatus(seen, { 403: '403', 404: '404' }),
      },
    ],
  },
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
  'second-subscribe': {
    ways: [
      {
        tier: 'lasting',
        steps: () => {
          const subscribe: ProbeRequest = { method: 'POST', path: `${API}/multiaccount/subscribe` }
          return [subscribe, { ...subscribe, repeats: 1 }]
        },
        tells: ([, seen]) => byStatus(seen, { 201: 'same-answer', 200: 'same-answer', 400: 'refuse' }),
      },
    ],
  },
  'taken-usernames': {
    ways: [
      {
        tier: 'lasting',
        steps: (account) => [subAccount(account, 'one'), subAccount(account, 'two')],
        tells: ([first, second]) => {
          if (!first || !isDone(first)) return untold(`a sub-account was answered ${first?.status}`)
          return byStatus(second, { 201: 'accept', 200: 'accept', 400: 'refuse' })
        },
      },
    ],
  },
  'taken-emails': {
    ways: [
      {
        tier: 'lasting',
        steps: (account) => [
          subAccount(account, 'one'),
          subAccount(account, 'mail', { username: `mfano-${account.run}-mail` }, 'one'),
        ],
        tells: ([first, second]) => {
          if (!first || !isDone(first)) return untold(`a sub-account was answered ${first?.status}`)
          return byStatus(second, { 201: 'accept', 200: 'accept', 400: 'refuse', 409: 'refuse' })
        },
      },
    ],
  },
  'activate-unsubscribed': {
    ways: [
      {
        tier: 'lasting',
        steps: () => [
          { method: 'PUT', path: `${API}/multiaccount/de-activate`, repeats: 1 },
          { method: 'PUT', path: `${API}/multiaccount/activate`, restores: true, repeats: 1 },
        ],
        tells: ([off, on]) => {
          if (off?.status !== 404) return untold('the account has a subscription already')
          return byStatus(on, { 404: '404', 200: 'subscribes' })
        },
      },
    ],
  },
  'cancelled-de-allocations': {
    ways: [
      {
        tier: 'own-transfer',
        steps: (account) => [
          listReads.subAccounts(),
          ([subs]) => {
            if (subs?.status !== 200) return untold(`sub-accounts are not listed: ${subs?.status}`)
            const [first] = recordsOf(subs)
            // A cent more than others move, so that it is a move of its own.
            return first
              ? move('allocations', account.companyId, first.uuid, account.amount + A_CENT)
              : untold(NO_SUB_ACCOUNT)
          },
          ([subs, made]) =>
            made && isDone(made)
              ? move('de-allocations', recordsOf(subs)[0].uuid, account.companyId, account.amount + A_CENT, {
                  restores: true,
                })
              : untold(`an allocation was answered ${made?.status}`),
          ([, , back]) =>
            back && isDone(back) ? cancelOf(back) : untold(`a de-allocation was answered ${back?.status}`),
          // It is with the sub-account again, and comes back by the cancel of what brought it there.
          ([, made, , cancelled]) =>
            made && cancelled && isDone(cancelled) ? { ...cancelOf(made), restores: true } : undefined,
        ],
        tells: ([, , , cancelled]) => byStatus(cancelled, { 200: 'cancelled', 404: 'not-found', 400: 'not-found' }),
      },
    ],
  },
  'cancel-callers': {
    ways: [
      {
        tier: 'own-transfer',
        needs: ['sub-account'],
        steps: (account) => [
          listReads.subAccounts(),
          { ...listReads.bankCollections(), asker: 'sub-account' },
          ([subs, collections]) => {
            if (subs?.status !== 200) return untold(`sub-accounts are not listed: ${subs?.status}`)
            const own = recordsOf(collections).find(({ organisation }) => organisation?.uuid)?.organisation?.uuid
            // Two cents more than others move, so that it is a move of its own.
            return own
              ? move('allocations', account.companyId, own, account.amount + 2 * A_CENT)
              : untold('the sub-account has no bank collection, which would show its id')
          },
          ([, , made]) =>
            made && isDone(made)
              ? { ...cancelOf(made), asker: 'sub-account' }
              : untold(`an allocation was answered ${made?.status}`),
          ([, , made, cancelled]) =>
            made && cancelled && !isDone(cancelled) ? { ...cancelOf(made), restores: true, repeats: 1 } : undefined,
        ],
        tells: ([, , , cancelled]) =>
          byStatus(cancelled, { 200: 'receiver-too', 404: 'maker-and-parent', 403: 'maker-and-parent' }),
      },
    ],
  },
  'user-login': {
    ways: [
      {
        tier: 'lasting',
        steps: (account) => [
          subAccount(account, 'admin', userOf(account, 'admin')),
          loginOf(account, 'admin'),
          ([, admin]) => (admin && isDone(admin) ? subAccount(account, 'clerk', userOf(account, 'clerk')) : undefined),
          ([, , clerk]) => (clerk && isDone(clerk) ? loginOf(account, 'clerk') : undefined),
        ],
        tells: ([made, admin, clerk, other]) => {
          if (!made || !isDone(made)) return untold(`a sub-account was answered ${made?.status}`)
          if (!admin || !isDone(admin)) return byStatus(admin, { 401: 'none', 403: 'none' })
          if (!clerk || !isDone(clerk)) return untold('no user without the role ADMIN can be made', 'none')
          return other && isDone(other) ? 'all' : byStatus(other, { 401: 'admins', 403: 'admins' })
        },
      },
    ],
  },
} as const satisfies SomeProbes

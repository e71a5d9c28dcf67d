/** Probes that need payments, wallets, checkout sessions or sub-accounts. */

import {
  byStatus,
  type ProbeAccount,
  type ProbeRequest,
  type ProbeStep,
  probe,
  type SeenAnswer,
  seenAt,
  Untold,
  untold,
  way,
} from './asked-by.ts'
import {
  API,
  accountHas,
  checkoutOf,
  FAR_ABOVE,
  get,
  isDone,
  isRefusedForForm,
  type ListedRecord,
  listReads,
  NOBODY,
  paying,
  payingBank,
  post,
  recordsOf,
  referenceOf,
} from './asking.ts'
import type { SomeProbes } from './some-probes.ts'

/** How a second request was answered that repeats a first one: refused, the first one's answer, or another. */
function repeated<const Refused extends string, const Same extends string, const Other extends string>(
  [first, second]: readonly SeenAnswer[],
  what: string,
  [refused, same, other]: readonly [Refused, Same, Other],
): Refused | Same | Other | Untold | undefined {
  if (!first || !isDone(first)) return untold(`${what} was answered ${first?.status}`)
  if (!second || !isDone(second)) return byStatus(second, { 400: refused, 409: refused, 422: refused })
  const idOf = ({ body }: SeenAnswer) => body?.id ?? body?.data?.requestId
  return idOf(first) === idOf(second) ? same : other
}

// Probes that need a payment.

export const paymentProbes = {
  'funds-check': probe(
    'payment',
    // Nothing is paid either way: where it is accepted, it fails.
    (account) => [paying(account, { amount: FAR_ABOVE, referenceId: `${referenceOf(account)}-funds` })],
    ([seen]) => {
      if (seen?.status === 402) return 'at-creation'
      if (seen && isDone(seen)) return 'at-settlement'
      return seen?.status === 403 ? untold('a limit is told before the funds') : undefined
    },
    { needs: ['phone-ke'] },
  ),
  'duplicate-reference': probe(
    'payment',
    (account) => [paying(account), paying(account, {}, { repeats: 1 })],
    (seen) => repeated(seen, 'a payment', ['refuse', 'replay', 'second-payment']),
    { needs: ['phone-ke'] },
  ),
  'name-mismatch': probe(
    'payment',
    (account) => [payingBank(account, '/mismatch')],
    ([seen]) => (seen && isDone(seen) ? 'later' : seen && isRefusedForForm(seen) ? 'at-once' : undefined),
    { needs: ['bank-account'] },
  ),
  'unlisted-accounts': {
    unaskable: 'it is about accounts that no scenario lists; at the real service each account has its holder',
  },
} as const satisfies SomeProbes

// Probes for transfers between own wallets, and for their place in the wallet breakdown.

const NO_SUB_ACCOUNT = 'the account has no sub-account'
/** Larger than rounding errors of sums. */
const A_CENT = 0.01

const move = (path: string, from: string, to: string, amount: number, more: Partial<ProbeRequest> = {}) =>
  post(`${API}/${path}/new`, { fromOrganisationId: from, toOrganisationId: to, amount }, more)

function firstOf(subs: SeenAnswer | undefined): string | Untold {
  if (subs?.status !== 200) return untold(`sub-accounts are not listed: ${subs?.status}`)
  return recordsOf(subs)[0]?.uuid ?? untold(NO_SUB_ACCOUNT)
}

function ownerOf(subs: SeenAnswer | undefined, collections: SeenAnswer | undefined): string | Untold {
  if (subs?.status !== 200) return untold(`sub-accounts are not listed: ${subs?.status}`)
  const own = recordsOf(collections).find(({ organisation }) => organisation?.uuid)
  return own?.organisation.uuid ?? untold('the sub-account has no bank collection, which would show its id')
}

const thereAndBack = (account: ProbeAccount): ProbeStep[] => {
  const idOf = (seen: readonly SeenAnswer[]) => seen[2]?.body?.data?.requestId ?? NOBODY
  const cancel = (seen: readonly SeenAnswer[]) =>
    get(`${API}/allocations/single/cancel?allocationId=${idOf(seen)}`, { restores: true })
  return [
    listReads.subAccounts(),
    { ...listReads.breakdown(), repeats: 1 },
    ([subs]) => {
      const first = firstOf(subs)
      return first instanceof Untold ? first : move('allocations', account.companyId, first, account.amount)
    },
    (seen) =>
      seen[2] && isDone(seen[2])
        ? { ...listReads.breakdown(), repeats: 2 }
        : untold(`an allocation was answered ${seen[2]?.status}`),
    (seen) => (seen[2] && isDone(seen[2]) ? cancel(seen) : undefined),
    get(`${API}/allocations/allocations/org/all`, { repeats: 1 }),
  ]
}

const balanceIn = (seen: SeenAnswer | undefined, uuid: string): number | undefined =>
  recordsOf(seen).find(({ organisationUuid }) => organisationUuid === uuid)?.netBalance

const differs = (a: number, b: number) => Math.abs(a - b) > A_CENT
export const walletProbes = {
  'net-balance': {
    ways: [
      way('free', [listReads.breakdown()], ([breakdown]) => {
        if (breakdown?.status !== 200) return untold(`the wallet breakdown was answered ${breakdown?.status}`)
        // Whichever totals it is made of.
        const isMade = ({ netBalance, totalTransactions, totalCollections }: ListedRecord) =>
          !differs(netBalance, 2 * totalCollections - totalTransactions)
        return recordsOf(breakdown).some((one) => !isMade(one))
          ? 'wallet'
          : untold('every balance of the breakdown is what was collected less what was paid out')
      }),
      way('own-transfer', thereAndBack, ([subs, before, , after]) => {
        const { uuid } = recordsOf(subs)[0] ?? {}
        const [was, is] = [balanceIn(before, uuid), balanceIn(after, uuid)]
        if (was === undefined || is === undefined) return undefined
        return differs(was, is) ? 'wallet' : 'collections-minus-payouts'
      }),
    ],
  },
  'cancelled-allocation-status': probe('own-transfer', thereAndBack, ([, , made, , first, list]) => {
    if (first?.status !== 200) return untold(`the cancel was answered ${first?.status}`)
    const found = recordsOf(list).find(({ requestId }) => requestId === made?.body?.data?.requestId)
    if (!found) return untold('the list of allocations does not show it')
    return found.status === 'CANCELLED' || found.status === 'SUCCESS' ? found.status : undefined
  }),
  'allocation-direction': probe(
    'free',
    ({ companyId }) => [
      move('de-allocations', companyId, NOBODY, FAR_ABOVE, { doom: 'unknown-organisation' }),
      listReads.subAccounts(),
    ],
    ([seen, subs]) => {
      if (seen?.status === 403 && subs?.status === 403) return untold('sub-accounts are not allowed to this account')
      return byStatus(seen, { 404: 'either', 403: 'either', 400: 'as-named' })
    },
  ),
  'allocation-callers': probe(
    'free',
    ({ companyId }) => {
      const asker = 'sub-account'
      const from =
        (path: string) =>
        ([subs, collections]: readonly SeenAnswer[]) => {
          const own = ownerOf(subs, collections)
          return own instanceof Untold
            ? own
            : move(path, own, companyId, FAR_ABOVE, { asker, doom: 'impossible-amount' })
        }
      return [
        listReads.subAccounts(),
        { ...listReads.bankCollections(), asker },
        from('allocations'),
        from('de-allocations'),
      ]
    },
    ([, , allocation, deAllocation]) => {
      if (allocation?.status === 400)
        return deAllocation?.status === 402
          ? untold('an allocation may not take from a sub-account, whoever asks', 'none')
          : untold('an allocation may not take from a sub-account, whoever asks')
      const told = [allocation?.status === 402, deAllocation?.status === 402]
      const refused = [allocation, deAllocation].every((one) => [402, 403, 404].includes(one?.status ?? 0))
      if (!refused) return undefined
      const byRefused = { 'true,true': 'both', 'false,true': 'de-allocations', 'false,false': 'none' } as const
      return Object.entries(byRefused).find(([one]) => one === String(told))?.[1]
    },
    { needs: ['sub-account'] },
  ),
} as const satisfies SomeProbes

// Probes for checkout sessions. Most sessions stay unpaid; a person pays a few.

const MINUTE_MS = 60_000
const SESSIONS = `${API}/checkout-sessions`

const creating = (account: ProbeAccount, more: object = {}): ProbeRequest =>
  post(SESSIONS, { ...checkoutOf(account), ...more })

/** An unpaid session that all read-only probes share. */
const leftAlone = (account: ProbeAccount): ProbeRequest =>
  creating(account, {
    externalReference: `mfano-${account.run}-alone`,
    ...(account.receiver && { callbackUrl: `${account.receiver}/session` }),
  })

const untoldOfSession = (made: SeenAnswer | undefined) => untold(`a session was answered ${made?.status}`)

const reading = (made: SeenAnswer | undefined, repeats = 0) => {
  const id = made?.body?.id
  return typeof id === 'string' ? get(`${SESSIONS}/${id}`, { repeats }) : untoldOfSession(made)
}

/** Minutes until the session is read again, and the alternative that an expiry by then proves. */
const lives = [
  [6, '5m'],
  [31, '30m'],
  [24 * 60 + 1, '24h'],
] as const

const created = { 201: '201', 200: '200' } as const

export const checkoutProbes = {
  'checkout-status-code': probe('session', (account) => [leftAlone(account)], created, {
    sees: seenAt(/^POST \/api\/sandbox\/v1\/checkout-sessions$/, created),
  }),
  'duplicate-external-reference': probe(
    'session',
    (account) => {
      const session = creating(account, { externalReference: `mfano-${account.run}-twice` })
      return [session, { ...session, repeats: 1 }]
    },
    (seen) => repeated(seen, 'a session', ['refuse', 'replay', 'second-session']),
  ),
  'idempotency-key': probe(
    'session',
    (account) => {
      const session = creating(account)
      const keyed = { ...session, headers: { 'idempotency-key': `mfano-${account.run}` } }
      return [keyed, { ...keyed, repeats: 1 }]
    },
    (seen) => repeated(seen, 'a session', ['refuse', 'replay', 'ignored']),
  ),
  decimals: probe(
    'session',
    (account) => [
      creating(account, { amount: account.amount + 0.126 }),
      ([made]) => (made && isDone(made) ? reading(made) : undefined),
    ],
    ([made, read], { amount }) => {
      if (!made || !isDone(made)) return made && isRefusedForForm(made) ? 'refuse' : undefined
      const cents = Math.round(Number(read?.body?.amount) * 100) - amount * 100
      return cents === 13 ? 'round' : cents === 12 ? 'cut' : undefined
    },
  ),
  'session-life': probe(
    'session',
    (account) => [
      leftAlone(account),
      ...lives.flatMap(([minutes], at) => {
        const before = lives[at - 1]?.[0] ?? 0
        const isOver = (seen: readonly SeenAnswer[]) => seen.at(-1)?.body?.status === 'EXPIRED'
        return [
          (seen: readonly SeenAnswer[]) => (isOver(seen) ? undefined : { waitMs: (minutes - before) * MINUTE_MS }),
          (seen: readonly SeenAnswer[]) => (isOver(seen) ? undefined : reading(seen[0], at)),
        ]
      }),
    ],
    (seen) => {
      const reads = seen.filter(({ request }) => request.path.startsWith(`${SESSIONS}/`))
      const end = reads.findIndex(({ body }) => body?.status === 'EXPIRED')
      return end === -1 ? untold('the session did not expire within a day') : lives[end]?.[1]
    },
  ),
  'prompt-life': {
    unaskable: 'it is about customers, not about the service: at the real one each takes the time that they take',
  },
  'checkout-cancel': probe(
    'human',
    (account) => [
      creating(account, { externalReference: `mfano-${account.run}-cancel` }),
      ([made]) => {
        const checkoutUrl = made?.body?.checkoutUrl
        if (typeof checkoutUrl !== 'string') return untoldOfSession(made)
        return { byHand: 'Open the checkout page and cancel the payment there.', checkoutUrl, act: 'cancel' }
      },
      ([made]) => reading(made),
    ],
    (seen) => {
      const status = seen.at(-1)?.body?.status
      return status === 'PENDING' ? 'stays-pending' : status === 'FAILED' ? 'fails' : undefined
    },
  ),
} as const satisfies SomeProbes

// Probes for sub-accounts: what each may call, and what a parent sees.

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

const subscribe: ProbeRequest = { method: 'POST', path: `${API}/multiaccount/subscribe` }
const noneListed = accountHas('no sub-account, or may not list them')

export const subAccountProbes = {
  'company-id': probe(
    'free',
    [
      listReads.subAccounts(),
      ([seen]) => {
        const [listed] = recordsOf(seen)
        return listed ? get(`${API}/send-money/all?companyId=${listed.uuid}`) : noneListed
      },
    ],
    { 200: 'with-sub-accounts', 400: 'own', 403: 'own', 404: 'own' },
  ),
  'sub-account-environment': probe('free', [listReads.subAccounts()], ([seen]) => {
    const [listed] = recordsOf(seen)
    if (!listed) return noneListed
    return listed.environment === null ? 'none' : listed.environment === 'sandbox' ? 'sandbox' : undefined
  }),
  'list-scope': probe(
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
      way('free', [listReads.subAccounts()], ([seen]) => {
        if (seen?.status === 403) return 'yes'
        return seen?.status === 200 ? untold('the account may have a subscription') : undefined
      }),
      way(
        'lasting',
        [
          { method: 'PUT', path: `${API}/multiaccount/de-activate` },
          { ...listReads.subAccounts(), repeats: 1 },
          ([off]) =>
            off && isDone(off) ? { method: 'PUT', path: `${API}/multiaccount/activate`, restores: true } : undefined,
        ],
        ([off, seen]) =>
          off && (isDone(off) || off.status === 404) ? byStatus(seen, { 200: 'no', 403: 'yes' }) : undefined,
      ),
    ],
  },
  'second-subscribe': probe('lasting', [subscribe, { ...subscribe, repeats: 1 }], {
    201: 'same-answer',
    200: 'same-answer',
    400: 'refuse',
  }),
  'taken-emails': probe(
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

import {
  type Awaited,
  again,
  breakdown,
  byCallback,
  byField,
  byOwnTransfer,
  byPayment,
  bySession,
  byStatus,
  creating,
  FAR_ABOVE,
  free,
  get,
  inconclusive,
  isDone,
  type ListedRecord,
  lasting,
  lists,
  NOBODY,
  type ProbeRequest,
  type ProbeStep,
  paying,
  post,
  put,
  recordsOf,
  type SeenAnswer,
  type ServiceProbe,
  type SomeProbes,
  seenAt,
  session,
  subAccounts,
  text,
} from '../probe.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** How a request is answered that repeats a first one: refused, with the first one's answer, or with another. */
const repeated = <const Refused extends string, const Same extends string, const Other extends string>(
  asked: typeof byPayment,
  request: ProbeRequest,
  [refused, same, other]: readonly [Refused, Same, Other],
) =>
  asked<Refused | Same | Other>([request, { ...again(request), essential: undefined }], ([first, second]) => {
    if (!isDone(second)) return byStatus(second, { 400: refused, 409: refused, 422: refused })
    return idOf(first) === idOf(second) ? same : other
  })

const idOf = (seen: SeenAnswer | undefined) => seen?.body?.id ?? seen?.body?.data?.requestId

/** Larger than rounding errors of sums. */
const A_CENT = 0.01

const move = (path: string, from: string, to: string, amount: number | string, more: Partial<ProbeRequest> = {}) =>
  post(`/${path}/new`, { fromOrganisationId: from, toOrganisationId: to, amount }, more)

const listedSubAccounts = { ...subAccounts, essential: 'the list of sub-accounts' }

const thereAndBack: readonly ProbeStep[] = [
  listedSubAccounts,
  again(breakdown),
  move('allocations', '{companyId}', '{0.records.0.uuid}', '{amount}', {
    essential: 'an allocation',
    lacks: 'the account has no sub-account',
  }),
  again(breakdown, 2),
  get('/allocations/single/cancel?allocationId={2.data.requestId}', { ifDone: 2, restores: true }),
  get('/allocations/allocations/org/all', { repeats: 1 }),
]

const bySubAccount = (path: string) =>
  move(path, '{1.records.0.organisation.uuid}', '{companyId}', FAR_ABOVE, {
    asker: 'sub-account',
    doom: 'impossible-amount',
    lacks: 'the sub-account has no bank collection, which would show its id',
  })

const balanceIn = (seen: SeenAnswer | undefined, uuid: string): number | undefined =>
  recordsOf(seen).find(({ organisationUuid }) => organisationUuid === uuid)?.netBalance

const differs = (a: number, b: number) => Math.abs(a - b) > A_CENT

/** An unpaid session that all read-only probes share. */
const leftAlone = creating({ externalReference: 'mfano-{run}-alone' })

/** How long to wait until the session is read again, and the alternative that an expiry by then proves. */
const lives = [
  [6, '5m'],
  [25, '30m'],
  [24 * 60 - 30, '24h'],
] as const

const isOver = (seen: readonly SeenAnswer[]) => seen.at(-1)?.body?.status === 'EXPIRED'
const unlessOver =
  (step: ProbeRequest | { waitMs: number }): ProbeStep =>
  (seen) =>
    isOver(seen) ? undefined : step

const created = { 201: '201', 200: '200' } as const

const subAccount = (name: string, user: object = {}, mailbox = name): ProbeRequest =>
  post('/multiaccount/new/organisation', {
    name: `Calibration {run} ${name}`,
    email: `calibration-{run}-${mailbox}@merchant.example`,
    phone: '254700000100',
    user: {
      userType: 'API_USER',
      firstName: text,
      lastName: text,
      username: 'mfano-{run}',
      password: 'a-long-first-password',
      roles: ['ADMIN'],
      email: 'calibration@merchant.example',
      ...user,
    },
  })

const lines = {
  totalSendMoney: lists.sendMoney,
  totalTill: lists.till,
  totalPaybill: lists.paybill,
  totalStkCollection: lists.stk,
}

const subscribe = post('/multiaccount/subscribe', undefined)
const noneListed = 'the account has no sub-account, or may not list them'

export const paymentProbes = {
  'funds-check': byPayment(
    // Nothing is paid either way: where it is accepted, it fails.
    [paying({ amount: FAR_ABOVE, referenceId: 'mfano-{run}-funds' }, { essential: undefined })],
    { 402: 'at-creation', done: 'at-settlement', 403: inconclusive('a limit is told before the funds') },
  ),
  'duplicate-reference': repeated(byPayment, paying(), ['refuse', 'replay', 'second-payment']),
  'name-mismatch': byPayment(
    [
      post('/bank/payout/new', {
        bankCode: '{bankCode}',
        beneficiaryName: 'Nobody Of That Name',
        creditAccountNumber: '{bankNumber}',
        amount: '{amount}',
        narration: text,
        callbackUrl: '{receiver}/mismatch',
      }),
    ],
    { done: 'later', form: 'at-once' },
  ),
  'unlisted-accounts': {
    unaskable: 'it is about accounts that no scenario lists; at the real service each account has its holder',
  },
  'net-balance': {
    ...free([{ ...breakdown, essential: 'the wallet breakdown' }], ([seen]) => {
      // Whichever totals it is made of.
      const isMade = ({ netBalance, totalTransactions, totalCollections }: ListedRecord) =>
        !differs(netBalance, 2 * totalCollections - totalTransactions)
      return recordsOf(seen).some((one) => !isMade(one))
        ? 'wallet'
        : inconclusive('every balance of the breakdown is what was collected less what was paid out')
    }),
    or: byOwnTransfer(thereAndBack, ([subs, before, , after]) => {
      const { uuid } = recordsOf(subs)[0] ?? {}
      const [was, is] = [balanceIn(before, uuid), balanceIn(after, uuid)]
      if (was === undefined || is === undefined) return undefined
      return differs(was, is) ? 'wallet' : 'collections-minus-payouts'
    }),
  },
  'cancelled-allocation-status': byOwnTransfer(thereAndBack, ([, , made, , first, list]) => {
    if (first?.status !== 200) return inconclusive(`the cancel was answered ${first?.status}`)
    const found = recordsOf(list).find(({ requestId }) => requestId === made?.body?.data?.requestId)
    if (!found) return inconclusive('the list of allocations does not show it')
    return found.status === 'CANCELLED' || found.status === 'SUCCESS' ? found.status : undefined
  }),
  'allocation-direction': free(
    [move('de-allocations', '{companyId}', NOBODY, FAR_ABOVE, { doom: 'unknown-organisation' }), subAccounts],
    ([seen, subs]) => {
      if (seen?.status === 403 && subs?.status === 403)
        return inconclusive('sub-accounts are not allowed to this account')
      return byStatus(seen, { 404: 'either', 403: 'either', 400: 'as-named' })
    },
  ),
  'allocation-callers': free(
    [
      listedSubAccounts,
      { ...lists.bankCollections, asker: 'sub-account' },
      bySubAccount('allocations'),
      bySubAccount('de-allocations'),
    ],
    ([, , allocation, deAllocation]) => {
      const may = { 402: 'T', 403: 'F', 404: 'F' } as const
      if (allocation?.status === 400)
        return inconclusive(
          'an allocation may not take from a sub-account, whoever asks',
          ...(deAllocation?.status === 402 ? ['none'] : []),
        )
      const told = `${byStatus(allocation, may)}${byStatus(deAllocation, may)}`
      return ({ TT: 'both', FT: 'de-allocations', FF: 'none' } as const)[told]
    },
  ),
  'checkout-status-code': {
    ...bySession([{ ...leftAlone, essential: undefined }], created),
    sees: seenAt(/^POST \/api\/sandbox\/v1\/checkout-sessions$/, created),
  },
  'duplicate-external-reference': repeated(bySession, creating({ externalReference: 'mfano-{run}-twice' }), [
    'refuse',
    'replay',
    'second-session',
  ]),
  'idempotency-key': repeated(bySession, creating({}, { headers: { 'idempotency-key': 'mfano-{run}' } }), [
    'refuse',
    'replay',
    'ignored',
  ]),
  decimals: bySession(
    [creating({ amount: '{amountWithMils}' }, { essential: undefined }), session({ ifDone: 0 })],
    ([made, read], { amount }) => {
      if (!isDone(made)) return byStatus(made, { form: 'refuse' })
      const cents = Math.round(Number(read?.body?.amount) * 100) - amount * 100
      return cents === 13 ? 'round' : cents === 12 ? 'cut' : undefined
    },
  ),
  'session-life': bySession(
    [
      leftAlone,
      ...lives.flatMap(([minutes], repeats) => [
        unlessOver({ waitMs: minutes * MINUTE_MS }),
        unlessOver(session({ repeats })),
      ]),
    ], // Seen: the answer that made it, then a wait and a read for each of `lives` until it expired.
    (seen) =>
      isOver(seen) ? lives[(seen.length - 3) / 2]?.[1] : inconclusive('the session did not expire within a day'),
  ),
  'prompt-life': {
    unaskable: 'it is about customers, not about the service: at the real one each takes the time that they take',
  },
  'checkout-cancel': { unaskable: 'somebody has to cancel on the checkout page, by hand' },
  'company-id': free([subAccounts, get('/send-money/all?companyId={0.records.0.uuid}', { lacks: noneListed })], {
    200: 'with-sub-accounts',
    400: 'own',
    403: 'own',
    404: 'own',
  }),
  'sub-account-environment': free(
    [subAccounts],
    byField('records.0.environment', { null: 'none', sandbox: 'sandbox', undefined: inconclusive(noneListed) }),
  ),
  'list-scope': free(
    [breakdown, ...Object.values(lines), lists.bankCollections],
    ([entries, ...seen], { companyId }) => {
      const isOthers = ({ organisation }: ListedRecord) =>
        organisation?.uuid !== undefined && organisation.uuid !== companyId
      if (seen.flatMap(recordsOf).some(isOthers)) return 'with-sub-accounts'
      // A full list would have to show the sub-account's payments.
      const absent = Object.keys(lines).some((name, at) => {
        const list = seen[at]
        return list?.status === 200 && recordsOf(list).length !== 20 && recordsOf(entries).some((one) => one[name] > 0)
      })
      return absent ? 'own' : inconclusive('no sub-account is known to have a payment')
    },
  ),
  'subscription-required': {
    ...free([subAccounts], { 403: 'yes', 200: inconclusive('the account may have a subscription') }),
    or: lasting(
      [
        put('/multiaccount/de-activate'),
        again(subAccounts),
        put('/multiaccount/activate', { ifDone: 0, restores: true }),
      ],
      ([off, seen]) => (isDone(off) || off?.status === 404 ? byStatus(seen, { 200: 'no', 403: 'yes' }) : undefined),
    ),
  },
  'second-subscribe': lasting([subscribe, again(subscribe)], { 201: 'same-answer', 200: 'same-answer', 400: 'refuse' }),
  'taken-emails': lasting(
    [{ ...subAccount('one'), essential: 'a sub-account' }, subAccount('mail', { username: 'mfano-{run}-mail' }, 'one')],
    { done: 'accept', 400: 'refuse', 409: 'refuse' },
  ),
} as const satisfies SomeProbes

// Callbacks: these probes make payments whose callbacks go to a receiver on the internet.

interface Came {
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: what a service sends is what is asked
  body: any
  /** Real milliseconds until the sender closed a connection that was not answered. */
  closedAfterMs?: number
}

const cameTo = (seen: SeenAnswer | undefined): Came[] => (Array.isArray(seen?.body) ? seen.body : [])

const awaited = (callbacksAt: string, atLeast = 1, withinMs = 10 * MINUTE_MS): Awaited => ({
  callbacksAt,
  atLeast,
  withinMs,
  essential: 'a callback',
})
const alreadyAt = (path: string) => awaited(path, 0, 0)

/** The receiver answers as its path says (`/answer/500/…`, `/hold/…`), otherwise with 200. */
const payingTo = (path: string, how: Partial<ProbeRequest> = {}): ProbeRequest =>
  paying({ callbackUrl: `{receiver}${path}`, referenceId: `mfano-{run}${path}` }, how)

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** Decided by the callback of one ordinary payment, which all of these probes share. */
const ofOrdinary = <const Value extends string>(
  tells: (first: Came, all: Came[]) => Value | undefined,
): ServiceProbe<Value> =>
  byCallback(
    [payingTo('/plain', { headers: { traceparent: TRACE } }), awaited('/plain', 2, 2 * MINUTE_MS)],
    ([, came]) => {
      const all = cameTo(came)
      return all[0] && tells(all[0], all)
    },
  )

/** One callback is never accepted and one gets a 204. An hour later the receiver knows which were retried. */
const unreceived = [
  payingTo('/answer/500/refused'),
  payingTo('/answer/204/taken'),
  { waitMs: 70 * MINUTE_MS },
  alreadyAt('/answer/500/refused'),
]

const expiring = [
  creating({
    paymentMethods: ['CARD'],
    externalReference: 'mfano-{run}-expires',
    callbackUrl: '{receiver}/expired',
  }),
  { waitMs: 31 * MINUTE_MS },
  { ...awaited('/expired', 1, MINUTE_MS), essential: undefined },
  session({ repeats: 9 }),
]

export const callbackProbes = {
  'final-callback': ofOrdinary((_first, all) =>
    all.some(({ body }) => body?.status === 'PENDING') ? 'pending-too' : 'final',
  ),
  'callback-signature': ofOrdinary(({ headers }) => {
    if (headers['webhook-signature'] !== undefined) return 'standard-webhooks'
    return Object.keys(headers).some((name) => /signature|hmac/i.test(name)) ? undefined : 'none'
  }),
  'callback-retries': byCallback(unreceived, byField('length', { 1: 'never', 2: 'hourly', 5: 'as-set' })),
  'callback-success': byCallback([...unreceived, alreadyAt('/answer/204/taken')], ([, , , refused, taken]) => {
    if (cameTo(refused).length < 2) return inconclusive('no callback is tried again, whatever it is answered with')
    return cameTo(taken).length > 1 ? '200' : '2xx'
  }),
  'callback-timeout': byCallback(
    [payingTo('/hold/timeout'), awaited('/hold/timeout'), { waitMs: 35 * SECOND_MS }, alreadyAt('/hold/timeout')],
    (seen) => {
      const seconds = (cameTo(seen[3])[0]?.closedAfterMs ?? 0) / SECOND_MS
      if (seconds > 2 && seconds < 4.5) return '3s'
      if (seconds > 9 && seconds < 12) return 'as-set'
      return seconds > 28 && seconds < 34 ? '30s' : undefined
    },
  ),
  'callback-moment': byCallback(
    [payingTo('/hold/moment'), awaited('/hold/moment'), again(lists.sendMoney, 3)],
    ([paid, came, list]) => {
      if (cameTo(came).at(-1)?.body?.status === 'PENDING')
        return inconclusive('the first callback tells nothing of the end')
      const read = recordsOf(list).find(({ uuid }) => uuid === paid?.body?.data?.requestId)
      if (!read) return inconclusive('the payment is not on the list')
      return read.status === 'PENDING' ? 'after-callback' : 'at-once'
    },
  ),
  'expired-callback': byCallback(expiring, ([, , told, read]) => {
    if (cameTo(told).some(({ body }) => body?.status === 'EXPIRED')) return 'sent'
    const status = read?.body?.status
    return status === 'EXPIRED' ? 'none' : inconclusive(`the session is ${status} after half an hour`)
  }),
  'checkout-callback': byCallback(expiring, ([, , told]) => {
    const ended = cameTo(told).find(({ body }) => body?.status === 'EXPIRED')
    if (!ended) return inconclusive('no callback came of a session that expired')
    const has = (...names: string[]) => names.every((name) => name in ended.body)
    if (!has('amount')) return has('checkoutRef') ? 'short' : undefined
    return has('currency', 'externalReference', 'id') ? 'session' : undefined
  }),
  'verification-failure': byCallback(
    [
      post(
        '/bank/payout/verify-account',
        { bankCode: '0068', accountNumber: '01000000000404', callbackUrl: '{receiver}/verified' },
        { essential: 'a verification' },
      ),
      awaited('/verified'),
    ],
    byField('0.body.status', {
      Failed: 'Failed',
      FAILED: 'FAILED',
      Success: inconclusive('the account that nobody should have was verified'),
    }),
  ),
  'reversal-callback': { unaskable: 'nobody but the service can take back a payment that succeeded' },
  'bank-collection-callback': { unaskable: 'somebody has to pay into your bank account at the sandbox' },
} as const satisfies SomeProbes

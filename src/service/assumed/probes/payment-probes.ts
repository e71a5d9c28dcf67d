/** How the service is asked what only a payment and its callback show. */

import {
  type Awaited,
  type ProbeAccount,
  type ProbeRequest,
  type ProbeStep,
  type SeenAnswer,
  untold,
} from './asked-by.ts'
import { API, listReads, paying, post, referenceOf } from './asking.ts'
import { byStatus, isDone, isRefusedForForm, recordsOf } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
/** How long a payment may take to end, and its callback to come. */
const PATIENCE_MS = 10 * MINUTE_MS
/** Above each wallet of a sandbox, and no more than can be counted. */
const FAR_ABOVE = 900_000_000_000

/** What a receiver noted of a callback. */
interface Came {
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: what a service sends is what is asked
  body: any
  /** Real milliseconds from its arrival until the sender closed the connection, where it was not answered. */
  closedAfterMs?: number
}

const cameTo = (seen: SeenAnswer | undefined): Came[] => (Array.isArray(seen?.body) ? seen.body : [])
const awaited = (callbacksAt: string, atLeast = 1, withinMs = PATIENCE_MS): Awaited => ({
  callbacksAt,
  atLeast,
  withinMs,
})

/** The receiver answers as its path says: `/answer/500/…`, `/hold/…`; else with 200. */
const payingTo = (account: ProbeAccount, path: string, how: Partial<ProbeRequest> = {}): ProbeRequest =>
  paying(account, { callbackUrl: `${account.receiver}${path}`, referenceId: `${referenceOf(account)}${path}` }, how)

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
/** A payment whose callback everybody looks at who wants only one. */
const ordinary = (account: ProbeAccount): ProbeStep[] => [
  payingTo(account, '/plain', { headers: { traceparent: TRACE } }),
  awaited('/plain', 2, 2 * MINUTE_MS),
]
const NONE_CAME = 'no callback came'

/** One callback that nobody receives, and one that is received with 204; an hour shows which are tried again. */
const unreceived = (account: ProbeAccount): ProbeStep[] => [
  payingTo(account, '/answer/500/refused'),
  payingTo(account, '/answer/204/taken'),
  { waitMs: 70 * MINUTE_MS },
  awaited('/answer/500/refused', 0, 0),
  awaited('/answer/204/taken', 0, 0),
]

function retriesOf(refused: SeenAnswer | undefined) {
  const tries = cameTo(refused).length
  if (tries === 0) return untold(NONE_CAME)
  return ({ 1: 'never', 2: 'hourly', 5: 'as-set' } as const)[tries]
}

function headersOf({ headers }: Came): 'plain' | 'java-client' | 'bare' | undefined {
  const { 'content-type': type = '', 'user-agent': agent, accept } = headers
  if (agent === undefined && accept === undefined) return 'bare'
  if (/charset/i.test(type) && accept !== undefined) return 'java-client'
  return type === 'application/json' && agent !== undefined ? 'plain' : undefined
}

const toBank = (account: ProbeAccount, path: string): ProbeRequest => {
  const [bankCode, creditAccountNumber] = (account.bankAccount ?? '').split('/')
  return post(`${API}/bank/payout/new`, {
    bankCode,
    beneficiaryName: 'Nobody Of That Name',
    creditAccountNumber,
    amount: account.amount,
    narration: 'Calibration',
    callbackUrl: `${account.receiver ?? 'https://merchant.example/mfano-calibrate'}${path}`,
  })
}

const notPaid = (seen: SeenAnswer | undefined) => untold(`a payment was answered ${seen?.status}`)

export const paymentProbes = {
  'funds-check': {
    ways: [
      {
        tier: 'payment',
        needs: ['phone-ke'],
        // Nothing is paid either way: where it is accepted, it fails.
        steps: (account) => [paying(account, { amount: FAR_ABOVE, referenceId: `${referenceOf(account)}-funds` })],
        tells: ([seen]) => {
          if (seen?.status === 402) return 'at-creation'
          if (seen && isDone(seen)) return 'at-settlement'
          return seen?.status === 403 ? untold('a limit is told before the funds') : undefined
        },
      },
    ],
  },
  'refusal-order': { unaskable: 'it takes a payout that the service refuses for a limit which the wallet is above' },
  'duplicate-reference': {
    ways: [
      {
        tier: 'payment',
        needs: ['phone-ke'],
        steps: (account) => [paying(account), paying(account, {}, { repeats: 1 })],
        tells: ([first, second]) => {
          if (!first || !isDone(first)) return notPaid(first)
          if (!second || !isDone(second)) return byStatus(second, { 400: 'refuse', 409: 'refuse' })
          return first.body?.data?.requestId === second.body?.data?.requestId ? 'replay' : 'second-payment'
        },
      },
    ],
  },
  'name-mismatch': {
    ways: [
      {
        tier: 'payment',
        needs: ['bank-account'],
        steps: (account) => [toBank(account, '/mismatch')],
        tells: ([seen]) => (seen && isDone(seen) ? 'later' : seen && isRefusedForForm(seen) ? 'at-once' : undefined),
      },
    ],
  },
  'unlisted-accounts': {
    unaskable: 'it is about accounts that no scenario lists; at the real service each account has its holder',
  },
  'final-callback': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver', 'phone-ke'],
        steps: ordinary,
        tells: ([, came]) => {
          const statuses = cameTo(came).map(({ body }) => body?.status)
          if (statuses.length === 0) return untold(NONE_CAME)
          return statuses.includes('PENDING') ? 'pending-too' : 'final'
        },
      },
    ],
  },
  'callback-headers': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver', 'phone-ke'],
        steps: ordinary,
        tells: ([, came]) => {
          const [first] = cameTo(came)
          return first ? headersOf(first) : untold(NONE_CAME)
        },
      },
    ],
  },
  'callback-trace': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver', 'phone-ke'],
        steps: ordinary,
        tells: ([, came]) => {
          const [first] = cameTo(came)
          if (!first) return untold(NONE_CAME)
          const { traceparent } = first.headers
          return traceparent === undefined
            ? 'none'
            : traceparent.split('-')[1] === TRACE.split('-')[1]
              ? 'passed-on'
              : undefined
        },
      },
    ],
  },
  'callback-signature': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver', 'phone-ke'],
        steps: ordinary,
        tells: ([, came]) => {
          const [first] = cameTo(came)
          if (!first) return untold(NONE_CAME)
          if (first.headers['webhook-signature'] !== undefined) return 'standard-webhooks'
          return Object.keys(first.headers).some((name) => /signature|hmac/i.test(name)) ? undefined : 'none'
        },
      },
    ],
  },
  'callback-retries': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver', 'phone-ke'],
        steps: unreceived,
        tells: (seen) => retriesOf(seen[3]),
      },
    ],
  },
  'callback-success': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver', 'phone-ke'],
        steps: unreceived,
        tells: (seen) => {
          const [refused, taken] = [cameTo(seen[3]).length, cameTo(seen[4]).length]
          if (refused < 2) return untold('no callback is tried again, whatever it is answered with')
          return taken === 0 ? untold(NONE_CAME) : taken > 1 ? '200' : '2xx'
        },
      },
    ],
  },
  'callback-timeout': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver', 'phone-ke'],
        steps: (account) => [
          payingTo(account, '/hold/timeout'),
          awaited('/hold/timeout'),
          { waitMs: 35 * SECOND_MS },
          awaited('/hold/timeout', 0, 0),
        ],
        tells: (seen) => {
          const [first] = cameTo(seen[3])
          if (!first) return untold(NONE_CAME)
          const seconds = (first.closedAfterMs ?? Number.POSITIVE_INFINITY) / SECOND_MS
          if (seconds > 2 && seconds < 4.5) return '3s'
          if (seconds > 9 && seconds < 12) return 'as-set'
          return seconds > 28 && seconds < 34 ? '30s' : undefined
        },
      },
    ],
  },
  'callback-moment': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver', 'phone-ke'],
        steps: (account) => [
          payingTo(account, '/hold/moment'),
          awaited('/hold/moment'),
          { ...listReads.sendMoney(account), repeats: 3 },
        ],
        tells: ([paid, came, list]) => {
          const last = cameTo(came).at(-1)
          if (!last) return untold(NONE_CAME)
          if (last.body?.status === 'PENDING') return untold('the first callback tells nothing of the end')
          const read = recordsOf(list).find(({ uuid }) => uuid === paid?.body?.data?.requestId)
          if (!read) return untold('the payment is not on the list')
          return read.status === 'PENDING' ? 'after-callback' : 'at-once'
        },
      },
    ],
  },
  'expired-callback': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver'],
        steps: (account) => expiring(account),
        tells: (seen) => {
          const told = cameTo(seen[2]).map(({ body }) => body?.status)
          if (told.includes('EXPIRED')) return 'sent'
          const status = seen[3]?.body?.status
          return status === 'EXPIRED' ? 'none' : untold(`the session is ${status} after half an hour`)
        },
      },
    ],
  },
  'checkout-callback': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver'],
        steps: (account) => expiring(account),
        tells: (seen) => {
          const ended = cameTo(seen[2]).find(({ body }) => body?.status === 'EXPIRED')
          if (!ended) return untold('no callback came of a session that expired')
          if (!('amount' in ended.body)) return 'checkoutRef' in ended.body ? 'short' : undefined
          return ['amount', 'currency', 'externalReference', 'id'].every((name) => name in ended.body)
            ? 'session'
            : undefined
        },
      },
    ],
  },
  'bank-callback-business-number': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver', 'bank-account'],
        steps: (account) => [toBank(account, '/bank'), awaited('/bank')],
        tells: ([paid, came], { bankAccount = '' }) => {
          if (!paid || !isDone(paid)) return notPaid(paid)
          const [first] = cameTo(came)
          if (!first) return untold(NONE_CAME)
          const { businessNumber } = first.body ?? {}
          return businessNumber === ''
            ? 'empty'
            : businessNumber === bankAccount.split('/')[0]
              ? 'bank-code'
              : undefined
        },
      },
    ],
  },
  'verification-failure': {
    ways: [
      {
        tier: 'receiver',
        needs: ['receiver'],
        steps: (account) => [
          post(`${API}/bank/payout/verify-account`, {
            bankCode: '0068',
            accountNumber: '01000000000404',
            callbackUrl: `${account.receiver}/verified`,
          }),
          ([asked]) =>
            asked && isDone(asked) ? awaited('/verified') : untold(`a verification was answered ${asked?.status}`),
        ],
        tells: ([, came]) => {
          const [first] = cameTo(came)
          if (!first) return untold(NONE_CAME)
          const { status } = first.body ?? {}
          if (status === 'Failed' || status === 'FAILED') return status
          return status === 'Success' ? untold('the account that nobody should have was verified') : undefined
        },
      },
    ],
  },
  'reversal-callback': { unaskable: 'nobody but the service can take back a payment that succeeded' },
  'bank-collection-callback': {
    ways: [
      {
        tier: 'human',
        needs: ['receiver'],
        steps: ({ receiver }) => [
          {
            byHand: `Have your provider set collectionCallbackUrl to ${receiver}/collected, and pay 10 into your bank account at the sandbox.`,
            act: 'pay-in',
          },
          awaited('/collected', 1, 5 * MINUTE_MS),
        ],
        tells: (seen) => {
          const came = seen.at(-1)
          if (!Array.isArray(came?.body)) return untold(NONE_CAME)
          const [first] = cameTo(came)
          if (!first) return 'none'
          return 'transactionref' in (first.body ?? {}) ? 'record' : undefined
        },
      },
    ],
  },
} as const satisfies SomeProbes

/** A session that nobody pays, for longer than one lives. */
function expiring(account: ProbeAccount): ProbeStep[] {
  return [
    post(`${API}/checkout-sessions`, {
      amount: account.amount,
      currency: 'KES',
      description: 'Calibration',
      successUrl: `${account.receiver}/success`,
      cancelUrl: `${account.receiver}/cancel`,
      paymentMethods: ['CARD'],
      externalReference: `mfano-${account.run}-expires`,
      callbackUrl: `${account.receiver}/expired`,
    }),
    { waitMs: 31 * MINUTE_MS },
    awaited('/expired', 1, MINUTE_MS),
    ([made]) =>
      typeof made?.body?.id === 'string'
        ? { method: 'GET', path: `${API}/checkout-sessions/${made.body.id}`, repeats: 9 }
        : untold(`a session was answered ${made?.status}`),
  ]
}

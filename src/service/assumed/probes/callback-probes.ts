/** Probes for callbacks. They make payments whose callbacks go to a receiver on the internet. */

import {
  type Awaited,
  type ProbeAccount,
  type ProbeRequest,
  type ProbeStep,
  probe,
  type SeenAnswer,
  type ServiceProbe,
  type Untold,
  untold,
} from './asked-by.ts'
import { API, checkoutOf, get, isDone, listReads, paying, post, recordsOf, referenceOf } from './asking.ts'
import type { SomeProbes } from './some-probes.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const PATIENCE_MS = 10 * MINUTE_MS

interface Came {
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: what a service sends is what is asked
  body: any
  /** Real milliseconds until the sender closed a connection that was not answered. */
  closedAfterMs?: number
}

const cameTo = (seen: SeenAnswer | undefined): Came[] => (Array.isArray(seen?.body) ? seen.body : [])
const awaited = (callbacksAt: string, atLeast = 1, withinMs = PATIENCE_MS): Awaited => ({
  callbacksAt,
  atLeast,
  withinMs,
})

/** The receiver answers as its path says (`/answer/500/…`, `/hold/…`), otherwise with 200. */
const payingTo = (account: ProbeAccount, path: string, how: Partial<ProbeRequest> = {}): ProbeRequest =>
  paying(account, { callbackUrl: `${account.receiver}${path}`, referenceId: `${referenceOf(account)}${path}` }, how)

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const NONE_CAME = 'no callback came'
const OF_PAYMENT = ['receiver', 'phone-ke'] as const

function byFirst<Value>(seen: SeenAnswer | undefined, tells: (first: Came, all: Came[]) => Value): Value | Untold {
  const all = cameTo(seen)
  return all[0] ? tells(all[0], all) : untold(NONE_CAME)
}

/** Decided by the callback of one ordinary payment, which all of these probes share. */
const ofOrdinary = <const Value extends string>(
  tells: (first: Came, all: Came[]) => Value | undefined,
): ServiceProbe<Value> =>
  probe(
    'receiver',
    (account) => [
      payingTo(account, '/plain', { headers: { traceparent: TRACE } }),
      awaited('/plain', 2, 2 * MINUTE_MS),
    ],
    ([, came]) => byFirst(came, tells),
    { needs: OF_PAYMENT },
  )

/** One callback is never accepted and one gets a 204. An hour later the receiver knows which were retried. */
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
  const byTries: Readonly<Record<number, 'never' | 'hourly' | 'as-set'>> = { 1: 'never', 2: 'hourly', 5: 'as-set' }
  return byTries[tries]
}

function headersOf({ headers }: Came): 'plain' | 'java-client' | 'bare' | undefined {
  const { 'content-type': type = '', 'user-agent': agent, accept } = headers
  if (agent === undefined && accept === undefined) return 'bare'
  if (/charset/i.test(type) && accept !== undefined) return 'java-client'
  return type === 'application/json' && agent !== undefined ? 'plain' : undefined
}

export const callbackProbes = {
  'final-callback': ofOrdinary((_first, all) =>
    all.some(({ body }) => body?.status === 'PENDING') ? 'pending-too' : 'final',
  ),
  'callback-headers': ofOrdinary(headersOf),
  'callback-signature': ofOrdinary(({ headers }) => {
    if (headers['webhook-signature'] !== undefined) return 'standard-webhooks'
    return Object.keys(headers).some((name) => /signature|hmac/i.test(name)) ? undefined : 'none'
  }),
  'callback-retries': probe('receiver', unreceived, (seen) => retriesOf(seen[3]), { needs: OF_PAYMENT }),
  'callback-success': probe(
    'receiver',
    unreceived,
    (seen) => {
      const [refused, taken] = [cameTo(seen[3]).length, cameTo(seen[4]).length]
      if (refused < 2) return untold('no callback is tried again, whatever it is answered with')
      return taken === 0 ? untold(NONE_CAME) : taken > 1 ? '200' : '2xx'
    },
    { needs: OF_PAYMENT },
  ),
  'callback-timeout': probe(
    'receiver',
    (account) => [
      payingTo(account, '/hold/timeout'),
      awaited('/hold/timeout'),
      { waitMs: 35 * SECOND_MS },
      awaited('/hold/timeout', 0, 0),
    ],
    (seen) =>
      byFirst(seen[3], ({ closedAfterMs = Number.POSITIVE_INFINITY }) => {
        const seconds = closedAfterMs / SECOND_MS
        if (seconds > 2 && seconds < 4.5) return '3s'
        if (seconds > 9 && seconds < 12) return 'as-set'
        return seconds > 28 && seconds < 34 ? '30s' : undefined
      }),
    { needs: OF_PAYMENT },
  ),
  'callback-moment': probe(
    'receiver',
    (account) => [
      payingTo(account, '/hold/moment'),
      awaited('/hold/moment'),
      { ...listReads.sendMoney(account), repeats: 3 },
    ],
    ([paid, came, list]) => {
      const last = cameTo(came).at(-1)
      if (!last) return untold(NONE_CAME)
      if (last.body?.status === 'PENDING') return untold('the first callback tells nothing of the end')
      const read = recordsOf(list).find(({ uuid }) => uuid === paid?.body?.data?.requestId)
      if (!read) return untold('the payment is not on the list')
      return read.status === 'PENDING' ? 'after-callback' : 'at-once'
    },
    { needs: OF_PAYMENT },
  ),
  'expired-callback': probe(
    'receiver',
    expiring,
    (seen) => {
      const told = cameTo(seen[2]).map(({ body }) => body?.status)
      if (told.includes('EXPIRED')) return 'sent'
      const status = seen[3]?.body?.status
      return status === 'EXPIRED' ? 'none' : untold(`the session is ${status} after half an hour`)
    },
    { needs: ['receiver'] },
  ),
  'checkout-callback': probe(
    'receiver',
    expiring,
    (seen) => {
      const ended = cameTo(seen[2]).find(({ body }) => body?.status === 'EXPIRED')
      if (!ended) return untold('no callback came of a session that expired')
      if (!('amount' in ended.body)) return 'checkoutRef' in ended.body ? 'short' : undefined
      return ['amount', 'currency', 'externalReference', 'id'].every((name) => name in ended.body)
        ? 'session'
        : undefined
    },
    { needs: ['receiver'] },
  ),
  'verification-failure': probe(
    'receiver',
    (account) => [
      post(`${API}/bank/payout/verify-account`, {
        bankCode: '0068',
        accountNumber: '01000000000404',
        callbackUrl: `${account.receiver}/verified`,
      }),
      ([asked]) =>
        asked && isDone(asked) ? awaited('/verified') : untold(`a verification was answered ${asked?.status}`),
    ],
    ([, came]) =>
      byFirst(came, ({ body: { status } = {} }) => {
        if (status === 'Failed' || status === 'FAILED') return status
        return status === 'Success' ? untold('the account that nobody should have was verified') : undefined
      }),
    { needs: ['receiver'] },
  ),
  'reversal-callback': { unaskable: 'nobody but the service can take back a payment that succeeded' },
  'bank-collection-callback': probe(
    'human',
    ({ receiver }) => [
      {
        byHand: `Have your provider set collectionCallbackUrl to ${receiver}/collected, and pay 10 into your bank account at the sandbox.`,
        act: 'pay-in',
      },
      awaited('/collected', 1, 5 * MINUTE_MS),
    ],
    (seen) => {
      const came = seen.at(-1)
      if (!Array.isArray(came?.body)) return untold(NONE_CAME)
      const [first] = cameTo(came)
      if (!first) return 'none'
      return 'transactionref' in (first.body ?? {}) ? 'record' : undefined
    },
    { needs: ['receiver'] },
  ),
} as const satisfies SomeProbes

function expiring(account: ProbeAccount): ProbeStep[] {
  return [
    post(`${API}/checkout-sessions`, {
      ...checkoutOf(account, ['CARD']),
      externalReference: `mfano-${account.run}-expires`,
      callbackUrl: `${account.receiver}/expired`,
    }),
    { waitMs: 31 * MINUTE_MS },
    awaited('/expired', 1, MINUTE_MS),
    ([made]) =>
      typeof made?.body?.id === 'string'
        ? get(`${API}/checkout-sessions/${made.body.id}`, { repeats: 9 })
        : untold(`a session was answered ${made?.status}`),
  ]
}

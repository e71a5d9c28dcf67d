/** Probes for callbacks. They make payments whose callbacks go to a receiver on the internet. */
import {
  type Awaited,
  again,
  byCallback,
  byField,
  creating,
  inconclusive,
  lists,
  type ProbeRequest,
  paying,
  post,
  recordsOf,
  type SeenAnswer,
  type ServiceProbe,
  type SomeProbes,
  session,
} from '../../probe.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

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

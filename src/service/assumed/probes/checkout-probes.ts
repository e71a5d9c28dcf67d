/** Probes for checkout sessions. Most sessions stay unpaid; a person pays a few. */

import { oneWay, type ProbeAccount, type ProbeRequest, type SeenAnswer, untold } from './asked-by.ts'
import { API, checkoutOf, get, post } from './asking.ts'
import { byStatus, isDone, isRefusedForForm } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

const MINUTE_MS = 60_000
const SESSIONS = `${API}/checkout-sessions`

const creating = (account: ProbeAccount, more: object = {}): ProbeRequest =>
  post(SESSIONS, { ...checkoutOf(account, account.amount), ...more })

/** An unpaid session that all read-only probes share. */
const leftAlone = (account: ProbeAccount): ProbeRequest =>
  creating(account, {
    externalReference: `mfano-${account.run}-alone`,
    ...(account.receiver && { callbackUrl: `${account.receiver}/session` }),
  })

const reading = (made: SeenAnswer | undefined, repeats = 0) => {
  const id = made?.body?.id
  return typeof id === 'string'
    ? get(`${SESSIONS}/${id}`, { repeats })
    : untold(`a session was answered ${made?.status}`)
}

/** Minutes until the session is read again, and the alternative that an expiry by then proves. */
const lives = [
  [6, '5m'],
  [31, '30m'],
  [24 * 60 + 1, '24h'],
] as const

const isCreated = (seen: SeenAnswer) => seen.request.method === 'POST' && seen.request.path === SESSIONS && isDone(seen)

export const checkoutProbes = {
  'checkout-status-code': {
    ...oneWay(
      'session',
      (account) => [leftAlone(account)],
      ([seen]) => byStatus(seen, { 201: '201', 200: '200' }),
    ),
    sees: (seen) => (isCreated(seen) ? byStatus(seen, { 201: '201', 200: '200' }) : undefined),
  },
  'duplicate-external-reference': oneWay(
    'session',
    (account) => {
      const session = creating(account, { externalReference: `mfano-${account.run}-twice` })
      return [session, { ...session, repeats: 1 }]
    },
    ([first, second]) => {
      if (!first || !isDone(first)) return untold(`a session was answered ${first?.status}`)
      if (!second || !isDone(second)) return byStatus(second, { 400: 'refuse', 409: 'refuse' })
      return first.body?.id === second.body?.id ? 'replay' : 'second-session'
    },
  ),
  'idempotency-key': oneWay(
    'session',
    (account) => {
      const session = creating(account)
      const keyed = { ...session, headers: { 'idempotency-key': `mfano-${account.run}` } }
      return [keyed, { ...keyed, repeats: 1 }]
    },
    ([first, second]) => {
      if (!first || !isDone(first)) return untold(`a session was answered ${first?.status}`)
      if (!second || !isDone(second)) return byStatus(second, { 400: 'refuse', 409: 'refuse', 422: 'refuse' })
      return first.body?.id === second.body?.id ? 'replay' : 'ignored'
    },
  ),
  decimals: oneWay(
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
  'session-life': oneWay(
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
  'checkout-cancel': oneWay(
    'human',
    (account) => [
      creating(account, { externalReference: `mfano-${account.run}-cancel` }),
      ([made]) => byHand(made, 'cancel', 'Open the checkout page and cancel the payment there.'),
      ([made]) => reading(made),
    ],
    (seen) => {
      const status = seen.at(-1)?.body?.status
      return status === 'PENDING' ? 'stays-pending' : status === 'FAILED' ? 'fails' : undefined
    },
  ),
} as const satisfies SomeProbes

function byHand(made: SeenAnswer | undefined, act: 'cancel' | 'pay', says: string) {
  const url = made?.body?.checkoutUrl
  return typeof url === 'string'
    ? { byHand: says, checkoutUrl: url, act }
    : untold(`a session was answered ${made?.status}`)
}

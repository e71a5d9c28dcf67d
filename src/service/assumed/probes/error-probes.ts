/** Probes for error bodies and tokens. */

import { oneWay, type SeenAnswer } from './asked-by.ts'
import { API, get, impossibleAllocation, impossibleCheckout, listReads, login, NOBODY, post } from './asking.ts'
import { byStatus, isRefusedForForm } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

function errorForm({ body }: SeenAnswer): 'nested' | 'flat' | 'field-list' | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if (typeof body.error === 'object' && body.error?.code !== undefined) return 'nested'
  if (body.errorCode !== undefined) return 'flat'
  return body.message !== undefined && typeof body.errors === 'object' ? 'field-list' : undefined
}

const DEVICE = { headers: { 'device-id': 'mfano-calibrate' } }

/** Excluded because errors of other paths have other forms. */
const isOfCheckout = ({ request: { path } }: SeenAnswer) => path.startsWith(`${API}/checkout-sessions`)
const isOfTanzania = ({ request: { path } }: SeenAnswer) => path.startsWith('/api/v1/tz/')

export const errorProbes = {
  'error-body': {
    ...oneWay(
      'free',
      () => [impossibleAllocation],
      ([seen]) => seen && errorForm(seen),
    ),
    sees: (seen) =>
      isRefusedForForm(seen) && seen.request.path.startsWith(API) && !isOfCheckout(seen) ? errorForm(seen) : undefined,
  },
  'checkout-error-body': {
    ...oneWay(
      'free',
      () => [impossibleCheckout],
      ([seen]) => seen && errorForm(seen),
    ),
    sees: (seen) => (isRefusedForForm(seen) && isOfCheckout(seen) ? errorForm(seen) : undefined),
  },
  'tz-error-body': {
    ...oneWay(
      'free',
      () => [get(`/api/v1/tz/spending/single?requestId=${NOBODY}`, DEVICE)],
      ([seen]) => seen && tanzanianForm(seen),
    ),
    sees: (seen) => (isOfTanzania(seen) && seen.status >= 400 ? tanzanianForm(seen) : undefined),
  },
  'bad-credentials': {
    ...oneWay(
      'free',
      () => [
        post('/api/v1/get-token', { apiKey: 'none', apiSecret: 'none' }, { asker: 'nobody', doom: 'unknown-key' }),
      ],
      ([seen]) => byStatus(seen, { 401: 'AUTH_INVALID_TOKEN', 403: 'AUTH_FORBIDDEN' }),
    ),
    sees: (seen) =>
      seen.request.path === '/api/v1/get-token' && seen.request.method === 'POST'
        ? byStatus(seen, { 401: 'AUTH_INVALID_TOKEN', 403: 'AUTH_FORBIDDEN' })
        : undefined,
  },
  'refresh-token': oneWay(
    'free',
    (account) => [
      login(account, 2),
      ([seen]) =>
        post('/api/v1/refresh-token', { refreshToken: seen?.body?.data?.refresh_token ?? 'none' }, { logsIn: true }),
    ],
    ([, seen]) => byStatus(seen, { 200: 'on', 404: 'off', 405: 'off' }),
  ),
  'token-life': oneWay(
    'free',
    (account) => [login(account)],
    ([seen]) => (['300', '60', '3600'] as const).find((life) => Number(life) === seen?.body?.data?.expires_in),
  ),
  'old-tokens': oneWay(
    'free',
    (account) => [login(account), login(account, 1), get(listReads.paybill().path, { asker: 'earlier-token' })],
    ([, , seen]) => byStatus(seen, { 200: 'valid', 401: 'revoked' }),
  ),
  'unlisted-operations': {
    ...oneWay(
      'free',
      () => [get(`${API}/allocations/sub/org/all`)],
      ([seen]) => byStatus(seen, { 200: 'on', 403: 'on', 404: 'off' }),
    ),
    sees: (seen) =>
      seen.request.method === 'GET' &&
      /^\/api\/sandbox\/v1\/(?:de-)?allocations\/sub\/org\/all$/.test(seen.request.path)
        ? byStatus(seen, { 200: 'on', 404: 'off' })
        : undefined,
  },
} as const satisfies SomeProbes

function tanzanianForm(seen: SeenAnswer): 'withdrawn' | 'as-others' | undefined {
  if (errorForm(seen) !== undefined) return 'as-others'
  const { status, message, data } = seen.body ?? {}
  return status === seen.status && typeof message === 'string' && data === null ? 'withdrawn' : undefined
}

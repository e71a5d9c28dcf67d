/** Probes for requests: values, bytes, and the errors that answer them. */
import { oneWay, type ProbeAccount, type ProbeRequest, type SeenAnswer, type ServiceProbe, untold } from './asked-by.ts'
import {
  API,
  allocatingBytes,
  allocatingFromNobody,
  allocationFields,
  byStatus,
  either,
  FAR_ABOVE,
  fromNobody,
  get,
  IMPOSSIBLE,
  impossibleAllocation,
  impossibleCheckout,
  impossibleTill,
  inOrder,
  isRefused,
  isRefusedForForm,
  isTaken,
  listReads,
  login,
  malformedId,
  NOBODY,
  paying,
  post,
  referenceOf,
  utf8,
} from './asking.ts'
import type { SomeProbes } from './some-probes.ts'

// Probes for request values: which are accepted, which are refused.

/** Sends the field in a request that another field makes invalid, so nothing is created. */
const refusing = <Refused extends string, Taken extends string>(
  request: (account: ProbeAccount) => ProbeRequest,
  [field, wrong]: readonly [field: string, wrong: string],
  [refused, taken]: readonly [Refused, Taken],
): ServiceProbe<Refused | Taken> => ({
  ways: [
    {
      tier: 'free',
      steps: (account) => [impossibleAllocation, request(account)],
      tells: ([several, asked]) =>
        either(isRefused(asked, field, { wrong, several, fields: allocationFields }), refused, taken),
    },
  ],
})

const tillField = <Refused extends string, Taken extends string>(
  changed: object,
  field: string,
  told: readonly [Refused, Taken],
) => refusing(() => impossibleTill(changed), [field, 'amount'], told)

const sendMoney = (body: object): ProbeRequest =>
  post(
    `${API}/send-money`,
    { callbackUrl: 'https://merchant.example/mfano-calibrate', ...body },
    { doom: 'impossible-amount' },
  )

/** Has only the fields that a lenient service needs, and an address to which no first password can be sent. */
const nameless = (): ProbeRequest =>
  post(
    `${API}/multiaccount/new/organisation`,
    {
      email: 'none',
      phone: '254700000100',
      user: { username: 'mfano-calibration', password: 'a-long-first-password' },
    },
    { doom: 'impossible-email' },
  )

/** The wallet cannot pay it. Its text is missing, too. */
const shillings = (amount: number): ProbeRequest =>
  sendMoney({ phoneNumber: '256771000100', amount, currencyCode: 'UGX' })

/** Invalid in several ways, so that one request answers several probes. */
const oddTill = { businessNumber: '1234567890', callbackUrl: 'http://merchant.example/mfano-calibrate' }
const nullTill = { businessNumber: '1', referenceId: null }

const toBank = (bankCode: string): ProbeRequest =>
  post(
    `${API}/bank/payout/new`,
    {
      bankCode,
      beneficiaryName: 'Calibration',
      creditAccountNumber: '01000000000000',
      amount: IMPOSSIBLE,
      narration: 'Calibration',
      callbackUrl: 'https://merchant.example/mfano-calibrate',
    },
    { doom: 'impossible-amount' },
  )

const taking = <Taken extends string, Refused extends string>(
  changed: object,
  [taken, refused]: readonly [Taken, Refused],
): ServiceProbe<Taken | Refused> => ({
  ways: [
    {
      tier: 'free',
      steps: (account) => [inOrder(account), allocatingFromNobody(account, changed)],
      tells: ([good, asked]) => either(isTaken(asked, good), taken, refused),
    },
  ],
})

export const requestProbes = {
  'retry-after': {
    unaskable: 'only a rate limit shows it, and one request a second reaches none',
    sees: ({ status, headers }) => (status === 429 ? (headers['retry-after'] ? 'sent' : 'none') : undefined),
  },
  'blank-text': oneWay(
    'free',
    () => [impossibleAllocation, impossibleTill({ remarks: ' ', referenceId: '' })],
    ([several, asked]) => {
      const also = { wrong: 'amount', several, fields: allocationFields }
      const needed = isRefused(asked, 'remarks', also)
      if (needed !== true) return needed === false ? 'accept' : needed
      return either(isRefused(asked, 'referenceId', also), 'refuse', 'absent')
    },
  ),
  'null-fields': tillField(nullTill, 'referenceId', ['refuse', 'absent']),
  'unknown-fields': taking({ memo: 'x' }, ['ignore', 'refuse']),
  'number-forms': oneWay(
    'free',
    (account) => [inOrder(account), allocatingFromNobody(account, { amount: String(fromNobody(account).amount) })],
    ([good, asked]) => either(isTaken(asked, good), 'convert', 'refuse'),
  ),
  'url-rules': tillField(oddTill, 'callbackUrl', ['https-only', 'http-and-https']),
  'ugx-callback': refusing(
    () =>
      sendMoney({
        phoneNumber: '256771000100',
        amount: IMPOSSIBLE,
        currencyCode: 'UGX',
        narration: 'Calibration',
        customerName: 'Calibration',
        callbackUrl: undefined,
      }),
    ['callbackUrl', 'amount'],
    ['required', 'optional'],
  ),
  'required-fields': refusing(nameless, ['user.firstName', 'email'], ['all', 'few']),
  'published-company-id': oneWay(
    'free',
    () => [get(`${API}/till/all`)],
    ([seen]) => byStatus(seen, { 200: 'optional', 400: 'required' }),
  ),
  'documented-limits': refusing(
    () =>
      post(
        `${API}/stk/new`,
        {
          phoneNumber: '254711000100',
          amount: IMPOSSIBLE,
          description: 'A description of more than 13 characters',
          accountReference: 'ORDER1',
          callbackUrl: 'https://merchant.example/mfano-calibrate',
        },
        { doom: 'impossible-amount' },
      ),
    ['description', 'amount'],
    ['refuse', 'warn'],
  ),
  'short-code-format': oneWay(
    'free',
    () => [impossibleAllocation, impossibleTill(oddTill), impossibleTill(nullTill)],
    ([several, ten, one]) => {
      const also = { wrong: 'amount', several, fields: allocationFields }
      const isTenRefused = isRefused(ten, 'businessNumber', also)
      if (isTenRefused !== false) return either(isTenRefused, 'five-to-seven-digits', 'any')
      return either(isRefused(one, 'businessNumber', also), 'five-to-ten-digits', 'any')
    },
  ),
  'phone-format': refusing(
    () => sendMoney({ phoneNumber: '0712345678', amount: IMPOSSIBLE, remarks: 'Calibration', occasion: 'Calibration' }),
    ['phoneNumber', 'amount'],
    ['international', 'lenient'],
  ),
  'whole-shillings': oneWay(
    'free',
    () => [impossibleAllocation, shillings(FAR_ABOVE), shillings(FAR_ABOVE + 0.5)],
    ([several, whole, cents]) => {
      const also = { wrong: 'narration', several, fields: allocationFields }
      const isWholeRefused = isRefused(whole, 'amount', also)
      if (isWholeRefused === true) return untold('the amount is too large, with cents and without')
      return isWholeRefused === false ? either(isRefused(cents, 'amount', also), 'whole', 'cents') : isWholeRefused
    },
  ),
  'bank-code-format': oneWay(
    'free',
    () => [impossibleAllocation, ...['00683', '1032', 'EQUITY'].map(toBank)],
    ([several, ...asked]) => {
      const also = { wrong: 'amount', several, fields: allocationFields }
      const refused = asked.map((one) => isRefused(one, 'bankCode', also))
      const hidden = refused.find((one) => typeof one !== 'boolean')
      if (hidden !== undefined || refused.includes(undefined)) return hidden
      return (
        {
          'true true true': '00-and-two-digits',
          'false true true': '00-and-digits',
          'true false true': 'four-digits',
          'false false false': 'any',
        } as const
      )[refused.join(' ')]
    },
  ),
  'reference-lookup': {
    ways: [
      {
        tier: 'free',
        steps: () => [malformedId, get(`${API}/paybill/single?requestId=mfano-calibration`)],
        tells: ([id, asked]) => {
          if (asked?.status === 400) return 'off'
          if (asked?.status !== 404) return undefined
          if (id?.status === 400) return 'in-request-id'
          return untold('malformed ids are answered as unknown ones, so that a reference looks the same')
        },
      },
      {
        tier: 'payment',
        needs: ['phone-ke'],
        steps: (account) => [
          paying(account),
          get(`${API}/send-money/single?requestId=${referenceOf(account)}&companyId=${account.companyId}`),
        ],
        tells: ([paid, read]) =>
          paid?.status === 201 ? byStatus(read, { 200: 'in-request-id', 404: 'off', 400: 'off' }) : undefined,
      },
    ],
  },
} as const satisfies SomeProbes

// Probes for paths, methods, headers and the bytes of bodies.

const LIST = `${API}/paybill/all`

/** Larger than the smaller body limit. */
const LONG = 200_000

const padded = (account: ProbeAccount, length: number) =>
  allocatingBytes(account, (json) => utf8(json.padEnd(length, ' ')))

/** A read with an unusual form, and the alternative that each status proves. */
const reading = <const Value extends string>(
  path: string,
  of: Readonly<Record<number, Value>>,
  more: Partial<ProbeRequest> = {},
): ServiceProbe<Value> => ({
  ways: [{ tier: 'free', steps: () => [get(path, more)], tells: ([seen]) => byStatus(seen, of) }],
})

export const transportProbes = {
  'unsupported-media-type': oneWay(
    'free',
    (account) => [inOrder(account), allocatingBytes(account, utf8, { type: 'text/plain' })],
    ([good, asked]) => {
      const taken = isTaken(asked, good)
      return taken === false ? byStatus(asked, { 415: '415', 400: '400' }) : either(taken, 'accept', '415')
    },
  ),
  'body-limit': oneWay(
    'free',
    (account) => [inOrder(account), padded(account, LONG)],
    ([good, asked]) => either(isTaken(asked, good), '1mb', '100kb'),
  ),
  'unsupported-method': reading(`${API}/till`, { 405: '405', 404: '404' }, { method: 'DELETE', doom: 'no-body' }),
  'trailing-slash': reading(`${LIST}/`, { 404: '404', 200: 'same', 301: '301', 308: '308' }),
} as const satisfies SomeProbes

// Probes for error bodies and tokens.

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

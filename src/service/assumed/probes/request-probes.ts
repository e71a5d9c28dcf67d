/** Probes for requests: values, bytes, and the errors that answer them. */

import {
  byStatus,
  type ProbeAccount,
  type ProbeRequest,
  probe,
  type SeenAnswer,
  type ServiceProbe,
  seenAt,
  type Untold,
  untold,
  way,
} from './asked-by.ts'
import {
  API,
  allocatingBytes,
  allocatingFromNobody,
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
  NOWHERE,
  paying,
  post,
  referenceOf,
  utf8,
} from './asking.ts'
import type { SomeProbes } from './some-probes.ts'

// Probes for request values: which are accepted, which are refused.

/**
 * Sends fields in requests that another field makes invalid, so nothing is created. The table says for each field in
 * order whether it was refused (R) or taken (T), as far as it takes to decide.
 */
function fields<const Value extends string>(
  asked: readonly (readonly [field: string, request: ProbeRequest])[],
  of: Readonly<Record<string, Value | Untold>>,
  wrong = 'amount',
): ServiceProbe<Value> {
  const requests = [...new Set(asked.map(([, request]) => request))]
  return probe('free', [impossibleAllocation, ...requests], ([several, ...seen]) => {
    let told = ''
    for (const [field, request] of asked) {
      const refused = isRefused(seen[requests.indexOf(request)], field, { wrong, several })
      if (typeof refused !== 'boolean') return refused
      told += refused ? 'R' : 'T'
      if (of[told] !== undefined) return of[told]
    }
    return undefined
  })
}

/** Compares a request with one that is in order and names an unknown organisation. */
function taken<const Taken extends string, const Refused extends string>(
  request: (account: ProbeAccount) => ProbeRequest,
  whenTaken: Taken,
  whenRefused: Refused | ((asked: SeenAnswer | undefined) => Refused | undefined),
): ServiceProbe<Taken | Refused> {
  return probe(
    'free',
    (account) => [inOrder(account), request(account)],
    ([good, asked]) => {
      const told = isTaken(asked, good)
      if (typeof told !== 'boolean') return told
      if (told) return whenTaken
      return typeof whenRefused === 'string' ? whenRefused : whenRefused(asked)
    },
  )
}

const impossible = (path: string, body: object): ProbeRequest =>
  post(`${API}/${path}`, { amount: IMPOSSIBLE, callbackUrl: NOWHERE, ...body }, { doom: 'impossible-amount' })
const text = 'Calibration'

/** Has only the fields that a lenient service needs, and an address to which no first password can be sent. */
const nameless = post(
  `${API}/multiaccount/new/organisation`,
  {
    email: 'none',
    phone: '254700000100',
    user: { username: 'mfano-calibration', password: 'a-long-first-password' },
  },
  { doom: 'impossible-email' },
)

const ugandan = { phoneNumber: '256771000100', currencyCode: 'UGX' }
/** The wallet cannot pay it. Its text is missing, too. */
const shillings = (amount: number) => impossible('send-money', { ...ugandan, amount })

/** Invalid in several ways, so that one request answers several probes. */
const oddTill = impossibleTill({ businessNumber: '1234567890', callbackUrl: 'http://merchant.example/mfano-calibrate' })
const nullTill = impossibleTill({ businessNumber: '1', referenceId: null })
const blankTill = impossibleTill({ remarks: ' ', referenceId: '' })

const toBank = (bankCode: string) =>
  impossible('bank/payout/new', {
    bankCode,
    beneficiaryName: text,
    creditAccountNumber: '01000000000000',
    narration: text,
  })

export const requestProbes = {
  'retry-after': {
    unaskable: 'only a rate limit shows it, and one request a second reaches none',
    sees: ({ status, headers }) => (status === 429 ? (headers['retry-after'] ? 'sent' : 'none') : undefined),
  },
  'blank-text': fields(
    [
      ['remarks', blankTill],
      ['referenceId', blankTill],
    ],
    { T: 'accept', RR: 'refuse', RT: 'absent' },
  ),
  'null-fields': fields([['referenceId', nullTill]], { R: 'refuse', T: 'absent' }),
  'unknown-fields': taken((account) => allocatingFromNobody(account, { memo: 'x' }), 'ignore', 'refuse'),
  'number-forms': taken(
    (account) => allocatingFromNobody(account, { amount: String(fromNobody(account).amount) }),
    'convert',
    'refuse',
  ),
  'url-rules': fields([['callbackUrl', oddTill]], { R: 'https-only', T: 'http-and-https' }),
  'ugx-callback': fields(
    [
      [
        'callbackUrl',
        impossible('send-money', { ...ugandan, narration: text, customerName: text, callbackUrl: undefined }),
      ],
    ],
    { R: 'required', T: 'optional' },
  ),
  'required-fields': fields([['user.firstName', nameless]], { R: 'all', T: 'few' }, 'email'),
  'published-company-id': probe('free', [get(`${API}/till/all`)], { 200: 'optional', 400: 'required' }),
  'documented-limits': fields(
    [
      [
        'description',
        impossible('stk/new', {
          phoneNumber: '254711000100',
          description: 'A description of more than 13 characters',
          accountReference: 'ORDER1',
        }),
      ],
    ],
    { R: 'refuse', T: 'warn' },
  ),
  'short-code-format': fields(
    [
      ['businessNumber', oddTill],
      ['businessNumber', nullTill],
    ],
    { R: 'five-to-seven-digits', TR: 'five-to-ten-digits', TT: 'any' },
  ),
  'phone-format': fields(
    [['phoneNumber', impossible('send-money', { phoneNumber: '0712345678', remarks: text, occasion: text })]],
    { R: 'international', T: 'lenient' },
  ),
  'whole-shillings': fields(
    [
      ['amount', shillings(FAR_ABOVE)],
      ['amount', shillings(FAR_ABOVE + 0.5)],
    ],
    { R: untold('the amount is too large, with cents and without'), TR: 'whole', TT: 'cents' },
    'narration',
  ),
  'bank-code-format': fields(
    ['00683', '1032', 'EQUITY'].map((code) => ['bankCode', toBank(code)] as const),
    { RRR: '00-and-two-digits', TRR: '00-and-digits', RTR: 'four-digits', TTT: 'any' },
  ),
  'reference-lookup': {
    ways: [
      way('free', [malformedId, get(`${API}/paybill/single?requestId=mfano-calibration`)], ([id, asked]) => {
        if (asked?.status === 400) return 'off'
        if (asked?.status !== 404) return undefined
        if (id?.status === 400) return 'in-request-id'
        return untold('malformed ids are answered as unknown ones, so that a reference looks the same')
      }),
      way(
        'payment',
        (account) => [
          paying(account),
          get(`${API}/send-money/single?requestId=${referenceOf(account)}&companyId=${account.companyId}`),
        ],
        ([paid, read]) =>
          paid?.status === 201 ? byStatus(read, { 200: 'in-request-id', 404: 'off', 400: 'off' }) : undefined,
        ['phone-ke'],
      ),
    ],
  },
} as const satisfies SomeProbes

// Probes for paths, methods, headers and the bytes of bodies.

/** Larger than the smaller body limit. */
const LONG = 200_000

export const transportProbes = {
  'unsupported-media-type': taken(
    (account) => allocatingBytes(account, utf8, { type: 'text/plain' }),
    'accept',
    (asked) => byStatus(asked, { 415: '415', 400: '400' }),
  ),
  'body-limit': taken((account) => allocatingBytes(account, (json) => utf8(json.padEnd(LONG, ' '))), '1mb', '100kb'),
  'unsupported-method': probe('free', [get(`${API}/till`, { method: 'DELETE', doom: 'no-body' })], {
    405: '405',
    404: '404',
  }),
  'trailing-slash': probe('free', [get(`${API}/paybill/all/`)], { 404: '404', 200: 'same', 301: '301', 308: '308' }),
} as const satisfies SomeProbes

// Probes for error bodies and tokens.

function errorForm({ body }: SeenAnswer): 'nested' | 'flat' | 'field-list' | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if (typeof body.error === 'object' && body.error?.code !== undefined) return 'nested'
  if (body.errorCode !== undefined) return 'flat'
  return body.message !== undefined && typeof body.errors === 'object' ? 'field-list' : undefined
}

function tanzanianForm(seen: SeenAnswer): 'withdrawn' | 'as-others' | undefined {
  if (errorForm(seen) !== undefined) return 'as-others'
  const { status, message, data } = seen.body ?? {}
  return status === seen.status && typeof message === 'string' && data === null ? 'withdrawn' : undefined
}

const refusedForm = (seen: SeenAnswer) => (isRefusedForForm(seen) ? errorForm(seen) : undefined)
const badCredentials = { 401: 'AUTH_INVALID_TOKEN', 403: 'AUTH_FORBIDDEN' } as const

export const errorProbes = {
  'error-body': probe('free', [impossibleAllocation], ([seen]) => seen && errorForm(seen), {
    // Errors of checkout have another form.
    sees: seenAt(/^\w+ \/api\/sandbox\/v1(?!\/checkout-sessions)/, refusedForm),
  }),
  'checkout-error-body': probe('free', [impossibleCheckout], ([seen]) => seen && errorForm(seen), {
    sees: seenAt(/^\w+ \/api\/sandbox\/v1\/checkout-sessions/, refusedForm),
  }),
  'tz-error-body': probe(
    'free',
    [get(`/api/v1/tz/spending/single?requestId=${NOBODY}`, { headers: { 'device-id': 'mfano-calibrate' } })],
    ([seen]) => seen && tanzanianForm(seen),
    { sees: seenAt(/^\w+ \/api\/v1\/tz\//, (seen) => (seen.status >= 400 ? tanzanianForm(seen) : undefined)) },
  ),
  'bad-credentials': probe(
    'free',
    [post('/api/v1/get-token', { apiKey: 'none', apiSecret: 'none' }, { asker: 'nobody', doom: 'unknown-key' })],
    badCredentials,
    { sees: seenAt(/^POST \/api\/v1\/get-token$/, badCredentials) },
  ),
  'refresh-token': probe(
    'free',
    (account) => [
      login(account, 2),
      ([seen]) =>
        post('/api/v1/refresh-token', { refreshToken: seen?.body?.data?.refresh_token ?? 'none' }, { logsIn: true }),
    ],
    { 200: 'on', 404: 'off', 405: 'off' },
  ),
  'token-life': probe(
    'free',
    (account) => [login(account)],
    ([seen]) => (['300', '60', '3600'] as const).find((life) => Number(life) === seen?.body?.data?.expires_in),
  ),
  'old-tokens': probe(
    'free',
    (account) => [login(account), login(account, 1), get(listReads.paybill().path, { asker: 'earlier-token' })],
    { 200: 'valid', 401: 'revoked' },
  ),
  'unlisted-operations': probe(
    'free',
    [get(`${API}/allocations/sub/org/all`)],
    { 200: 'on', 403: 'on', 404: 'off' },
    {
      sees: seenAt(/^GET \/api\/sandbox\/v1\/(?:de-)?allocations\/sub\/org\/all$/, { 200: 'on', 404: 'off' }),
    },
  ),
} as const satisfies SomeProbes

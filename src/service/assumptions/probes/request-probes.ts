import { errorParts } from '../../../core/model/refusal.ts'
import {
  allocating,
  byField,
  byPayment,
  byStatus,
  FAR_ABOVE,
  free,
  fromNobody,
  get,
  Inconclusive,
  impossible,
  impossibleAllocation,
  inconclusive,
  isRefusedForForm,
  lists,
  login,
  NOBODY,
  NOWHERE,
  type ProbeRequest,
  paying,
  post,
  readingTanzanian,
  type SeenAnswer,
  type ServiceProbe,
  type SomeProbes,
  seenAt,
  type Table,
  text,
} from '../../probe.ts'

/**
 * Sends fields in requests that another field makes invalid, so nothing is created. The table says for each field in
 * order whether it was refused (R) or taken (T), as far as it takes to decide.
 */
function fields<const Value extends string>(
  asked: Readonly<Record<string, readonly ProbeRequest[]>>,
  of: Readonly<Record<string, Value | Inconclusive>>,
  wrong = 'amount',
): ServiceProbe<Value> {
  const pairs = Object.entries(asked).flatMap(([field, all]) => all.map((request) => [field, request] as const))
  const requests = [...new Set(pairs.map(([, request]) => request))]
  return free([impossibleAllocation, ...requests], ([several, ...seen]) => {
    let told = ''
    for (const [field, request] of pairs) {
      const answer = fieldIn(seen[requests.indexOf(request)], field, wrong, several)
      if (answer === undefined || answer instanceof Inconclusive) return answer
      told += answer
      if (of[told] !== undefined) return of[told]
    }
    return undefined
  })
}

/**
 * Whether a field was refused in a request that `wrong` makes invalid in any case. A field that is not listed counts as
 * taken only if the service lists every invalid field, as it has to of `several`.
 */
function fieldIn(asked: SeenAnswer | undefined, field: string, wrong: string, several: SeenAnswer | undefined) {
  if (!asked) return undefined
  // Only the wallet is left to refuse it.
  if (asked.status === 402) return 'T'
  if (!isRefusedForForm(asked)) return undefined
  if (isNamed(asked, field)) return 'R'
  if (!isNamed(asked, wrong)) return undefined
  if (several && Object.keys(fromNobody).filter((name) => isNamed(several, name)).length > 1) return 'T'
  return inconclusive('the service names one problem at a time, and named another')
}

function isNamed({ body }: SeenAnswer, field: string): boolean {
  if (typeof body?.errors === 'object' && body.errors !== null) return field in body.errors
  const { message, details } = errorParts(body)
  // Errors repeat sent values in quotes; those are no field names.
  const said = `${message}; ${details}`.replaceAll(/"[^"]*"/g, '')
  return new RegExp(`(?<![\\w.])${field.replaceAll('.', '\\.')}(?!\\w)`).test(said)
}

const taken = <const Taken extends string, const Refused extends string>(
  request: ProbeRequest,
  whenTaken: Taken,
  whenRefused: Table<Refused>,
): ServiceProbe<Taken | Refused> =>
  free([allocating(), request], ([inOrder, asked]) => {
    if (!inOrder || !asked) return undefined
    if (![402, 403, 404, 409, 423].includes(inOrder.status))
      return inconclusive(`a request in order that names an unknown organisation was answered ${inOrder.status}`)
    if (isRefusedForForm(asked)) return byStatus(asked, whenRefused)
    return asked.status === inOrder.status ? whenTaken : undefined
  })

/** Has only the fields that a lenient service needs, and an address to which no first password can be sent. */
const nameless = post(
  '/multiaccount/new/organisation',
  { email: 'none', phone: '254700000100', user: { username: 'mfano-calibration', password: 'a-long-first-password' } },
  { doom: 'impossible-email' },
)

const toPhone = (more: object) => impossible('/send-money', { callbackUrl: NOWHERE, ...more })
const ugandan = { phoneNumber: '256771000100', currencyCode: 'UGX' }
/** The wallet cannot pay it. Its text is missing, too. */
const shillings = (amount: number) => toPhone({ ...ugandan, amount })

/** Invalid in several ways, so that one request answers several probes. */
const toTill = (more: object) =>
  impossible('/till', { businessNumber: '123456', remarks: text, occasion: text, callbackUrl: NOWHERE, ...more })
const oddTill = toTill({ businessNumber: '1234567890', callbackUrl: 'http://merchant.example/mfano-calibrate' })
const nullTill = toTill({ businessNumber: '1', referenceId: null })
const blankTill = toTill({ remarks: ' ', referenceId: '' })

const longStk = {
  phoneNumber: '254711000100',
  description: 'A description of more than 13 characters',
  accountReference: 'ORDER1',
  callbackUrl: NOWHERE,
}

const toBank = (bankCode: string): ProbeRequest =>
  impossible('/bank/payout/new', {
    bankCode,
    beneficiaryName: text,
    creditAccountNumber: '01000000000000',
    narration: text,
    callbackUrl: NOWHERE,
  })

const json = JSON.stringify(fromNobody)
/** Larger than the smaller body limit. */
const LONG = 200_000

function errorForm(seen: SeenAnswer | undefined): 'nested' | 'flat' | 'field-list' | undefined {
  const body = seen?.body
  if (typeof body !== 'object' || body === null) return undefined
  if (typeof body.error === 'object' && body.error?.code !== undefined) return 'nested'
  if (body.errorCode !== undefined) return 'flat'
  return body.message !== undefined && typeof body.errors === 'object' ? 'field-list' : undefined
}

function tanzanianForm(seen: SeenAnswer | undefined): 'withdrawn' | 'as-others' | undefined {
  if (!seen || seen.status < 400) return undefined
  if (errorForm(seen) !== undefined) return 'as-others'
  const { status, message, data } = seen.body ?? {}
  return status === seen.status && typeof message === 'string' && data === null ? 'withdrawn' : undefined
}

const refusedForm = (seen: SeenAnswer) => (isRefusedForForm(seen) ? errorForm(seen) : undefined)
const badCredentials = { 401: 'AUTH_INVALID_TOKEN', 403: 'AUTH_FORBIDDEN' } as const

export const requestProbes = {
  'retry-after': {
    unaskable: 'only a rate limit shows it, and one request a second reaches none',
    sees: ({ status, headers }) => (status === 429 ? (headers['retry-after'] ? 'sent' : 'none') : undefined),
  },
  'blank-text': fields({ remarks: [blankTill], referenceId: [blankTill] }, { T: 'accept', RR: 'refuse', RT: 'absent' }),
  'null-fields': fields({ referenceId: [nullTill] }, { R: 'refuse', T: 'absent' }),
  'unknown-fields': taken(allocating({ ...fromNobody, memo: 'x' }), 'ignore', { form: 'refuse' }),
  'number-forms': taken(allocating({ ...fromNobody, amount: String(FAR_ABOVE) }), 'convert', { form: 'refuse' }),
  'url-rules': fields({ callbackUrl: [oddTill] }, { R: 'https-only', T: 'http-and-https' }),
  'ugx-callback': fields(
    { callbackUrl: [impossible('/send-money', { ...ugandan, narration: text, customerName: text })] },
    { R: 'required', T: 'optional' },
  ),
  'required-fields': fields({ 'user.firstName': [nameless] }, { R: 'all', T: 'few' }, 'email'),
  'published-company-id': free([get('/till/all')], { 200: 'optional', 400: 'required' }),
  'documented-limits': fields({ description: [impossible('/stk/new', longStk)] }, { R: 'refuse', T: 'warn' }),
  'short-code-format': fields(
    { businessNumber: [oddTill, nullTill] },
    { R: 'five-to-seven-digits', TR: 'five-to-ten-digits', TT: 'any' },
  ),
  'phone-format': fields(
    { phoneNumber: [toPhone({ phoneNumber: '0712345678', remarks: text, occasion: text })] },
    { R: 'international', T: 'lenient' },
  ),
  'whole-shillings': fields(
    { amount: [shillings(FAR_ABOVE), shillings(FAR_ABOVE + 0.5)] },
    { R: inconclusive('the amount is too large, with cents and without'), TR: 'whole', TT: 'cents' },
    'narration',
  ),
  'bank-code-format': fields(
    { bankCode: ['00683', '1032', 'EQUITY'].map(toBank) },
    { RRR: '00-and-two-digits', TRR: '00-and-digits', RTR: 'four-digits', TTT: 'any' },
  ),
  'reference-lookup': {
    ...free(
      [get('/send-money/all?companyId=none'), get('/paybill/single?requestId=mfano-calibration')],
      ([id, asked]) => {
        if (asked?.status !== 404) return byStatus(asked, { 400: 'off' })
        if (id?.status === 400) return 'in-request-id'
        return inconclusive('malformed ids are answered as unknown ones, so that a reference looks the same')
      },
    ),
    or: byPayment([paying(), get('/send-money/single?requestId=mfano-{run}&companyId={companyId}')], {
      200: 'in-request-id',
      404: 'off',
      400: 'off',
    }),
  },
  'unsupported-media-type': taken(allocating(json, { type: 'text/plain' }), 'accept', { 415: '415', 400: '400' }),
  'body-limit': taken(allocating(json.padEnd(LONG, ' ')), '1mb', { form: '100kb' }),
  'unsupported-method': free([get('/till', { method: 'DELETE', doom: 'no-body' })], { 405: '405', 404: '404' }),
  'trailing-slash': free([get('/paybill/all/')], { 404: '404', 200: 'same', 301: '301', 308: '308' }),
  'error-body': {
    ...free([impossibleAllocation], ([seen]) => errorForm(seen)),
    // Errors of checkout have another form.
    sees: seenAt(/^\w+ \/api\/sandbox\/v1(?!\/checkout-sessions)/, refusedForm),
  },
  'checkout-error-body': {
    ...free([impossible('/checkout-sessions')], ([seen]) => errorForm(seen)),
    sees: seenAt(/^\w+ \/api\/sandbox\/v1\/checkout-sessions/, refusedForm),
  },
  'tz-error-body': {
    ...free([readingTanzanian(NOBODY)], ([seen]) => tanzanianForm(seen)),
    sees: seenAt(/^\w+ \/api\/v1\/tz\//, tanzanianForm),
  },
  'bad-credentials': {
    ...free(
      [post('/api/v1/get-token', { apiKey: 'none', apiSecret: 'none' }, { asker: 'nobody', doom: 'unknown-key' })],
      badCredentials,
    ),
    sees: seenAt(/^POST \/api\/v1\/get-token$/, badCredentials),
  },
  'refresh-token': free(
    [login(2), post('/api/v1/refresh-token', { refreshToken: '{0.data.refresh_token}' }, { logsIn: true })],
    { 200: 'on', 404: 'off', 405: 'off' },
  ),
  'token-life': free([login()], byField('data.expires_in', { 300: '300', 60: '60', 3600: '3600' })),
  'old-tokens': free([login(), login(1), { ...lists.paybill, asker: 'earlier-token' }], {
    200: 'valid',
    401: 'revoked',
  }),
  'unlisted-operations': {
    ...free([get('/allocations/sub/org/all')], { 200: 'on', 403: 'on', 404: 'off' }),
    sees: seenAt(/^GET \/api\/sandbox\/v1\/(?:de-)?allocations\/sub\/org\/all$/, { 200: 'on', 404: 'off' }),
  },
} as const satisfies SomeProbes

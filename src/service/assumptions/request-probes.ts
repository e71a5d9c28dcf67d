import { keysIn } from '../../core/model/must.ts'
import { errorParts } from '../../core/model/refusal.ts'
import {
  again,
  allLists,
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
  type ListedRecord,
  lists,
  login,
  NOBODY,
  NOWHERE,
  type ProbeRequest,
  type ProbeStep,
  paying,
  post,
  readingTanzanian,
  recordsOf,
  type SeenAnswer,
  type ServiceProbe,
  type SomeProbes,
  seenAt,
  subAccounts,
  type Table,
  text,
} from '../probe.ts'

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

const accountHas = (what: string) => inconclusive(`the account has ${what}`)

const LIST_PATH = /^GET \/api\/sandbox\/v1\/(?:send-money|till|paybill|stk|bank\/payout|bank\/collection)\/all$/

/** Decided by the records that an account has, in recorded traffic too. One without records decides nothing. */
const ofRecords = <const Value extends string>(
  tells: (seen: readonly SeenAnswer[]) => Value | Inconclusive | undefined,
  steps: readonly ProbeStep[] = allLists,
): ServiceProbe<Value> => ({
  ...free(steps, tells),
  sees: seenAt(LIST_PATH, (seen) => tells([seen])),
})

const alternativeShown =
  <const Value extends string>(
    alternatives: Readonly<Partial<Record<Value, (record: ListedRecord) => boolean>>>,
    otherwise: Inconclusive,
  ) =>
  (seen: readonly SeenAnswer[]): Value | Inconclusive => {
    const records = seen.flatMap(recordsOf)
    return keysIn(alternatives).find((one) => records.some((record) => alternatives[one]?.(record))) ?? otherwise
  }

const PAGE = 20

/** Ids increase as records are created, so their order is the order of the list. */
function orderOf(seen: readonly SeenAnswer[]) {
  const idsOf = (one: SeenAnswer): number[] => recordsOf(one).flatMap(({ id }) => (typeof id === 'number' ? id : []))
  const lists = seen.map(idsOf).filter(({ length }) => length > 1)
  const isSorted = (ids: number[]) => String(ids) === String(ids.toSorted((a, b) => a - b))
  if (lists.length === 0) return accountHas('less than two records in each list')
  if (lists.every(isSorted)) return 'oldest-first'
  return lists.every((ids) => isSorted(ids.toReversed())) ? 'newest-first' : undefined
}

const tanzanian = post(
  '/send-money',
  {
    phoneNumber: '{tanzanianPhone}',
    amount: '{amountTzs}',
    currencyCode: 'TZS',
    narration: text,
    firstName: text,
    lastName: text,
    serviceCode: 'TZ-TIGO-B2C',
    callbackUrl: '{receiver}/paid-tz',
  },
  { essential: 'a payout in TZS' },
)

/** A list of more than one page, or of exactly one, because shorter lists do not show whether there are pages. */
function fullList(seen: readonly SeenAnswer[]): SeenAnswer | undefined {
  return seen.find((one) => recordsOf(one).length > PAGE) ?? seen.find((one) => recordsOf(one).length === PAGE)
}

const idsOf = (records: readonly ListedRecord[]) => records.map(({ uuid }) => uuid).join()
const sameStatus = { 200: '200', 201: '201' } as const

const FAILURE_FIELDS = ['statusCode', 'statusDesc', 'errorCode', 'errorDesc']

const isFailed = ({ status }: ListedRecord): boolean => status === 'FAILED'
const isSuccess = ({ status }: ListedRecord): boolean => status === 'SUCCESS'

function tellsFailure(record: ListedRecord): boolean {
  if (!isFailed(record)) return false
  if (typeof record.responseCode === 'number' && record.responseCode !== 0) return true
  return FAILURE_FIELDS.some((name) => typeof record[name] === 'string' && record[name] !== '')
}

/** A rail's own reason says nothing about failures that have no reason, so those are left out. */
const describedAs = (isIt: (description: unknown) => boolean) => (record: ListedRecord) =>
  'businessNumber' in record && isFailed(record) && isIt(record.responseDescription)

const SHOWN = ['status', 'message', 'data', 'access_token', 'refresh_token', 'expires_in', 'refresh_expires_in']

function namesIn({ status, body }: SeenAnswer): string[] {
  const isToken = typeof body?.data?.access_token === 'string'
  if (status !== 200 || !(isToken || Array.isArray(body?.data))) return []
  return [...Object.keys(body), ...(isToken ? Object.keys(body.data) : [])]
}

const hasMore = (seen: SeenAnswer): boolean => namesIn(seen).some((name) => !SHOWN.includes(name))

/** A single answer can be without more fields by chance, so several must agree. */
const LEAST_ANSWERS = 5

function extraFields(seen: readonly SeenAnswer[]) {
  if (seen.some(hasMore)) return 'some'
  if (seen.filter((one) => namesIn(one).length > 0).length >= LEAST_ANSWERS) return 'none'
  return inconclusive(`less than ${LEAST_ANSWERS} answers have the form that the sources show`)
}

/** Enough times that a form chosen at random for each time does not look like one fixed form. */
const ENOUGH_TIMES = 24
const SECOND_US = 1_000_000
const HOUR_US = 3600 * SECOND_US
const NAIROBI_US = 3 * HOUR_US

function stampUs(text: unknown): number | undefined {
  const parsed = typeof text === 'string' ? /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z?$/.exec(text) : null
  if (!parsed) return undefined
  return Date.parse(`${parsed[1]}Z`) * 1000 + Number((parsed[2] ?? '').padEnd(6, '0').slice(0, 6))
}

function timesOf(records: readonly ListedRecord[]): string[] {
  const times = new Map<string, string>()
  for (const record of records)
    for (const part of [record, record.organisation])
      for (const name of ['createdAt', 'updatedAt'])
        if (typeof part?.[name] === 'string') times.set(`${name} ${stampUs(part.createdAt)} ${part[name]}`, part[name])
  return [...times.values()]
}

function timestampForm(seen: readonly SeenAnswer[]) {
  const records = seen.flatMap(recordsOf)
  const times = timesOf(records)
  const zoned = times.filter((time) => time.endsWith('Z')).length
  if (zoned > 0 && zoned < times.length) return 'drawn'
  // Only samples differ in their digits.
  if (zoned === 0 && times.some((time) => !/\.\d{6}$/.test(time))) return 'as-published'
  if (times.length < ENOUGH_TIMES)
    return accountHas(`${times.length} times in its records, and ${ENOUGH_TIMES} have to be seen`)
  if (zoned > 0) return 'Z'
  const keepsZero = records
    .filter(mayDropZeros)
    .some(({ createdAt, updatedAt }) => /0$/m.test(`${createdAt}\n${updatedAt}`))
  return keepsZero ? 'six-digits' : accountHas('no payout to a phone or till at a time that ends with 0')
}

/** Payouts to phones and tills: their published samples leave off zeros at the end. */
function mayDropZeros({ phoneNumber, accountNumber, ...record }: ListedRecord): boolean {
  return 'receiverName' in record && (phoneNumber !== undefined || accountNumber === '')
}

/** The payload of the token says it, without its signature. */
function nowOf(token: SeenAnswer | undefined): number | undefined {
  try {
    const [, claims = ''] = String(token?.body?.data?.access_token).split('.')
    const { iat } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof iat === 'number' ? iat * SECOND_US : undefined
  } catch {
    return undefined
  }
}

/** Finds the zone of times that name none: read in the wrong zone, a time lies in the service's future. */
function zoneOfPast(token: SeenAnswer | undefined, records: readonly ListedRecord[]) {
  const nowUs = nowOf(token)
  if (nowUs === undefined) return inconclusive('the token says no time')
  const ahead = timesOf(records).some((time) => !time.endsWith('Z') && (stampUs(time) ?? 0) > nowUs + HOUR_US)
  return ahead ? 'nairobi' : accountHas('no record of the last hours')
}

function zoneOf(time: unknown, token: SeenAnswer | undefined) {
  const [atUs, nowUs] = [stampUs(time), nowOf(token)]
  if (atUs === undefined || nowUs === undefined) return undefined
  if (String(time).endsWith('Z')) return inconclusive('the time says that it is UTC, as all with a Z do')
  const offUs = atUs - nowUs
  if (Math.abs(offUs) < HOUR_US) return 'utc'
  return Math.abs(offUs - NAIROBI_US) < HOUR_US ? 'nairobi' : undefined
}

export const listProbes = {
  'list-order': ofRecords(orderOf),
  'list-pages': free(
    [
      ...allLists,
      (seen) => {
        const { path } = fullList(seen)?.request ?? {}
        if (path === undefined) return accountHas(`less than ${PAGE} records in each list`)
        return get(`${path}${path.includes('?') ? '&' : '?'}page=1`)
      },
    ],
    (seen) => {
      const [before, page] = [fullList(seen.slice(0, -1)), seen.at(-1)]
      if (!before || !page) return undefined
      const records = recordsOf(before)
      if (page.status === 400 || idsOf(recordsOf(page)) === idsOf(records)) return 'whole'
      return page.status === 200 && records.length === PAGE ? 'twenty' : undefined
    },
  ),
  'status-read-code': {
    ...free(
      [
        lists.till,
        ([seen]) => {
          const own = recordsOf(seen).find(({ organisation }) => seen?.request.path.endsWith(`=${organisation?.uuid}`))
          if (!own) return accountHas('no till payment')
          return get(`/till/status?requestId=${own.uuid}&companyId={companyId}`)
        },
      ],
      sameStatus,
    ),
    sees: seenAt(/^\w+ \/api\/sandbox\/v1\/till\/status$/, sameStatus),
  },
  'tanzania-in-lists': {
    ...free(
      [lists.sendMoney, lists.stk],
      alternativeShown(
        { listed: ({ phoneNumber }) => /^\+?255/.test(phoneNumber) },
        accountHas('no payment in TZS in its lists'),
      ),
    ),
    or: byPayment([tanzanian, again(lists.sendMoney, 2)], ([paid, list]) => {
      const id = paid?.body?.data?.requestId
      return list && (recordsOf(list).some(({ uuid }) => uuid === id) ? 'listed' : 'left-out')
    }),
  },
  'tz-status-word': {
    ...byPayment(
      [tanzanian, readingTanzanian('{0.data.requestId}')],
      byField('data.status', {
        PENDING: 'PENDING',
        PAYMENT_ACCEPTED: 'PAYMENT_ACCEPTED',
        SUCCESS: inconclusive('it was SUCCESS before it could be read'),
        FAILED: inconclusive('it was FAILED before it could be read'),
      }),
    ),
    sees: seenAt(/^\w+ \/api\/v1\/tz\/(?:spending|collections)\//, (seen) =>
      byField('data.status', { PAYMENT_ACCEPTED: 'PAYMENT_ACCEPTED' })([seen]),
    ),
  },
  'fee-fields': free(
    [lists.bankPayouts],
    alternativeShown(
      { told: (record) => isSuccess(record) && (record.transaction_fee ?? 0) !== 0 },
      inconclusive('no record shows a fee; whether one was charged, only the statement of the wallet says'),
    ),
  ),
  'success-record': ofRecords(
    alternativeShown(
      {
        filled: (record) => isSuccess(record) && (record.transactionReceipt ?? null) !== null,
        bare: (record) => isSuccess(record) && record.transactionReceipt === null,
      },
      accountHas('no payout to a phone, till or paybill that succeeded'),
    ),
  ),
  'failed-description': ofRecords(
    alternativeShown(
      {
        null: describedAs((text) => text === null),
        empty: describedAs((text) => text === ''),
        'as-accepted': describedAs((text) => /^accept\b/i.test(String(text))),
      },
      accountHas('no till or paybill payment that failed without a reason'),
    ),
    [lists.till, lists.paybill],
  ),
  'failure-codes': {
    ...free(
      allLists,
      alternativeShown(
        {
          told: tellsFailure,
          // The one published failure, of a till, tells nothing either way.
          silent: (record) => isFailed(record) && ('merchantRequestId' in record || 'bankCode' in record),
        },
        accountHas('no collection and no bank payout that failed'),
      ),
    ),
    sees: seenAt(LIST_PATH, (seen) => (recordsOf(seen).some(tellsFailure) ? 'told' : undefined)),
  },
  'extra-fields': {
    ...free([login(), ...allLists], extraFields),
    sees: (seen) => (hasMore(seen) ? 'some' : undefined),
  },
  'timestamp-form': ofRecords(timestampForm, [...allLists, subAccounts]),
  'timestamp-zone': {
    ...free([login(), ...allLists], ([token, ...seen]) => zoneOfPast(token, seen.flatMap(recordsOf))),
    or: byPayment([login(3), paying(), again(lists.sendMoney)], ([token, paid, list]) => {
      const made = recordsOf(list).find(({ uuid }) => uuid === paid?.body?.data?.requestId)
      return zoneOf(made?.createdAt, token)
    }),
  },
} as const satisfies SomeProbes

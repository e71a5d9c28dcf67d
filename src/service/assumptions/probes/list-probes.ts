import { keysIn } from '../../../core/model/must.ts'
import {
  again,
  allLists,
  byField,
  byPayment,
  free,
  get,
  type Inconclusive,
  inconclusive,
  type ListedRecord,
  lists,
  login,
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
  text,
} from '../../probe.ts'

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

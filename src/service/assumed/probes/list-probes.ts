/** Probes that read lists and records. */
import { must } from '../../../core/model/must.ts'
import {
  byStatus,
  type ProbeAccount,
  probe,
  type SeenAnswer,
  type ServiceProbe,
  seenAt,
  Untold,
  untold,
  way,
} from './asked-by.ts'
import {
  API,
  accountHas,
  allLists,
  get,
  isDone,
  isPaidIn,
  type ListedRecord,
  listReads,
  login,
  NOBODY,
  NOWHERE,
  paying,
  phoneIn,
  post,
  recordsListed,
  recordsOf,
  recordsOfAll,
  stampUs,
  tokenClaims,
} from './asking.ts'
import type { SomeProbes } from './some-probes.ts'

/** Decided by the records that an account has. One without records decides nothing. */
function records<const Value extends string>(
  tells: (records: readonly ListedRecord[]) => Value | Untold | undefined,
  steps: (account: ProbeAccount) => ReturnType<typeof allLists> = allLists,
): ServiceProbe<Value> {
  return probe('free', steps, (seen) => tells(recordsOfAll(seen)), {
    sees: (seen) => {
      const told = tells(recordsListed(seen))
      return told instanceof Untold ? undefined : told
    },
  })
}

// Probes for lists and other reads.

const PAGE = 20

/** Ids increase as records are created, so their order is the order of the list. */
function orderOf(records: readonly ListedRecord[]): 'oldest-first' | 'newest-first' | undefined {
  const ids: number[] = records.map(({ id }) => id).filter((id) => typeof id === 'number')
  if (ids.length < 2) return undefined
  const steps = ids.slice(1).map((id, at) => id - must(ids[at]))
  if (steps.every((step) => step > 0)) return 'oldest-first'
  return steps.every((step) => step < 0) ? 'newest-first' : undefined
}

const tanzanian = (account: ProbeAccount) =>
  post(`${API}/send-money`, {
    phoneNumber: phoneIn(account, '255'),
    amount: Math.max(1000, account.amount),
    currencyCode: 'TZS',
    narration: 'Calibration',
    firstName: 'Calibration',
    lastName: 'Calibration',
    serviceCode: 'TZ-TIGO-B2C',
    callbackUrl: `${account.receiver ?? NOWHERE}/paid-tz`,
  })

const untoldOfTanzanian = (paid: SeenAnswer | undefined) => untold(`a payout in TZS was answered ${paid?.status}`)

/** A list of more than one page, or of exactly one, because shorter lists do not show whether there are pages. */
function fullList(seen: readonly SeenAnswer[]): SeenAnswer | undefined {
  return seen.find((one) => recordsOf(one).length > PAGE) ?? seen.find((one) => recordsOf(one).length === PAGE)
}

const withQuery = ({ request: { path } }: SeenAnswer, query: string) =>
  get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
const idsOf = (records: readonly ListedRecord[]) => records.map(({ uuid }) => uuid).join()
const sameStatus = { 200: '200', 201: '201' } as const

export const listProbes = {
  'list-order': probe(
    'free',
    allLists,
    (seen) => {
      const orders = new Set(seen.map(recordsOf).flatMap((records) => orderOf(records) ?? []))
      if (orders.size > 1) return undefined
      return [...orders][0] ?? accountHas('less than two records in each list')
    },
    { sees: (seen) => orderOf(recordsListed(seen)) },
  ),
  'list-pages': probe(
    'free',
    (account) => [
      ...allLists(account),
      (seen) => {
        const full = fullList(seen)
        return full ? withQuery(full, 'page=1') : accountHas(`less than ${PAGE} records in each list`)
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
  'status-read-code': probe(
    'free',
    (account) => [
      listReads.till(account),
      ([seen]) => {
        const own = recordsOf(seen).find(({ organisation }) => organisation?.uuid === account.companyId)
        if (!own) return accountHas('no till payment')
        return get(`${API}/till/status?requestId=${own.uuid}&companyId=${account.companyId}`)
      },
    ],
    ([, seen]) => byStatus(seen, sameStatus),
    { sees: seenAt(/^\w+ \/api\/sandbox\/v1\/till\/status$/, sameStatus) },
  ),
  'tanzania-in-lists': {
    ways: [
      way(
        'free',
        (account) => [listReads.sendMoney(account), listReads.stk()],
        (seen) => (recordsOfAll(seen).some(isPaidIn('255')) ? 'listed' : accountHas('no payment in TZS in its lists')),
      ),
      way(
        'payment',
        (account) => [tanzanian(account), { ...listReads.sendMoney(account), repeats: 2 }],
        ([paid, list]) => {
          if (!paid || !isDone(paid)) return untoldOfTanzanian(paid)
          const id = paid.body?.data?.requestId
          return recordsOf(list).some(({ uuid }) => uuid === id) ? 'listed' : 'left-out'
        },
        ['phone-tz'],
      ),
    ],
  },
  'tz-status-word': probe(
    'payment',
    (account) => [
      tanzanian(account),
      ([paid]) =>
        get(`/api/v1/tz/spending/single?requestId=${paid?.body?.data?.requestId ?? NOBODY}`, {
          headers: { 'device-id': 'mfano-calibrate' },
        }),
    ],
    ([paid, read]) => {
      if (!paid || !isDone(paid)) return untoldOfTanzanian(paid)
      const status = read?.body?.data?.status
      if (status === 'PENDING' || status === 'PAYMENT_ACCEPTED') return status
      return status === undefined ? undefined : untold(`it was ${status} before it could be read`)
    },
    {
      needs: ['phone-tz'],
      sees: seenAt(/^\w+ \/api\/v1\/tz\/(?:spending|collections)\//, ({ body }) =>
        body?.data?.status === 'PAYMENT_ACCEPTED' ? 'PAYMENT_ACCEPTED' : undefined,
      ),
    },
  ),
} as const satisfies SomeProbes

// What records tell of ends, fees and failures.

const FAILURE_FIELDS = ['statusCode', 'statusDesc', 'errorCode', 'errorDesc']

function failureTold(record: ListedRecord): boolean {
  if (typeof record.responseCode === 'number' && record.responseCode !== 0) return true
  return FAILURE_FIELDS.some((name) => typeof record[name] === 'string' && record[name] !== '')
}

function failureCodes(records: readonly ListedRecord[]) {
  const failed = records.filter(({ status }) => status === 'FAILED')
  if (failed.some(failureTold)) return 'told'
  // The one published failure, of a till, tells nothing either way.
  const isTelling = (record: ListedRecord) => 'merchantRequestId' in record || 'bankCode' in record
  return failed.some(isTelling) ? 'silent' : accountHas('no collection and no bank payout that failed')
}

/** A rail's own reason says nothing about failures that have no reason, so those are left out. */
function failedDescription(records: readonly ListedRecord[]) {
  const isShortCode = (record: ListedRecord) => 'businessNumber' in record && record.status === 'FAILED'
  const said = records.filter(isShortCode).map((record) => record.responseDescription)
  if (said.includes(null)) return 'null'
  if (said.includes('')) return 'empty'
  return said.some((text) => /^accept\b/i.test(text))
    ? 'as-accepted'
    : accountHas('no till or paybill payment that failed without a reason')
}

function successRecord(records: readonly ListedRecord[]) {
  const ended = records.filter(
    ({ status, transactionReceipt }) => status === 'SUCCESS' && transactionReceipt !== undefined,
  )
  if (ended.length === 0) return accountHas('no payout to a phone, till or paybill that succeeded')
  return ended.some(({ transactionReceipt }) => transactionReceipt !== null) ? 'filled' : 'bare'
}

function feeFields(records: readonly ListedRecord[]) {
  const ended = records.filter(({ status, transaction_fee }) => status === 'SUCCESS' && transaction_fee !== undefined)
  if (ended.some(({ transaction_fee }) => transaction_fee !== 0)) return 'told'
  return untold('no record shows a fee; whether one was charged, only the statement of the wallet says')
}

// Fields of successful answers that no source shows.

const TOKEN = ['status', 'data']
const OF_TOKEN = ['access_token', 'refresh_token', 'expires_in', 'refresh_expires_in']
const ENVELOPE = ['status', 'message', 'data']

function fieldsOf({ status, body }: SeenAnswer): (readonly [shown: readonly string[], are: string[]])[] {
  if (status !== 200 || typeof body?.data !== 'object' || body.data === null) return []
  const own = Object.keys(body)
  if (typeof body.data.access_token === 'string')
    return [
      [TOKEN, own],
      [OF_TOKEN, Object.keys(body.data)],
    ]
  return Array.isArray(body.data) ? [[ENVELOPE, own]] : []
}

const hasMore = (seen: SeenAnswer): boolean =>
  fieldsOf(seen).some(([shown, are]) => are.some((name) => !shown.includes(name)))

/** A single answer can be without more fields by chance, so several must agree. */
const LEAST_ANSWERS = 5

function extraFields(seen: readonly SeenAnswer[]) {
  if (seen.some(hasMore)) return 'some'
  if (seen.filter((one) => fieldsOf(one).length > 0).length >= LEAST_ANSWERS) return 'none'
  return untold(`less than ${LEAST_ANSWERS} answers have the form that the sources show`)
}

// Times of records.

/** Enough times that a form chosen at random for each time does not look like one fixed form. */
const ENOUGH_TIMES = 24
const SECOND_US = 1_000_000
const HOUR_US = 3600 * SECOND_US
const NAIROBI_US = 3 * HOUR_US

function timesOf(records: readonly ListedRecord[]): Map<string, string> {
  const times = new Map<string, string>()
  for (const record of records)
    for (const part of [record, record.organisation])
      for (const name of ['createdAt', 'updatedAt'])
        if (typeof part?.[name] === 'string') times.set(`${name} ${stampUs(part.createdAt)} ${part[name]}`, part[name])
  return times
}

function timestampForm(records: readonly ListedRecord[]) {
  const times = [...timesOf(records).values()]
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

/** Finds the zone of times that name none: read in the wrong zone, a time lies in the service's future. */
function zoneOfPast(token: SeenAnswer | undefined, records: readonly ListedRecord[]) {
  const nowUs = nowOf(token)
  if (nowUs === undefined) return untold('the token says no time')
  const ahead = [...timesOf(records).values()].some(
    (time) => !time.endsWith('Z') && (stampUs(time) ?? 0) > nowUs + HOUR_US,
  )
  return ahead ? 'nairobi' : accountHas('no record of the last hours')
}

function nowOf(token: SeenAnswer | undefined): number | undefined {
  const { iat } = tokenClaims(token) ?? {}
  return typeof iat === 'number' ? iat * SECOND_US : undefined
}

function zoneOf(time: unknown, token: SeenAnswer | undefined) {
  const [atUs, nowUs] = [stampUs(time), nowOf(token)]
  if (atUs === undefined || nowUs === undefined) return undefined
  if (String(time).endsWith('Z')) return untold('the time says that it is UTC, as all with a Z do')
  const offUs = atUs - nowUs
  if (Math.abs(offUs) < HOUR_US) return 'utc'
  return Math.abs(offUs - NAIROBI_US) < HOUR_US ? 'nairobi' : undefined
}

export const recordProbes = {
  'fee-fields': probe('free', [listReads.bankPayouts()], (seen) => feeFields(recordsOfAll(seen))),
  'success-record': records(successRecord),
  'failed-description': records(failedDescription, (account) => [listReads.till(account), listReads.paybill()]),
  'failure-codes': probe('free', allLists, (seen) => failureCodes(recordsOfAll(seen)), {
    sees: (seen) => (failureCodes(recordsListed(seen)) === 'told' ? 'told' : undefined),
  }),
  'extra-fields': probe('free', (account) => [login(account), ...allLists(account)], extraFields, {
    sees: (seen) => (hasMore(seen) ? 'some' : undefined),
  }),
  'timestamp-form': records(timestampForm, (account) => [...allLists(account), listReads.subAccounts()]),
  'timestamp-zone': {
    ways: [
      way(
        'free',
        (account) => [login(account), ...allLists(account)],
        ([token, ...seen]) => zoneOfPast(token, recordsOfAll(seen)),
      ),
      way(
        'payment',
        (account) => [login(account, 3), paying(account), { ...listReads.sendMoney(account), repeats: 1 }],
        ([token, paid, list]) => {
          const made = recordsOf(list).find(({ uuid }) => uuid === paid?.body?.data?.requestId)
          return zoneOf(made?.createdAt, token)
        },
        ['phone-ke'],
      ),
    ],
  },
} as const satisfies SomeProbes

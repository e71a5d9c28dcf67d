/** What the records that an account has already tell by themselves. An account without them is told nothing. */

import { oneWay, type ProbeAccount, type SeenAnswer, untold } from './asked-by.ts'
import { API, allLists, get, listReads, login, NOBODY, paying, phoneIn, post } from './asking.ts'
import { byStatus, isDone, type ListedRecord, recordsOf, stampUs, tokenPart } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

/** As many times have to be seen, so that a form that is drawn for each does not look like one for all. */
const ENOUGH_TIMES = 24
/** A page that is assumed. */
const PAGE = 20
const SECOND_US = 1_000_000
const HOUR_US = 3600 * SECOND_US
const NAIROBI_US = 3 * HOUR_US

const lacking = (what: string) => untold(`the account has ${what}`)

/** Records of the lists that were read, and what was made. */
const allRecords = (seen: readonly SeenAnswer[]): ListedRecord[] => seen.flatMap(recordsOf)

const listPaths = [
  `${API}/send-money/all`,
  `${API}/till/all`,
  `${API}/paybill/all`,
  `${API}/stk/all`,
  `${API}/bank/payout/all`,
  `${API}/bank/collection/all`,
]

/** The records of an answer that lists payments, whoever asked for it. */
const listed = (seen: SeenAnswer): ListedRecord[] =>
  seen.request.method === 'GET' && listPaths.some((path) => seen.request.path.split('?')[0] === path)
    ? recordsOf(seen)
    : []

/** The order of the ids of a list: they count up as records are made. */
function orderOf(records: readonly ListedRecord[]): 'oldest-first' | 'newest-first' | undefined {
  const ids: number[] = records.map(({ id }) => id).filter((id) => typeof id === 'number')
  if (ids.length < 2) return undefined
  const steps = ids.slice(1).map((id, at) => id - (ids[at] as number))
  if (steps.every((step) => step > 0)) return 'oldest-first'
  return steps.every((step) => step < 0) ? 'newest-first' : undefined
}

/** Each time of a record and of what stands in it, once. */
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
  const zoned = times.filter((time) => /:\d\dZ$/.test(time)).length
  if (zoned > 0 && zoned < times.length) return 'drawn'
  if (times.length < ENOUGH_TIMES)
    return lacking(`${times.length} times in its records, and ${ENOUGH_TIMES} have to be seen`)
  return zoned === 0 ? 'as-published' : 'Z'
}

/** The zone of times that say none, by one that lies in the future of the service's own clock. */
function zoneOfPast(token: SeenAnswer | undefined, records: readonly ListedRecord[]) {
  const nowUs = nowOf(token)
  if (nowUs === undefined) return untold('the token says no time')
  const ahead = [...timesOf(records).values()].some(
    (time) => !time.endsWith('Z') && (stampUs(time) ?? 0) > nowUs + HOUR_US,
  )
  return ahead ? 'nairobi' : lacking('no record of the last hours')
}

function nowOf(token: SeenAnswer | undefined): number | undefined {
  const { iat } = tokenPart(token, 1) ?? {}
  return typeof iat === 'number' ? iat * SECOND_US : undefined
}

/** The zone of a time that was printed just when a token was issued. */
function zoneOf(time: unknown, token: SeenAnswer | undefined) {
  const [atUs, nowUs] = [stampUs(time), nowOf(token)]
  if (atUs === undefined || nowUs === undefined) return undefined
  if (String(time).endsWith('Z')) return untold('the time says that it is UTC, as all with a Z do')
  const offUs = atUs - nowUs
  if (Math.abs(offUs) < HOUR_US) return 'utc'
  return Math.abs(offUs - NAIROBI_US) < HOUR_US ? 'nairobi' : undefined
}

const isOfCountry = (prefix: string) => (record: ListedRecord) =>
  typeof record.phoneNumber === 'string' && record.phoneNumber.replace('+', '').startsWith(prefix)

/** Whether what waits was touched after it was made. Records show it from a minute on. */
function touchedOf(records: readonly ListedRecord[]): boolean | undefined {
  const waiting = records.filter(({ status }) => status === 'PENDING')
  if (waiting.length === 0) return undefined
  return waiting.some(({ createdAt, updatedAt }) => laterBy(createdAt, updatedAt) > SECOND_US)
}

/** With a Z the same instant may be printed without its zone; whole hours between the two are none. */
function laterBy(before: string, after: string): number {
  const us = (stampUs(after) ?? 0) - (stampUs(before) ?? 0)
  const zoned = before.endsWith('Z') !== after.endsWith('Z')
  const [hereUs, thereUs] = [Math.abs(us), Math.abs(Math.abs(us) - NAIROBI_US)]
  return zoned ? Math.min(hereUs, thereUs) : hereUs
}

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
  return failed.some(isTelling) ? 'silent' : lacking('no collection and no bank payout that failed')
}

/** A rail may give its reason, which tells nothing of those without one. */
function failedDescription(records: readonly ListedRecord[]) {
  const isShortCode = (record: ListedRecord) => 'businessNumber' in record && record.status === 'FAILED'
  const said = records.filter(isShortCode).map((record) => record.responseDescription)
  if (said.includes(null)) return 'null'
  if (said.includes('')) return 'empty'
  return said.some((text) => /^accept\b/i.test(text))
    ? 'as-accepted'
    : lacking('no till or paybill payment that failed without a reason')
}

function successRecord(records: readonly ListedRecord[]) {
  const ended = records.filter(
    ({ status, transactionReceipt }) => status === 'SUCCESS' && transactionReceipt !== undefined,
  )
  if (ended.length === 0) return lacking('no payout to a phone, till or paybill that succeeded')
  return ended.some(({ transactionReceipt }) => transactionReceipt !== null) ? 'filled' : 'bare'
}

function directionOf(records: readonly ListedRecord[]) {
  const ended = records.filter(({ status, direction }) => status !== 'PENDING' && direction !== undefined)
  if (ended.length === 0) return lacking('no bank payout that has ended')
  const seen = new Set(ended.map(({ direction }) => direction))
  if (seen.size > 1) return undefined
  return seen.has(0) ? '0' : seen.has(1) ? '1' : undefined
}

function customerIds(records: readonly ListedRecord[]) {
  const own = Map.groupBy(
    records.filter(({ customerid }) => typeof customerid === 'string'),
    ({ organisation }) => organisation?.uuid,
  )
  for (const [, ofOne] of own) {
    const ids = new Set(ofOne.map(({ customerid }) => customerid))
    if (ids.size > 1) return 'new-for-each'
    // Two may be alike by chance.
    if (ofOne.length > 2) return 'of-the-organisation'
  }
  return lacking('less than three bank collections')
}

function feeFields(records: readonly ListedRecord[]) {
  const ended = records.filter(({ status, transaction_fee }) => status === 'SUCCESS' && transaction_fee !== undefined)
  if (ended.some(({ transaction_fee }) => transaction_fee !== 0)) return 'told'
  return untold('no record shows a fee; whether one was charged, only the statement of the wallet says')
}

function narrationIn(records: readonly ListedRecord[]) {
  const foreign = records.filter((one) => (isOfCountry('255')(one) || isOfCountry('256')(one)) && 'remarks' in one)
  if (foreign.length === 0) return lacking('no payout in TZS or UGX')
  return foreign.some(({ remarks }) => remarks !== '') ? 'remarks' : 'nowhere'
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
    callbackUrl: `${account.receiver ?? 'https://merchant.example/mfano-calibrate'}/paid-tz`,
  })

/** A list of exactly one page, or of more than one: what is on the next page tells which. */
function fullList(seen: readonly SeenAnswer[]): SeenAnswer | undefined {
  return seen.find((one) => recordsOf(one).length > PAGE) ?? seen.find((one) => recordsOf(one).length === PAGE)
}

const withQuery = ({ request: { path } }: SeenAnswer, query: string) =>
  get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
const idsOf = (records: readonly ListedRecord[]) => records.map(({ uuid }) => uuid).join()

export const recordProbes = {
  'list-order': {
    ...oneWay('free', allLists, (seen) => {
      const orders = new Set(seen.map(recordsOf).flatMap((records) => orderOf(records) ?? []))
      if (orders.size > 1) return undefined
      return [...orders][0] ?? lacking('less than two records in each list')
    }),
    sees: (seen) => orderOf(listed(seen)),
  },
  'list-pages': oneWay(
    'free',
    (account) => [
      ...allLists(account),
      (seen) => {
        const full = fullList(seen)
        return full ? withQuery(full, 'page=1') : lacking(`less than ${PAGE} records in each list`)
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
  'list-filters': oneWay(
    'free',
    (account) => [
      get(`${listReads.bankCollections().path}?memo=x`),
      ...allLists(account),
      ([, ...seen]) => {
        const some = seen.find((one) => recordsOf(one).length > 0)
        return some ? withQuery(some, 'status=NO_SUCH_STATUS') : lacking('no records')
      },
    ],
    (seen) => {
      const [unknown, asked] = [seen[0], seen.at(-1)]
      if (asked?.status === 400) return unknown?.status === 400 ? 'none' : undefined
      if (asked?.status !== 200) return undefined
      return recordsOf(asked).length === 0 ? 'status' : 'none'
    },
  ),
  'status-read-code': {
    ...oneWay(
      'free',
      (account) => [
        listReads.till(account),
        ([seen]) => {
          const [first] = recordsOf(seen)
          if (!first) return lacking('no till payment')
          return get(`${API}/till/status?requestId=${first.uuid}&companyId=${first.organisation?.uuid}`)
        },
      ],
      ([, seen]) => byStatus(seen, { 200: '200', 201: '201' }),
    ),
    sees: (seen) =>
      seen.request.path.startsWith(`${API}/till/status?`) ? byStatus(seen, { 200: '200', 201: '201' }) : undefined,
  },
  'timestamp-form': {
    ...oneWay(
      'free',
      (account) => [...allLists(account), listReads.subAccounts()],
      (seen) => timestampForm(allRecords(seen)),
    ),
    sees: (seen) => {
      const told = timestampForm(listed(seen))
      return typeof told === 'string' ? told : undefined
    },
  },
  'timestamp-zone': {
    ways: [
      {
        tier: 'free',
        steps: (account) => [login(account), ...allLists(account)],
        tells: ([token, ...seen]) => zoneOfPast(token, allRecords(seen)),
      },
      {
        tier: 'payment',
        needs: ['phone-ke'],
        steps: (account) => [login(account, 3), paying(account), { ...listReads.sendMoney(account), repeats: 1 }],
        tells: ([token, paid, list]) => {
          const made = recordsOf(list).find(({ uuid }) => uuid === paid?.body?.data?.requestId)
          return zoneOf(made?.createdAt, token)
        },
      },
    ],
  },
  'pending-updates': oneWay('free', allLists, ([sendMoney, till, paybill, stk, bank]) => {
    const published = touchedOf([paybill, stk].flatMap(recordsOf))
    const others = touchedOf([sendMoney, till, bank].flatMap(recordsOf))
    if (others === true) return 'all'
    if (published === undefined || others === undefined)
      return lacking('not both: a paybill payment or collection that waits, and another payment that does')
    return published ? 'stk-and-paybill' : 'none'
  }),
  'tanzania-in-lists': {
    ways: [
      {
        tier: 'free',
        steps: (account) => [listReads.sendMoney(account), listReads.stk()],
        tells: (seen) =>
          allRecords(seen).some(isOfCountry('255')) ? 'listed' : lacking('no payment in TZS in its lists'),
      },
      {
        tier: 'payment',
        needs: ['phone-tz'],
        steps: (account) => [tanzanian(account), { ...listReads.sendMoney(account), repeats: 2 }],
        tells: ([paid, list]) => {
          if (!paid || !isDone(paid)) return untold(`a payout in TZS was answered ${paid?.status}`)
          const id = paid.body?.data?.requestId
          return recordsOf(list).some(({ uuid }) => uuid === id) ? 'listed' : 'left-out'
        },
      },
    ],
  },
  'tz-status-word': {
    ...oneWay(
      'payment',
      (account) => [
        tanzanian(account),
        ([paid]) =>
          get(`/api/v1/tz/spending/single?requestId=${paid?.body?.data?.requestId ?? NOBODY}`, {
            headers: { 'device-id': 'mfano-calibrate' },
          }),
      ],
      ([paid, read]) => {
        if (!paid || !isDone(paid)) return untold(`a payout in TZS was answered ${paid?.status}`)
        const status = read?.body?.data?.status
        if (status === 'PENDING' || status === 'PAYMENT_ACCEPTED') return status
        return status === undefined ? undefined : untold(`it was ${status} before it could be read`)
      },
      ['phone-tz'],
    ),
    sees: (seen) =>
      /^\/api\/v1\/tz\/(?:spending|collections)\//.test(seen.request.path) &&
      seen.body?.data?.status === 'PAYMENT_ACCEPTED'
        ? 'PAYMENT_ACCEPTED'
        : undefined,
  },
  'payout-direction': {
    ...oneWay(
      'free',
      () => [listReads.bankPayouts()],
      (seen) => directionOf(allRecords(seen)),
    ),
    sees: (seen) => told(directionOf(listed(seen))),
  },
  'fee-fields': oneWay(
    'free',
    () => [listReads.bankPayouts()],
    (seen) => feeFields(allRecords(seen)),
  ),
  'narration-in-records': {
    ...oneWay(
      'free',
      (account) => [listReads.sendMoney(account)],
      (seen) => narrationIn(allRecords(seen)),
    ),
    sees: (seen) => told(narrationIn(listed(seen))),
  },
  'customer-id': {
    ...oneWay(
      'free',
      () => [listReads.bankCollections()],
      (seen) => customerIds(allRecords(seen)),
    ),
    sees: (seen) => told(customerIds(listed(seen))),
  },
  'success-record': {
    ...oneWay('free', allLists, (seen) => successRecord(allRecords(seen))),
    sees: (seen) => told(successRecord(listed(seen))),
  },
  'failed-description': {
    ...oneWay(
      'free',
      (account) => [listReads.till(account), listReads.paybill()],
      (seen) => failedDescription(allRecords(seen)),
    ),
    sees: (seen) => told(failedDescription(listed(seen))),
  },
  'failure-codes': {
    ...oneWay('free', allLists, (seen) => failureCodes(allRecords(seen))),
    sees: (seen) => (failureCodes(listed(seen)) === 'told' ? 'told' : undefined),
  },
  'reversed-record': { unaskable: 'nobody but the service can take back a payment that succeeded' },
  'absent-account': {
    ...oneWay(
      'payment',
      (account) => [
        post(`${API}/till`, {
          businessNumber: account.tillNumber,
          amount: account.amount,
          remarks: 'Calibration',
          occasion: 'Calibration',
          callbackUrl: `${account.receiver ?? 'https://merchant.example/mfano-calibrate'}/till`,
        }),
      ],
      ([paid]) => accountOf(paid),
      ['till'],
    ),
    sees: (seen) => {
      const { method, path, body } = seen.request
      const isTill = method === 'POST' && path === `${API}/till` && isDone(seen)
      return isTill && body && !('accountNumber' in body) ? accountOf(seen) : undefined
    },
  },
} as const satisfies SomeProbes

function accountOf(paid: SeenAnswer | undefined): 'empty' | 'filled-in' | undefined {
  const { accountNumber, businessNumber } = paid?.body?.data ?? {}
  if (accountNumber === '') return 'empty'
  return accountNumber !== undefined && accountNumber === businessNumber ? 'filled-in' : undefined
}

/** An alternative, where one is told. */
function told<Told>(value: Told): Extract<Told, string> | undefined {
  return typeof value === 'string' ? (value as Extract<Told, string>) : undefined
}

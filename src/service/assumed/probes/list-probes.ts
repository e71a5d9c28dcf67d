/** Probes for lists and other reads. */

import { must } from '../../../core/model/must.ts'
import { oneWay, type ProbeAccount, type SeenAnswer, untold } from './asked-by.ts'
import { API, allLists, get, listReads, NOBODY, phoneIn, post } from './asking.ts'
import { accountHas, isPaidIn, recordsListed, recordsOfAll } from './listed-records.ts'
import { byStatus, isDone, type ListedRecord, recordsOf } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

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
    callbackUrl: `${account.receiver ?? 'https://merchant.example/mfano-calibrate'}/paid-tz`,
  })

/** A list of more than one page, or of exactly one, because shorter lists do not show whether there are pages. */
function fullList(seen: readonly SeenAnswer[]): SeenAnswer | undefined {
  return seen.find((one) => recordsOf(one).length > PAGE) ?? seen.find((one) => recordsOf(one).length === PAGE)
}

const withQuery = ({ request: { path } }: SeenAnswer, query: string) =>
  get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
const idsOf = (records: readonly ListedRecord[]) => records.map(({ uuid }) => uuid).join()

export const listProbes = {
  'list-order': {
    ...oneWay('free', allLists, (seen) => {
      const orders = new Set(seen.map(recordsOf).flatMap((records) => orderOf(records) ?? []))
      if (orders.size > 1) return undefined
      return [...orders][0] ?? accountHas('less than two records in each list')
    }),
    sees: (seen) => orderOf(recordsListed(seen)),
  },
  'list-pages': oneWay(
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
  'status-read-code': {
    ...oneWay(
      'free',
      (account) => [
        listReads.till(account),
        ([seen]) => {
          const own = recordsOf(seen).find(({ organisation }) => organisation?.uuid === account.companyId)
          if (!own) return accountHas('no till payment')
          return get(`${API}/till/status?requestId=${own.uuid}&companyId=${account.companyId}`)
        },
      ],
      ([, seen]) => byStatus(seen, { 200: '200', 201: '201' }),
    ),
    sees: (seen) =>
      seen.request.path.startsWith(`${API}/till/status?`) ? byStatus(seen, { 200: '200', 201: '201' }) : undefined,
  },
  'tanzania-in-lists': {
    ways: [
      {
        tier: 'free',
        steps: (account) => [listReads.sendMoney(account), listReads.stk()],
        tells: (seen) =>
          recordsOfAll(seen).some(isPaidIn('255')) ? 'listed' : accountHas('no payment in TZS in its lists'),
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
} as const satisfies SomeProbes

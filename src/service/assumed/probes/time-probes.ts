/** Probes that read the times of records. */

import { oneWay, type SeenAnswer, untold } from './asked-by.ts'
import { allLists, listReads, login, paying } from './asking.ts'
import { accountHas, recordsListed, recordsOfAll } from './listed-records.ts'
import { type ListedRecord, recordsOf, stampUs, tokenClaims } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

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

export const timeProbes = {
  'timestamp-form': {
    ...oneWay(
      'free',
      (account) => [...allLists(account), listReads.subAccounts()],
      (seen) => timestampForm(recordsOfAll(seen)),
    ),
    sees: (seen) => {
      const told = timestampForm(recordsListed(seen))
      return typeof told === 'string' ? told : undefined
    },
  },
  'timestamp-zone': {
    ways: [
      {
        tier: 'free',
        steps: (account) => [login(account), ...allLists(account)],
        tells: ([token, ...seen]) => zoneOfPast(token, recordsOfAll(seen)),
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
} as const satisfies SomeProbes

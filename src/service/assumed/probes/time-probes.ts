/** What the times of records tell. */

import { oneWay, type SeenAnswer, untold } from './asked-by.ts'
import { allLists, listReads, login, paying } from './asking.ts'
import { accountHas, recordsListed, recordsOfAll } from './listed-records.ts'
import { type ListedRecord, recordsOf, stampUs, tokenPart } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

/** As many times have to be seen, so that a form that is drawn for each does not look like one for all. */
const ENOUGH_TIMES = 24
const SECOND_US = 1_000_000
const HOUR_US = 3600 * SECOND_US
const NAIROBI_US = 3 * HOUR_US

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
    return accountHas(`${times.length} times in its records, and ${ENOUGH_TIMES} have to be seen`)
  return zoned === 0 ? 'as-published' : 'Z'
}

/** The zone of times that say none, by one that lies in the future of the service's own clock. */
function zoneOfPast(token: SeenAnswer | undefined, records: readonly ListedRecord[]) {
  const nowUs = nowOf(token)
  if (nowUs === undefined) return untold('the token says no time')
  const ahead = [...timesOf(records).values()].some(
    (time) => !time.endsWith('Z') && (stampUs(time) ?? 0) > nowUs + HOUR_US,
  )
  return ahead ? 'nairobi' : accountHas('no record of the last hours')
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
  'pending-updates': oneWay('free', allLists, ([sendMoney, till, paybill, stk, bank]) => {
    const published = touchedOf([paybill, stk].flatMap(recordsOf))
    const others = touchedOf([sendMoney, till, bank].flatMap(recordsOf))
    if (others === true) return 'all'
    if (published === undefined || others === undefined)
      return accountHas('not both: a paybill payment or collection that waits, and another payment that does')
    return published ? 'stk-and-paybill' : 'none'
  }),
} as const satisfies SomeProbes

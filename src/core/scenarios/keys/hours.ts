import {
  DAY_US,
  isBetween,
  type LocalTime,
  localTime,
  MINUTE_US,
  parseTimeOfDay,
  startOfDay,
  weekdays,
} from '../../model/calendar.ts'
import type { Countries, Dates } from '../../model/country.ts'
import type { Fields } from '../../model/kind.ts'
import type { Currency } from '../../model/money.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'

const DAY_MINUTES = 24 * 60
const WEEK_MINUTES = 7 * DAY_MINUTES
const LONGEST_CLOSED_DAYS = 60

export interface Opening {
  /** Minutes since midnight. */
  opensAt: number
  cutOffAt: number
  weekends: boolean
  holidays: Dates
}

export function nextOpening(
  { opensAt, cutOffAt, weekends, holidays }: Opening,
  nowUs: InstantUs,
  zoneUs: DurationUs,
): InstantUs {
  let dayUs = startOfDay(nowUs, zoneUs)
  for (let day = 0; day < LONGEST_CLOSED_DAYS; day++, dayUs += DAY_US) {
    const { weekday, date } = localTime(dayUs, zoneUs)
    if (holidays.has(date) || (!weekends && (weekday === 'SAT' || weekday === 'SUN'))) continue
    const openUs = dayUs + opensAt * MINUTE_US
    const cutOffUs = dayUs + cutOffAt * MINUTE_US
    if (nowUs < cutOffUs) return Math.max(nowUs, openUs)
  }
  return dayUs + opensAt * MINUTE_US
}

/** Daily or weekly. Minutes of the week start on Sunday. */
export interface Window {
  every: 'day' | 'week'
  fromMinute: number
  toMinute: number
}

export function endOfWindow(window: Window, atUs: InstantUs, zoneUs: DurationUs): InstantUs | undefined {
  const { hour, minute, weekday } = localTime(atUs, zoneUs)
  const ofDay = hour * 60 + minute
  const now = window.every === 'day' ? ofDay : weekdays.indexOf(weekday) * DAY_MINUTES + ofDay
  if (!isBetween(now, window.fromMinute, window.toMinute)) return undefined
  const length = window.every === 'day' ? DAY_MINUTES : WEEK_MINUTES
  const minutesLeft = (window.toMinute - now + length) % length
  const thisMinuteUs = startOfDay(atUs, zoneUs) + ofDay * MINUTE_US
  return thisMinuteUs + minutesLeft * MINUTE_US
}

export const everyPattern =
  /^(?:(SUN|MON|TUE|WED|THU|FRI|SAT) )?([0-2]\d:[0-5]\d)\.\.(?:(SUN|MON|TUE|WED|THU|FRI|SAT) )?([0-2]\d:[0-5]\d)$/

/** Reads `01:00..03:00`, `SUN 01:00..05:00` and `FRI 22:00..MON 06:00`. Returns a text for an impossible one. */
export function parseEvery(text: string): Window | string {
  const [, fromDay, from = '', toDay, to = ''] = everyPattern.exec(text) ?? []
  const [start, end] = [parseTimeOfDay(from), parseTimeOfDay(to)]
  if (start === undefined || end === undefined)
    return `"${text}" is not a window. Write it like 01:00..03:00, SUN 01:00..05:00 or FRI 22:00..MON 06:00.`
  if (toDay && !fromDay) return `"${text}" ends on a day and begins on none. Write it like FRI ${from}..${toDay} ${to}.`
  const fromMinute = fromDay ? dayOf(fromDay) * DAY_MINUTES + start : start
  // Without a day, the end is on the start's day, or on the next if it would come before the start.
  const endDay = fromDay ? (toDay ? dayOf(toDay) : dayOf(fromDay) + (end <= start ? 1 : 0)) : 0
  const toMinute = fromDay ? (endDay * DAY_MINUTES + end) % WEEK_MINUTES : end
  if (fromMinute === toMinute) return `"${text}" begins and ends at once. Write a later end.`
  return { every: fromDay ? 'week' : 'day', fromMinute, toMinute }
}

function dayOf(day: string): number {
  const days: readonly string[] = weekdays
  return days.indexOf(day)
}

export function holidaysFor(own: readonly string[] | undefined, countries: Countries): (currency: Currency) => Dates {
  if (!own) return (currency) => countries.ofCurrency(currency).holidays
  const dates = new Set(own)
  const tables = own.flatMap((one) => countries.find(one)?.holidays ?? [])
  const all: Dates = { has: (date) => dates.has(date) || tables.some((table) => table.has(date)) }
  return () => all
}

export const timeFields = {
  hour: 'double',
  minute: 'double',
  weekday: 'string',
  date: 'string',
  dayOfMonth: 'double',
  lastDayOfMonth: 'bool',
} as const satisfies Fields & Record<keyof LocalTime, string>

export const timeWords = { weekday: weekdays }

/** `between("22:00", "06:00")` spans midnight. The second time is excluded. */
export function between(from: string, to: string, time: Pick<LocalTime, 'hour' | 'minute'>): boolean {
  return isBetween(time.hour * 60 + time.minute, parseTimeOfDay(from) ?? 0, parseTimeOfDay(to) ?? 0)
}

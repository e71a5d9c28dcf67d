import {
  DAY_US,
  isBetween,
  type LocalTime,
  localTime,
  MINUTE_US,
  parseTimeOfDay,
  startOfDay,
  weekdays,
  type Zone,
} from '../../model/calendar.ts'
import type { Countries } from '../../model/country.ts'
import type { BankingUnit } from '../../model/delays.ts'
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
  holidays: Pick<ReadonlySet<string>, 'has'>
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

/** Once, daily or weekly. Minutes of the week start on Sunday. */
export type Window =
  | { fromUs: InstantUs; toUs: InstantUs }
  | { every: 'day' | 'week'; fromMinute: number; toMinute: number }

export function endOfWindow(window: Window, atUs: InstantUs, zoneUs: DurationUs): InstantUs | undefined {
  if ('fromUs' in window) return atUs >= window.fromUs && atUs < window.toUs ? window.toUs : undefined
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

export interface BankingHours {
  opensAt: number
  closesAt: number
}

export const USUAL_HOURS = '08:00..16:00'

export const bankingHoursPattern = /^(?:[01]\d|2[0-3]):[0-5]\d\.\.(?:[01]\d|2[0-3]):[0-5]\d$/

/** Undefined when banks would never open. */
export function parseBankingHours(text: string): BankingHours | undefined {
  const [opensAt = 0, closesAt = 0] = text.split('..').map((time) => parseTimeOfDay(time) ?? 0)
  return opensAt < closesAt ? { opensAt, closesAt } : undefined
}

export type Dates = Pick<ReadonlySet<string>, 'has'>

export function holidaysFor(own: readonly string[] | undefined, countries: Countries): (currency: Currency) => Dates {
  if (!own) return (currency) => countries.holidaysOf(countries.ofCurrency(currency).code)
  const dates = new Set(own)
  const tables = own.filter((one) => countries.codes.includes(one)).map((code) => countries.holidaysOf(code))
  const all: Dates = { has: (date) => dates.has(date) || tables.some((table) => table.has(date)) }
  return () => all
}

export class BankingTime {
  readonly zone: Zone
  readonly holidaysOf: (currency: Currency) => Dates
  readonly #hours: BankingHours

  constructor(zone: Zone, hours: BankingHours, holidaysOf: (currency: Currency) => Dates) {
    this.zone = zone
    this.holidaysOf = holidaysOf
    this.#hours = hours
  }

  /** A banking day of `amountUs` is as long as banks are open on one day. */
  openTime(unit: BankingUnit, amountUs: DurationUs): DurationUs {
    if (unit === 'hours') return amountUs
    const dayUs = (this.#hours.closesAt - this.#hours.opensAt) * MINUTE_US
    return Math.round((amountUs / DAY_US) * dayUs)
  }

  /**
   * When `openUs` of banking time has passed. While banks are closed it counts from the next opening. What would end at
   * closing time ends at the next opening, so a whole day from 10:00 ends at 10:00 of the next banking day.
   */
  after(fromUs: InstantUs, openUs: DurationUs, currency: Currency): InstantUs {
    const { opensAt, closesAt } = this.#hours
    const opening = { opensAt, cutOffAt: closesAt, weekends: false, holidays: this.holidaysOf(currency) }
    let leftUs = openUs
    let beginUs = nextOpening(opening, fromUs, this.zone.offsetUs)
    for (;;) {
      const closesUs = startOfDay(beginUs, this.zone.offsetUs) + closesAt * MINUTE_US
      if (leftUs < closesUs - beginUs) return beginUs + leftUs
      leftUs -= closesUs - beginUs
      beginUs = nextOpening(opening, closesUs, this.zone.offsetUs)
    }
  }
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

export function isTimeOfDay(value: unknown): boolean {
  return typeof value === 'string' && parseTimeOfDay(value) !== undefined
}

/** When things happen in a past: days and hours that are drawn by how usual they are. */
import { DAY_US, localTime, MINUTE_US, startOfDay, type Weekday } from '../../core/model/calendar.ts'
import type { Draw } from '../../core/model/chance.ts'
import { Holidays } from '../../core/model/holidays.ts'
import type { InstantUs } from '../../core/model/time.ts'
import { kenya } from '../countries/kenya.ts'
import type { Span } from '../parts.ts'

const { offsetUs } = kenya.zone
const holidays = new Holidays(kenya.holidays)

/** A day of a past, as the wall calendar shows it. */
export interface Day {
  /** Its midnight. */
  atUs: InstantUs
  /** `2025-01-24`. */
  date: string
  weekday: Weekday
  dayOfMonth: number
  /** From 1. */
  month: number
}

/** Every day of a span, from midnight to midnight. */
export function daysOf({ fromUs, untilUs }: Pick<Span, 'fromUs' | 'untilUs'>): Day[] {
  const days: Day[] = []
  for (let atUs = startOfDay(fromUs, offsetUs); atUs < untilUs; atUs += DAY_US) {
    if (atUs < fromUs) continue
    const { date, weekday, dayOfMonth } = localTime(atUs, offsetUs)
    days.push({ atUs, date, weekday, dayOfMonth, month: Number(date.slice(5, 7)) })
  }
  return days
}

/** The last day on which banks work, up to a day of each month. */
export function paydays(days: readonly Day[], dayOfMonth: number): Day[] {
  const byMonth = new Map<string, Day>()
  for (const day of days) {
    const works = day.weekday !== 'SAT' && day.weekday !== 'SUN' && !holidays.has(day.date)
    if (works && day.dayOfMonth <= dayOfMonth) byMonth.set(day.date.slice(0, 7), day)
  }
  return [...byMonth.values()].filter((day) => day.dayOfMonth > dayOfMonth - 6)
}

/** Draws from things by their weights. */
export function byWeight<T>(things: readonly T[], weightOf: (thing: T) => number): (draw: Draw) => T {
  let sum = 0
  const sums = things.map((thing) => {
    sum += weightOf(thing)
    return sum
  })
  return (draw) => {
    const wanted = draw.unit() * sum
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) > wanted) high = middle
      else low = middle + 1
    }
    return things[low] as T
  }
}

/** How usual each hour of a day is, from midnight on. */
export const hours = {
  office: [0, 0, 0, 0, 0, 0, 0, 1, 4, 9, 10, 9, 6, 4, 8, 8, 6, 3, 1, 0, 0, 0, 0, 0],
  shop: [1, 0, 0, 0, 0, 1, 3, 6, 7, 7, 7, 8, 10, 10, 8, 7, 8, 11, 13, 13, 11, 8, 4, 2],
  evening: [0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 4, 4, 3, 3, 5, 8, 12, 14, 13, 9, 4, 1],
} as const

/** An instant of a day, at an hour that is usual. */
export function atHour(day: Day, table: readonly number[], draw: Draw): InstantUs {
  const hour = byWeight([...table.keys()], (h) => table[h] as number)(draw)
  return day.atUs + hour * 60 * MINUTE_US + draw.below(60 * 60_000) * 1000
}

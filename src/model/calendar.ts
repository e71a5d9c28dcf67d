/** The wall calendar: days, weekdays and hours in a time zone. */
import type { CommonChoices } from './assumption.ts'
import { type DurationUs, formatInstant, type InstantUs, SECOND_US } from './time.ts'

export const MINUTE_US: DurationUs = 60 * SECOND_US
export const DAY_US: DurationUs = 24 * 60 * MINUTE_US
const NAIROBI_US: DurationUs = 3 * 60 * MINUTE_US

/** A time zone without a summer time, such as all that are served have. */
export interface Zone {
  /** As time zone databases call it. */
  name: string
  /** How far its clocks are ahead of UTC. */
  offsetUs: DurationUs
}

export const UTC: Zone = { name: 'UTC', offsetUs: 0 }

/** East Africa Time under the name of one of its cities. */
export function eastAfrican(name: string): Zone {
  return { name, offsetUs: NAIROBI_US }
}

export const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const
export type Weekday = (typeof weekdays)[number]

/** An instant as a clock and a calendar on the wall show it. */
export interface LocalTime {
  hour: number
  minute: number
  weekday: Weekday
  /** `2025-01-24`. */
  date: string
  dayOfMonth: number
  lastDayOfMonth: boolean
}

/** How far the wall of the service's timestamps is ahead of UTC. */
export function zoneOffsetUs(zone: CommonChoices['timestamp-zone']): DurationUs {
  return zone === 'nairobi' ? NAIROBI_US : 0
}

export function localTime(atUs: InstantUs, offsetUs: DurationUs): LocalTime {
  const wallUs = atUs + offsetUs
  const wall = new Date(Math.floor(wallUs / 1000))
  const tomorrow = new Date(Math.floor((wallUs + DAY_US) / 1000))
  return {
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    weekday: weekdays[wall.getUTCDay()] as Weekday,
    date: formatInstant(wallUs).slice(0, 10),
    dayOfMonth: wall.getUTCDate(),
    lastDayOfMonth: tomorrow.getUTCDate() === 1,
  }
}

/** The midnight before an instant, or the instant itself. */
export function startOfDay(atUs: InstantUs, offsetUs: DurationUs): InstantUs {
  return Math.floor((atUs + offsetUs) / DAY_US) * DAY_US - offsetUs
}

/** Minutes since midnight of `16:00`; undefined when the text is not a time of day. */
export function parseTimeOfDay(text: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match ? Number(match[1]) * 60 + Number(match[2]) : undefined
}

/** Whether a minute of the day is in a window that may wrap around midnight; its end is no longer in it. */
export function isBetween(minute: number, from: number, to: number): boolean {
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to
}

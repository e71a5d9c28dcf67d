/** Dates, weekdays and hours in a time zone. */
import type { CommonAssumptions } from './assumption.ts'
import { must } from './must.ts'
import {
  type DurationUs,
  formatInstant,
  hasZone,
  type InstantUs,
  momentText,
  parseWorldInstant,
  SECOND_US,
} from './time.ts'

export const MINUTE_US: DurationUs = 60 * SECOND_US
export const DAY_US: DurationUs = 24 * 60 * MINUTE_US
const NAIROBI_US: DurationUs = 3 * 60 * MINUTE_US

/** A fixed offset is enough: no country that is served has summer time. */
export interface Zone {
  name: string
  offsetUs: DurationUs
}

export const UTC: Zone = { name: 'UTC', offsetUs: 0 }

export function eastAfrican(name: string): Zone {
  return { name, offsetUs: NAIROBI_US }
}

export const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const
export type Weekday = (typeof weekdays)[number]

export interface LocalTime {
  hour: number
  minute: number
  weekday: Weekday
  date: string
  dayOfMonth: number
  lastDayOfMonth: boolean
}

export function zoneOffsetUs(zone: CommonAssumptions['timestamp-zone']): DurationUs {
  return zone === 'nairobi' ? NAIROBI_US : 0
}

export function localTime(atUs: InstantUs, offsetUs: DurationUs): LocalTime {
  const wallUs = atUs + offsetUs
  const wall = new Date(Math.floor(wallUs / 1000))
  const tomorrow = new Date(Math.floor((wallUs + DAY_US) / 1000))
  return {
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    weekday: must(weekdays[wall.getUTCDay()]),
    date: formatInstant(wallUs).slice(0, 10),
    dayOfMonth: wall.getUTCDate(),
    lastDayOfMonth: tomorrow.getUTCDate() === 1,
  }
}

export function startOfDay(atUs: InstantUs, offsetUs: DurationUs): InstantUs {
  return Math.floor((atUs + offsetUs) / DAY_US) * DAY_US - offsetUs
}

/** Minutes since midnight for `16:00`; undefined when the text is not a time of day. */
export function parseTimeOfDay(text: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match ? Number(match[1]) * 60 + Number(match[2]) : undefined
}

/** The window may wrap around midnight, as `22:00` to `06:00` does. `to` is excluded. */
export function isBetween(minute: number, from: number, to: number): boolean {
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to
}

/**
 * For sentences: what the wall shows, and how far it is from UTC: `2025-01-24T19:28:02+03:00`, `2025-01-24T16:28:02Z`.
 */
export function zonedText(atUs: InstantUs, zone: Zone): string {
  return momentText(atUs + zone.offsetUs) + offsetText(zone)
}

export function offsetText({ offsetUs }: Zone): string {
  const minutes = offsetUs / MINUTE_US
  const digits = (count: number) => String(Math.floor(count)).padStart(2, '0')
  return minutes === 0 ? 'Z' : `+${digits(minutes / 60)}:${digits(minutes % 60)}`
}

/**
 * Reads an instant that a world's clock can reach. `offsetUs` applies to a text without a zone. Undefined when it is
 * not an instant.
 */
export function parseInZone(text: string, { offsetUs }: Zone): InstantUs | undefined {
  const readUs = parseWorldInstant(text)
  if (readUs === undefined || hasZone(text)) return readUs
  return Math.max(0, readUs - offsetUs)
}

/**
 * Names the zone in which to show times to people, because programs get UTC: `Africa/Nairobi 180`, in minutes ahead of
 * UTC.
 */
export const ZONE_HEADER = 'mfano-timezone'

export function zoneHeader({ name, offsetUs }: Zone): string {
  return `${name} ${offsetUs / MINUTE_US}`
}

export function zoneIn(headers: Pick<Headers, 'get'>): Zone | undefined {
  const [name, minutes] = headers.get(ZONE_HEADER)?.split(' ') ?? []
  return name === undefined ? undefined : { name, offsetUs: Number(minutes) * MINUTE_US }
}

export function presentZone({ name, offsetUs }: Zone) {
  return { name, offsetMinutes: offsetUs / MINUTE_US }
}

export function toldZone({ name, offsetMinutes }: ReturnType<typeof presentZone>): Zone {
  return { name, offsetUs: offsetMinutes * MINUTE_US }
}

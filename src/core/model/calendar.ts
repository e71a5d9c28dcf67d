import { must } from './must.ts'
import {
  type DurationUs,
  formatInstant,
  hasZone,
  type InstantUs,
  momentText,
  parseInstant,
  parseWorldInstant,
  SECOND_US,
} from './time.ts'

export const MINUTE_US: DurationUs = 60 * SECOND_US
export const DAY_US: DurationUs = 24 * 60 * MINUTE_US

/** A fixed offset is enough: no country that is served has summer time. */
export interface Zone {
  name: string
  offsetUs: DurationUs
}

export const UTC: Zone = { name: 'UTC', offsetUs: 0 }

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

// Times for people: `24 Jan 2025, 19:28:00 EAT`. Programs get ISO 8601.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const SHORT_NAMES: Readonly<Record<string, string>> = { Z: 'UTC', '+03:00': 'EAT' }
const OFFSETS = Object.fromEntries(Object.entries(SHORT_NAMES).map(([offset, name]) => [name, offset]))
const PLAIN = /^(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}), (\d\d:\d\d:\d\d) ([A-Z]{3}|\+\d\d:\d\d)$/
/** Skips quoted values and addresses, which somebody may copy. A time without a zone is one that somebody types. */
const INSTANT = /(?<![\w"'/=])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)(?![\w"'])/g

export function plainTime(atUs: InstantUs, zone: Zone): string {
  const [, year, month, day, clock] = must(
    /^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)/.exec(formatInstant(atUs + zone.offsetUs)),
  )
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${clock} ${shortName(offsetText(zone))}`
}

function shortName(offset: string): string {
  return SHORT_NAMES[offset] ?? offset
}

/** Rewrites the instants of a sentence. `zone` shows those in UTC; an offset is kept as it is. */
export function withPlainTimes(text: string, zone: Zone = UTC): string {
  return text.replaceAll(INSTANT, (instant) => {
    const [, hours = '0', minutes = '0'] = /\+(\d\d):(\d\d)$/.exec(instant) ?? []
    const offsetUs = (Number(hours) * 60 + Number(minutes)) * 60_000_000
    const atUs = parseInstant(instant)
    if (atUs === undefined || /-\d\d:\d\d$/.test(instant)) return instant
    return plainTime(atUs, offsetUs === 0 ? zone : { name: '', offsetUs })
  })
}

/** ISO 8601 for what a table shows, so that it can be typed; any other text as it is. */
export function typedTime(text: string): string {
  const [, day = '', month = '', year, clock, zone = ''] = PLAIN.exec(text) ?? []
  const number = MONTHS.indexOf(month) + 1
  if (number === 0) return text
  const digits = (part: string | number) => String(part).padStart(2, '0')
  return `${year}-${digits(number)}-${digits(day)}T${clock}${OFFSETS[zone] ?? zone}`
}

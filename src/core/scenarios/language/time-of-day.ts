/** `time` in conditions: date and time of day, as the service's timestamps show them. */
import { isBetween, type LocalTime, localTime, parseTimeOfDay, weekdays } from '../../model/calendar.ts'
import type { Fields } from '../../model/kind.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'

export const timeFields = {
  hour: 'double',
  minute: 'double',
  weekday: 'string',
  date: 'string',
  dayOfMonth: 'double',
  lastDayOfMonth: 'bool',
} as const satisfies Fields & Record<keyof LocalTime, string>

export const timeWords = { weekday: weekdays }

export function timeValues(nowUs: InstantUs, zoneUs: DurationUs | undefined): LocalTime {
  return localTime(nowUs, zoneUs ?? 0)
}

/** `between("22:00", "06:00")` spans midnight. The second time is excluded. */
export function between(from: string, to: string, time: Pick<LocalTime, 'hour' | 'minute'>): boolean {
  return isBetween(time.hour * 60 + time.minute, parseTimeOfDay(from) ?? 0, parseTimeOfDay(to) ?? 0)
}

export function timeOfDayProblem(value: unknown): string | undefined {
  if (typeof value === 'string' && parseTimeOfDay(value) !== undefined) return undefined
  return 'between() needs two times of day, written out from 00:00 to 23:59: between("22:00", "06:00").'
}

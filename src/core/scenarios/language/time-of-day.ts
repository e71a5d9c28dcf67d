/** What conditions can ask about the time of day and the date, as the service's own clock on the wall shows them. */
import { isBetween, type LocalTime, localTime, parseTimeOfDay, weekdays } from '../../model/calendar.ts'
import type { Fields } from '../../model/field-types.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'

/** The fields of `time`. */
export const timeFields = {
  hour: 'double',
  minute: 'double',
  weekday: 'string',
  date: 'string',
  dayOfMonth: 'double',
  lastDayOfMonth: 'bool',
} as const satisfies Fields & Record<keyof LocalTime, string>

/** What `time.weekday` can be. */
export const timeWords = { weekday: weekdays }

/** The value of `time`. */
export function timeValues(nowUs: InstantUs, zoneUs: DurationUs | undefined): LocalTime {
  return localTime(nowUs, zoneUs ?? 0)
}

/** `between("22:00", "06:00")`: from the first time of day up to the second, which may be on the next day. */
export function between(from: string, to: string, time: Pick<LocalTime, 'hour' | 'minute'>): boolean {
  return isBetween(time.hour * 60 + time.minute, parseTimeOfDay(from) ?? 0, parseTimeOfDay(to) ?? 0)
}

/** What is wrong with an argument of `between()`; undefined when it is a time of day. */
export function timeOfDayProblem(value: unknown): string | undefined {
  if (typeof value === 'string' && parseTimeOfDay(value) !== undefined) return undefined
  return 'between() needs two times of day, written out from 00:00 to 23:59: between("22:00", "06:00").'
}

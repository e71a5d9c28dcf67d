/** The days of a past, with the weight of each. */
import { DAY_US, localTime, startOfDay, type Weekday } from '../../core/model/calendar.ts'
import { Holidays } from '../../core/model/holidays.ts'
import type { InstantUs } from '../../core/model/time.ts'
import { kenya } from '../countries/kenya.ts'
import type { Span } from '../parts.ts'
import type { UsualDays } from './businesses.ts'

const { offsetUs } = kenya.zone
const holidays = new Holidays(kenya.holidays)
/** Days back; an earlier payday is not among the days. */
const PAYDAY_WITHIN = 6

export interface PastDay {
  atUs: InstantUs
  date: string
  weekday: Weekday
  dayOfMonth: number
}

export function daysOf({ fromUs, untilUs }: Pick<Span, 'fromUs' | 'untilUs'>): PastDay[] {
  const days: PastDay[] = []
  for (let atUs = startOfDay(fromUs, offsetUs); atUs + DAY_US <= untilUs; atUs += DAY_US)
    if (atUs >= fromUs) days.push({ ...localTime(atUs, offsetUs), atUs })
  return days
}

export function weightsOf(usual: UsualDays, days: readonly PastDay[]): number[] {
  const { payday, within, weekdays = {}, otherwise = 1, months, afterPayday = 1 } = usual
  if (payday !== undefined) {
    const near = days.filter(({ dayOfMonth: day }) => day <= payday && day > payday - PAYDAY_WITHIN)
    const worked = near.filter(({ date, weekday }) => !['SAT', 'SUN'].includes(weekday) && !holidays.has(date))
    const last = new Map(worked.map(({ date }) => [date.slice(0, 7), date]))
    return days.map(({ date }) => (last.get(date.slice(0, 7)) === date ? 1 : 0))
  }
  return days.map(({ date, weekday, dayOfMonth }) => {
    const month = Number(date.slice(5, 7))
    if (within && (month !== within.month || dayOfMonth < within.from || dayOfMonth > within.to)) return 0
    const fresh = dayOfMonth >= 27 || dayOfMonth <= 4 ? afterPayday : 1
    return (weekdays[weekday] ?? otherwise) * (months?.[month - 1] ?? 1) * fresh
  })
}

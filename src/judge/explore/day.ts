/** The ordinary day of an app: its acts in order, first in a row, then each with what follows from it. */
import { DAY_US, localTime, startOfDay, type Zone } from '../../core/model/calendar.ts'
import { type InstantUs, SECOND_US } from '../../core/model/time.ts'
import type { Merchant } from '../app/merchant-file.ts'

export type CalendarEnd = 'day' | 'month'

/** One step. `follow`: all happens that is due. `settle`: then time goes on until nothing happens any more. */
export type DayStep = { act: string } | 'follow' | 'settle'

/** Steps are counted from 1. */
export function dayOf({ acts }: Pick<Merchant, 'acts'>): DayStep[] {
  const names = acts.map(({ name }) => ({ act: name }))
  return [...names, 'follow', ...names.flatMap((act): DayStep[] => [act, 'follow']), 'settle']
}

const BEFORE_US = 2 * SECOND_US

/** Two seconds before it; the next one, where it is nearer than that. */
export function justBefore(end: CalendarEnd, nowUs: InstantUs, { offsetUs }: Zone): InstantUs {
  let atUs = startOfDay(nowUs + BEFORE_US, offsetUs) + DAY_US
  while (end === 'month' && localTime(atUs, offsetUs).dayOfMonth !== 1) atUs += DAY_US
  return atUs - BEFORE_US
}

/** The ordinary day of an app: its acts in order, first in a row, then each with what follows from it. */
import type { Merchant } from '../app/merchant-file.ts'

/** One step. `follow`: all happens that is due. `settle`: then time goes on until nothing happens any more. */
export type DayStep = { act: string } | 'follow' | 'settle'

/** Steps are counted from 1. */
export function dayOf({ acts }: Pick<Merchant, 'acts'>): DayStep[] {
  const names = acts.map(({ name }) => ({ act: name }))
  return [...names, 'follow', ...names.flatMap((act): DayStep[] => [act, 'follow']), 'settle']
}

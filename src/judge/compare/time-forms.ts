/** How fine the times of a service are: told of all its answers together, as some leave out zeros at the end. */

import type { HarRecord } from '../traffic/har.ts'
import { parsed } from '../values/exact-json.ts'
import { fractionDigits } from '../values/forms.ts'
import type { Found } from './answer-differences.ts'
import type { RepeatedRequest } from './repeat.ts'
import { MICROSECONDS, type SortedTraffic, timesIn } from './sorted-traffic.ts'

/** Times here that are finer than any that was recorded, of answers that can be compared. */
export function timeDifferences(recorded: HarRecord, here: RepeatedRequest, traffic: SortedTraffic): Found[] {
  if (recorded.status !== here.status || !traffic.isCoarse) return []
  const ours = new Map(timesIn(here.body, ''))
  return [...new Map(timesIn(parsed(recorded.answer), ''))].flatMap(([path, text]): Found[] => {
    const other = ours.get(path)
    const isFiner = other !== undefined && (fractionDigits(other) ?? 0) >= MICROSECONDS
    return isFiner ? [{ sort: 'form', path, recorded: text, here: other }] : []
  })
}

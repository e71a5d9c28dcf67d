/** The type of a finding's record. Add a finding in `money-findings.ts` or `habit-findings.ts`. */

import type { Zone } from '../../../core/model/calendar.ts'

/** `error`: fails the run. `warning`: advice. */
export type Level = 'error' | 'warning'

export interface FindingRecord<Facts> {
  level: Level
  meaning: string
  /** Its usual cause. */
  cause: string
  todo: string
  sentence(facts: Facts, zone: Zone): string
  /** Where less than the whole payment is at risk. */
  riskMinor?(facts: Facts): number
  example: Facts
}

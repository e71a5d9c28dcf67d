/** The form of a finding's record. A new finding is one more record in `money-findings.ts` or `habit-findings.ts`. */

import type { Zone } from '../../../core/model/calendar.ts'

/** `error` counts for the verdict; `warning` is advice. */
export type Level = 'error' | 'warning'

/** All that is said about one finding. `Facts`: what its sentence is made of. */
export interface FindingRecord<Facts> {
  /** What it is when nothing speaks for less. */
  level: Level
  /** What it means, in one sentence, for whoever reads its code in a report. */
  meaning: string
  /** What to change in the app. */
  todo: string
  /** Its instants are in the given zone, that of the scenario. */
  sentence(facts: Facts, zone: Zone): string
  /** What the sentence of the documentation is made of. */
  example: Facts
}

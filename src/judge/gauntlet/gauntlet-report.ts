/** What a gauntlet came to, as every form of report tells it. */
import type { Gap } from '../../inspect/coverage.ts'
import type { AppFinding } from '../subject/outcome.ts'

/** A finding under a scenario. */
export interface GauntletFinding extends AppFinding {
  scenario: string
  /** Found on the ordinary day, so that what is like it elsewhere says nothing of its scenario. */
  ordinary?: true
  /** What the scenario's comment says to do; empty where the scenario is not to blame. */
  advice: string
}

/** `unjudged`: something kept it from a verdict. */
export type ScenarioVerdict = 'clean' | 'findings' | 'unjudged' | 'skipped'

/** What became of one scenario. */
export interface ScenarioResult {
  scenario: string
  verdict: ScenarioVerdict
  /** Why it was skipped or could not be judged. */
  why?: string
  findings: GauntletFinding[]
  /** Advice about habits. */
  warnings: GauntletFinding[]
  /** Its rules and faults that nothing met in this run: what they are about was not tried. */
  unmet: string[]
  /** Real milliseconds. */
  tookMs: number
}

/** All of it. */
export interface GauntletReport {
  merchant: string
  findings: GauntletFinding[]
  warnings: GauntletFinding[]
  /** Findings that the baseline knows; they do not count. */
  known: GauntletFinding[]
  scenarios: ScenarioResult[]
  /** Of a hundred, by dimension; what the app exercised over all scenarios. */
  coverage: Record<string, number>
  /** What was not exercised, by dimension, with what leads there. */
  gaps: Record<string, Gap[]>
  /** Dimensions that are covered by less than was wanted. */
  tooLittle: string[]
  /** It was stopped before all scenarios had run. */
  interrupted: boolean
}

/** The result of a gauntlet, as all report formats use it. */
import type { Gap } from '../../inspect/coverage.ts'
import type { AppFinding } from '../subject/outcome.ts'

export interface GauntletFinding extends AppFinding {
  scenario: string
  /** Found in the ordinary run. An equal finding elsewhere is therefore not caused by its scenario. */
  ordinary?: true
  /** From the scenario's comment. Empty if the scenario is not the cause. */
  advice: string
  /** A command that shows it again. */
  replay?: string
}

export type ScenarioVerdict = 'clean' | 'findings' | 'unjudged' | 'skipped'

export interface ScenarioResult {
  scenario: string
  verdict: ScenarioVerdict
  why?: string
  findings: GauntletFinding[]
  warnings: GauntletFinding[]
  /** Rules and faults that never fired, so what they test was not tested. */
  unmet: string[]
  tookMs: number
}

export interface GauntletReport {
  merchant: string
  findings: GauntletFinding[]
  warnings: GauntletFinding[]
  known: GauntletFinding[]
  scenarios: ScenarioResult[]
  coverage: Record<string, number>
  gaps: Record<string, Gap[]>
  tooLittle: string[]
  interrupted: boolean
}

/** The result of a gauntlet, as all report formats use it. */
import type { RiskName } from '../../core/model/risks.ts'
import type { Gap } from '../../inspect/coverage.ts'
import type { Choice } from '../explore/choice.ts'
import type { AppFinding } from '../subject/outcome.ts'

export interface GauntletFinding extends AppFinding {
  /** A scenario; or a single choice, by its name such as `answer send-money 1 lost`. */
  scenario: string
  /** The single choice: as a schedule has it, and in words. */
  choices?: readonly Choice[]
  story?: readonly string[]
  /** Found in the ordinary run. An equal finding elsewhere is therefore not caused by its scenario. */
  ordinary?: true
  /** From the scenario's comment. Empty if the scenario is not the cause. */
  advice: string
  /** A command that shows it again. */
  replay?: string
}

/** `left`: there was no time for it. */
export type ScenarioVerdict = 'clean' | 'findings' | 'unjudged' | 'skipped' | 'left'

export interface ScenarioResult {
  /** Or a single choice, as in findings. */
  scenario: string
  /** Undefined for scenarios that name none. */
  risk?: RiskName
  verdict: ScenarioVerdict
  why?: string
  findings: GauntletFinding[]
  warnings: GauntletFinding[]
  /** Rules and faults that never fired, so what they test was not tested. */
  unmet: string[]
  /** None of its own rules and faults fired. */
  isUnmet?: true
  /** The app made no payment under it, so it tested nothing. */
  isIdle?: true
  tookMs: number
}

/**
 * `passed-so-far`: what was tried passed, and some was not tried. `not-applicable`: the app does nothing that it could
 * touch. `not-reached`: it could, and nothing of it was tried.
 */
export type RiskVerdict = 'passed' | 'passed-so-far' | 'failed' | 'not-applicable' | 'not-reached'

/** The score of a risk, over scenarios and single choices together. */
export interface RiskScore {
  risk: RiskName
  title: string
  verdict: RiskVerdict
  tried: number
  failed: number
  /** Those that there was no time for, or that could not be judged. */
  left: number
}

export interface GauntletReport {
  merchant: string
  findings: GauntletFinding[]
  warnings: GauntletFinding[]
  known: GauntletFinding[]
  /** Seen, and not each time under the same choice. */
  unstable: GauntletFinding[]
  /** Seen once, when the time was over. */
  unconfirmed: GauntletFinding[]
  scenarios: ScenarioResult[]
  /** Every single choice; none for a suite, or where scenarios were named. */
  singles: ScenarioResult[]
  scorecard: RiskScore[]
  coverage: Record<string, number>
  gaps: Record<string, Gap[]>
  tooLittle: string[]
  interrupted: boolean
}

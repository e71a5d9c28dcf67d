import { counted } from '../../core/model/text.ts'
import type { ReportDocument, ReportRun, ReportSection } from '../../inspect/report-document.ts'
import type { ToldUnder } from '../explore/tell.ts'
import { failuresOf, findingParts, judgedDocument, processorTime, texts, verdictMarks } from '../subject/report.ts'
import { type RiskName, riskNames, riskTitles } from '../subject/risks.ts'

type ScenarioVerdict = 'clean' | 'findings' | 'unjudged' | 'skipped' | 'left'

export interface ScenarioResult {
  /** Or a single choice, as in findings. */
  scenario: string
  story?: string
  risk?: RiskName
  verdict: ScenarioVerdict
  why?: string
  findings: ToldUnder[]
  warnings: ToldUnder[]
  /** Rules and faults that never fired, so what they test was not tested. */
  unmet: string[]
  isUnmet?: true
  /** The app made no payment under it, so it tested nothing. */
  isIdle?: true
  tookMs: number
}

/**
 * `passed-so-far`: what was tried passed, and some was not tried. `not-applicable`: the app does nothing that it could
 * touch. `not-reached`: it could, and nothing of it was tried.
 */
type RiskVerdict = 'passed' | 'passed-so-far' | 'failed' | 'not-applicable' | 'not-reached'

export interface GauntletReport {
  merchant: string
  findings: ToldUnder[]
  warnings: ToldUnder[]
  unstable: ToldUnder[]
  unconfirmed: ToldUnder[]
  scenarios: ScenarioResult[]
  singles: ScenarioResult[]
  scorecard: ReturnType<typeof riskScorecard>
  interrupted: boolean
}

/** `left`: those that there was no time for, that could not be judged, or whose rules nothing met. */
export function riskScorecard(results: readonly ScenarioResult[]) {
  return riskNames.map((risk) => {
    const applicable = results.filter((one) => one.risk === risk && (one.verdict !== 'skipped' || one.isIdle))
    const failed = applicable.filter(({ verdict }) => verdict === 'findings').length
    // Rules of a scenario that nothing met were not tried.
    const passed = applicable.filter(({ verdict, unmet }) => verdict === 'clean' && unmet.length === 0).length
    const tried = passed + failed
    const left = applicable.length - tried
    return { risk, title: riskTitles[risk], verdict: verdictOf({ tried, failed, left }), tried, failed, left }
  })
}

function verdictOf({ tried, failed, left }: Record<'tried' | 'failed' | 'left', number>): RiskVerdict {
  if (failed > 0) return 'failed'
  if (tried > 0) return left > 0 ? 'passed-so-far' : 'passed'
  return left > 0 ? 'not-reached' : 'not-applicable'
}

const REASONS = 5

export function scenarioRun({ scenario, story, verdict, findings, warnings, why, tookMs }: ScenarioResult): ReportRun {
  const { mood, word } = verdictMarks[verdict]
  // The service paid twice: that there is nothing to find does not mean that the app coped.
  const isTwice = warnings.some(({ code }) => code === 'executed_twice')
  const found = [...new Set(findings.map(({ code }) => code))].join(', ') || why
  return {
    ...{ mood, word: isTwice ? 'paid twice' : word, name: story ?? scenario, tookMs, failures: failuresOf(findings) },
    ...(found !== undefined && { why: found }),
  }
}

export function gauntletDocument(
  report: GauntletReport,
  { allowUnstable = false }: { allowUnstable?: boolean | undefined } = {},
): ReportDocument<GauntletReport> {
  const { merchant, warnings, scenarios, singles, interrupted } = report
  const parts = findingParts({ ...report, allowUnstable })
  const isPart = [...scenarios, ...singles].some(({ verdict }) => verdict === 'left')
  // The rule of a finding was reached, whatever else of its scenario was not.
  const unmet = scenarios.filter((one) => one.unmet.length > 0 && one.findings.length === 0)
  const advice = [...new Map(warnings.toReversed().map((one) => [one.code, one])).values()].reverse()
  return judgedDocument({
    ...{ by: 'mfano gauntlet', title: merchant, data: report, interrupted },
    ...parts,
    good: `${parts.good}${isPart ? ' so far' : ''}.`,
    ...scorecardPart(report),
    lead: [countsOf(scenarios), ...singlesLead(singles), processorTime()],
    sections: [
      ...parts.sections,
      {
        title: 'Advice',
        columns: ['code', 'scenario', 'what'],
        rows: advice.map(({ code, scenario, text }) => [code, scenario, text]),
      },
      texts(
        'Not reached: rules of these scenarios that nothing met',
        unmet.map((one) => `${one.scenario}: ${one.unmet.join(', ')}`),
      ),
    ],
    runs: [...scenarios, ...singles].map(scenarioRun),
  })
}

function scorecardPart({ scorecard, singles }: GauntletReport): { scorecard?: ReportSection } {
  // Some scenarios that were named say little about a risk as a whole.
  if (singles.length === 0) return {}
  const rows = scorecard.map(({ title, verdict, tried, failed, left }) => [
    title,
    verdictMarks[verdict],
    tried,
    failed,
    left,
  ])
  return { scorecard: { title: 'Scorecard', columns: ['risk', 'verdict', 'tried', 'failed', 'left'], rows } }
}

function singlesLead(singles: readonly ScenarioResult[]): string[] {
  if (singles.length === 0) return []
  const left = singles.filter(({ verdict }) => verdict === 'left').length
  const rest = left === 0 ? '' : `, and no time for ${left}: give it more, with --within`
  return [`${counted(singles.length, 'single choice')}: ${singles.length - left} tried${rest}.`]
}

function countsOf(scenarios: readonly ScenarioResult[]): string {
  const skipped = scenarios.filter(({ verdict }) => verdict === 'skipped')
  const reasons = [...Map.groupBy(skipped, ({ why = '' }) => why)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([why, those]) => `${those.length}: ${why}`)
  const told = [...reasons.slice(0, REASONS), ...(reasons.length > REASONS ? ['…'] : [])].join('; ')
  const left = scenarios.filter(({ verdict }) => verdict === 'left').map(({ scenario }) => scenario)
  const late = left.length === 0 ? '' : ` No time for ${left.join(', ')}.`
  const applying = scenarios.length - skipped.length
  return `${counted(scenarios.length, 'scenario')}: ${applying} apply, ${skipped.length} skipped${told === '' ? '' : ` (${told})`}.${late}`
}

/** How an app fares by risk: of scenarios and single choices together. */
import { type RiskName, riskNames, risks } from '../../core/model/risks.ts'
import type { RiskScore, RiskVerdict, ScenarioResult } from './gauntlet-report.ts'

export function scorecardOf(results: readonly ScenarioResult[]): RiskScore[] {
  return riskNames.map((risk) =>
    scoreOf(
      risk,
      results.filter((one) => one.risk === risk),
    ),
  )
}

function scoreOf(risk: RiskName, results: readonly ScenarioResult[]): RiskScore {
  const failed = results.filter(({ verdict }) => verdict === 'findings').length
  // Rules of a scenario that nothing met were not tried.
  const passed = results.filter(({ verdict, unmet }) => verdict === 'clean' && unmet.length === 0).length
  const left = results.filter(({ verdict }) => verdict === 'left' || verdict === 'unjudged').length
  const tried = passed + failed
  const isApplicable = results.some(({ verdict, isIdle }) => verdict !== 'skipped' || isIdle)
  return {
    risk,
    title: risks[risk].title,
    verdict: verdictOf({ tried, failed, left, isApplicable }),
    tried,
    failed,
    left,
  }
}

function verdictOf({
  tried,
  failed,
  left,
  isApplicable,
}: Pick<RiskScore, 'tried' | 'failed' | 'left'> & { isApplicable: boolean }): RiskVerdict {
  if (failed > 0) return 'failed'
  if (tried > 0) return left > 0 ? 'passed-so-far' : 'passed'
  return isApplicable ? 'not-reached' : 'not-applicable'
}

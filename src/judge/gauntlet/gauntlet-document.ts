import { counted } from '../../core/model/text.ts'
import type { ReportDocument, ReportRun, ReportSection } from '../../inspect/report-document.ts'
import { failuresOf, findingParts, judgedDocument, texts } from '../subject/report.ts'
import type { GauntletReport, ScenarioResult } from './gauntlet-report.ts'

const marks = {
  clean: ['good', 'ok'],
  findings: ['bad', 'FOUND'],
  unjudged: ['open', 'unjudged'],
  skipped: ['none', 'skipped'],
  left: ['none', 'no time'],
} as const
const REASONS = 5

export function scenarioRun({ scenario, story, verdict, findings, warnings, why, tookMs }: ScenarioResult): ReportRun {
  const [mood, word] = marks[verdict]
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
  const { merchant, known, warnings, scenarios, singles, interrupted } = report
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
    lead: [
      countsOf(scenarios),
      ...singlesLead(singles),
      ...(known.length > 0 ? [`${counted(known.length, 'finding')} of the baseline left out.`] : []),
    ],
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

const riskMarks = {
  passed: ['good', 'passed'],
  'passed-so-far': ['open', 'passed so far'],
  failed: ['bad', 'FAILED'],
  'not-applicable': ['none', 'not applicable'],
  'not-reached': ['open', 'not reached'],
} as const

function scorecardPart({ scorecard, singles }: GauntletReport): { scorecard?: ReportSection } {
  // Some scenarios that were named say little about a risk as a whole.
  if (singles.length === 0) return {}
  const rows = scorecard.map(({ title, verdict, tried, failed, left }) => {
    const [mood, word] = riskMarks[verdict]
    return [title, { mood, word }, tried, failed, left]
  })
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

/** What is printed of a gauntlet: findings by their codes, what was not tried, and a test case for each scenario. */
import { counted } from '../../core/model/counted.ts'
import type {
  ReportCase,
  ReportDocument,
  ReportMood,
  ReportPoint,
  ReportStep,
} from '../../core/model/report-document.ts'
import { pointLines, stepSection } from '../../core/model/report-document.ts'
import { INTERRUPTED } from '../subject/subject-of.ts'
import type { GauntletFinding, GauntletReport, ScenarioResult } from './gauntlet-report.ts'
import { type FindingGroup, groupsOf, isCut, moreOf } from './groups.ts'

const marks = {
  clean: ['good', 'ok'],
  findings: ['bad', 'FOUND'],
  unjudged: ['open', 'unjudged'],
  skipped: ['none', 'skipped'],
} as const
/** So many reasons for skipping are printed. */
const REASONS = 5
/** So many gaps of a dimension are told. */
const GAPS_TOLD = 4

/** A scenario that has ended. */
export function scenarioStep({ scenario, verdict, findings, warnings, why, tookMs }: ScenarioResult): ReportStep {
  // The service paid twice: that there is nothing to find does not mean that the app coped.
  const twice = warnings.some(({ code }) => code === 'executed_twice')
  const [mood, word] = twice ? (['open', 'paid twice'] as const) : marks[verdict]
  const more = [...new Set(findings.map(({ code }) => code))].join(', ') || why?.split('\n')[0]
  return { mood, word, name: scenario, tookMs, ...(more !== undefined && { more }) }
}

export function gauntletDocument(report: GauntletReport): ReportDocument<GauntletReport> {
  const { merchant, findings, known, warnings, scenarios, interrupted, tooLittle } = report
  const groups = groupsOf(findings)
  const unjudged = scenarios.filter(({ verdict }) => verdict === 'unjudged')
  // What a finding was found by was reached, whatever else of its scenario was not.
  const unmet = scenarios.filter((one) => one.unmet.length > 0 && one.findings.length === 0)
  const advice = [...new Map(warnings.toReversed().map((one) => [one.code, one])).values()].reverse()
  return {
    by: 'mfano gauntlet',
    title: merchant,
    verdict: verdictOf(report, groups),
    lead: [
      countsOf(scenarios),
      ...(interrupted ? [INTERRUPTED] : []),
      ...(known.length > 0 ? [`${counted(known.length, 'finding')} of the baseline left out.`] : []),
    ],
    shares: Object.entries(marks).map(([verdict, [mood, what]]) => {
      return { mood, what, number: scenarios.filter((one) => one.verdict === verdict).length }
    }),
    sections: [
      {
        name: 'findings',
        title: 'Findings',
        points: groups.map(groupPoint),
        ...(groups.some(isCut) && { note: 'These are the first of each code; --json has all.' }),
        isOpen: true,
      },
      { name: 'unjudged', title: 'Not judged', points: unjudged.map(reasonPoint) },
      {
        name: 'advice',
        title: 'Advice',
        columns: ['code', 'scenario', 'what'],
        rows: advice.map(({ code, scenario, text }) => [code, scenario, text]),
      },
      {
        name: 'unmet',
        title: 'Not reached: rules of these scenarios that nothing met',
        points: unmet.map((one) => ({ text: `${one.scenario}: ${one.unmet.join(', ')}` })),
      },
      { name: 'exercised', title: 'Exercised', points: exercised(report) },
      { name: 'too-little', title: 'Exercised too little', points: tooLittle.map((text) => ({ text })), isOpen: true },
      stepSection('scenarios', 'Scenarios', scenarios.map(scenarioStep)),
    ],
    suites: [{ name: `mfano gauntlet: ${merchant}`, classname: merchant, cases: scenarios.map(caseOf) }],
    data: report,
  }
}

/** Findings say more than a scenario that could not be judged. */
function verdictOf(report: GauntletReport, groups: readonly FindingGroup[]): { mood: ReportMood; text: string } {
  const { findings, scenarios, tooLittle, interrupted } = report
  const of = groups.length < findings.length ? ` of ${counted(groups.length, 'code')}` : ''
  if (findings.length > 0) return { mood: 'bad', text: `${counted(findings.length, 'finding')}${of}.` }
  if (tooLittle.length > 0) return { mood: 'bad', text: 'No findings, but less was exercised than is wanted.' }
  if (interrupted || scenarios.some(({ verdict }) => verdict === 'unjudged'))
    return { mood: 'open', text: 'Not judged to the end.' }
  return { mood: 'good', text: 'No findings.' }
}

/** `61 scenarios: 23 apply, 38 skipped (30: no stk is ever sent).` */
function countsOf(scenarios: readonly ScenarioResult[]): string {
  const skipped = scenarios.filter(({ verdict }) => verdict === 'skipped')
  const reasons = [...Map.groupBy(skipped, ({ why = '' }) => why)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([why, those]) => `${those.length}: ${why}`)
  const told = [...reasons.slice(0, REASONS), ...(reasons.length > REASONS ? ['…'] : [])].join('; ')
  const why = told === '' ? '' : ` (${told})`
  const applying = scenarios.length - skipped.length
  return `${counted(scenarios.length, 'scenario')}: ${applying} apply, ${skipped.length} skipped${why}.`
}

function reasonPoint({ scenario, why = '' }: ScenarioResult): ReportPoint {
  return { text: `${scenario}: ${why}` }
}

/** The first finding under the first scenarios, and where else there are some. */
function groupPoint(group: FindingGroup): ReportPoint {
  const { code, count, examples, elsewhere } = group
  const scenarios = examples.length + elsewhere.length
  const where = scenarios === 1 ? examples[0]?.finding.scenario : `${scenarios} scenarios`
  const also = elsewhere.map((one) => `${one.scenario} (${one.count})`).join(', ')
  return {
    text: `${code}: ${counted(count, 'finding')} under ${where}`,
    more: [
      ...examples.map((one) => {
        const rest = moreOf(one)
        const story = storyOf(one.finding)
        return { text: `under ${one.finding.scenario}`, more: rest === '' ? [story] : [story, { text: rest }] }
      }),
      ...(also === '' ? [] : [{ text: `also under ${also}` }]),
    ],
  }
}

/** The money, the requests, what to do. */
function storyOf({ text, requests, errors, advice, capsule }: GauntletFinding): ReportPoint {
  return {
    text,
    exact: requests,
    more: [
      ...(errors === undefined ? [] : [{ text: 'The app wrote to its standard error:', exact: errors.split('\n') }]),
      ...(advice === '' ? [] : [{ text: `What to do: ${advice}` }]),
      ...(capsule === undefined ? [] : [{ text: `Repeat it: mfano replay ${capsule}` }]),
    ],
  }
}

/** The nearest gaps of each dimension, and those first that a command leads to. */
function exercised({ coverage, gaps }: GauntletReport): ReportPoint[] {
  return Object.entries(coverage).map(([dimension, percent]) => {
    const all = (gaps[dimension] ?? []).toSorted(
      (a, b) => Number(b.command !== undefined) - Number(a.command !== undefined),
    )
    if (all.length === 0) return { text: `${dimension} ${percent}%` }
    const told = all
      .slice(0, GAPS_TOLD)
      .map(({ name, command }) => (command === undefined ? name : `${name}: ${command}`))
    const rest = all.length - told.length
    return {
      text: `${dimension} ${percent}%, and not yet:`,
      exact: [...told, ...(rest > 0 ? [`and ${rest} more`] : [])],
    }
  })
}

function caseOf({ scenario, verdict, why = '', findings, tookMs }: ScenarioResult): ReportCase {
  const examples = groupsOf(findings).flatMap((group) => group.examples)
  return {
    name: scenario,
    tookMs,
    failures: examples.map((one) => {
      const lines = [...pointLines(storyOf(one.finding)), moreOf(one)].filter((line) => line !== '')
      return { type: one.finding.code, message: one.finding.text, text: lines.join('\n') }
    }),
    ...(verdict === 'unjudged' && { error: { message: 'could not be judged', text: why } }),
    ...(verdict === 'skipped' && { skipped: why }),
  }
}

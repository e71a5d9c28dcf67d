/** Prints a gauntlet: equal findings once with a count, and what was not tried. */

import { must } from '../../core/model/must.ts'
import {
  pointLines,
  type ReportDocument,
  type ReportPoint,
  type ReportRun,
  type ReportSection,
  type ReportStory,
} from '../../core/model/report-document.ts'
import { moneyOf } from '../../core/model/risks.ts'
import { counted } from '../../core/model/text.ts'
import { findingRecords } from '../../inspect/finding.ts'
import { judgedDocument, texts } from '../subject/outcome.ts'
import type { GauntletFinding, GauntletReport, ScenarioResult } from './gauntlet-report.ts'

const marks = {
  clean: ['good', 'ok'],
  findings: ['bad', 'FOUND'],
  unjudged: ['open', 'unjudged'],
  skipped: ['none', 'skipped'],
  left: ['none', 'no time'],
} as const
const REASONS = 5
const EXAMPLES = 3
const GAPS = 4
/** In order of severity, after failures of the app itself. */
const codes: readonly string[] = Object.keys(findingRecords)

export function scenarioRun({ scenario, verdict, findings, warnings, why, tookMs }: ScenarioResult): ReportRun {
  const [mood, word] = marks[verdict]
  // The service paid twice: that there is nothing to find does not mean that the app coped.
  const isTwice = warnings.some(({ code }) => code === 'executed_twice')
  const found = [...new Set(findings.map(({ code }) => code))].join(', ') || why
  const failures = byScenario(findings).map(([first, rest]) => {
    const text = [...pointLines(storyOf(first)), ...restOf(first, rest).map((one) => one.text)].join('\n')
    return { type: first.code, message: first.text, text }
  })
  return {
    ...{ mood, word: isTwice ? 'paid twice' : word, name: scenario, tookMs, failures },
    ...(found !== undefined && { why: found }),
  }
}

export function gauntletDocument(
  report: GauntletReport,
  { allowUnstable = false }: { allowUnstable?: boolean | undefined } = {},
): ReportDocument<GauntletReport> {
  const { merchant, findings, unstable, unconfirmed, known, warnings, scenarios, singles, interrupted, tooLittle } =
    report
  const groups = [...Map.groupBy(findings, ({ code }) => code)].sort(([a], [b]) => codes.indexOf(a) - codes.indexOf(b))
  const isCut = findings.length > groups.length
  const of = isCut ? ` of ${counted(groups.length, 'code')}` : ''
  const less = tooLittle.length > 0 ? 'No findings, but the coverage is below the limit.' : undefined
  const isPart = [...scenarios, ...singles].some(({ verdict }) => verdict === 'left')
  // The rule of a finding was reached, whatever else of its scenario was not.
  const unmet = scenarios.filter((one) => one.unmet.length > 0 && one.findings.length === 0)
  const advice = [...new Map(warnings.toReversed().map((one) => [one.code, one])).values()].reverse()
  return judgedDocument({
    ...{ by: 'mfano gauntlet', title: merchant, data: report, interrupted },
    bad: badOf({ ...report, unstable: allowUnstable ? [] : unstable }, of) ?? less,
    good: `No findings${unstable.length > 0 ? ', except unstable ones (allowed)' : ''}${isPart ? ' so far' : ''}.`,
    findings: [...findings, ...unconfirmed],
    stories: worstOf(groups.map(([, alike]) => alike)),
    ...scorecardPart(report),
    lead: [
      countsOf(scenarios),
      ...singlesLead(singles),
      ...(known.length > 0 ? [`${counted(known.length, 'finding')} of the baseline left out.`] : []),
    ],
    sections: [
      { title: 'Not confirmed: seen, but not each time', points: unstable.map(pointOf), isOpen: true },
      {
        title: 'Findings',
        points: groups.map(([, alike]) => groupPoint(alike)),
        ...(isCut && { note: 'The first finding of each code. --json prints all.' }),
        isOpen: true,
      },
      { title: 'Not confirmed: no time was left to repeat it', points: unconfirmed.map(pointOf), isOpen: true },
      {
        title: 'Advice',
        columns: ['code', 'scenario', 'what'],
        rows: advice.map(({ code, scenario, text }) => [code, scenario, text]),
      },
      texts(
        'Not reached: rules of these scenarios that nothing met',
        unmet.map((one) => `${one.scenario}: ${one.unmet.join(', ')}`),
      ),
      { title: 'Exercised', points: Object.keys(report.coverage).map((dimension) => exercised(report, dimension)) },
      { ...texts('Coverage below the limit', tooLittle), isOpen: true },
    ],
    runs: [...scenarios, ...singles].map(scenarioRun),
  })
}

/** The gravest code first, then most money; another scenario of the same code only where there is room. */
function worstOf(groups: readonly (readonly GauntletFinding[])[]): ReportStory[] {
  const sorted = groups.map((alike) =>
    [...Map.groupBy(alike, ({ scenario }) => scenario).values()]
      .map((those) => must(those[0]))
      .sort((a, b) => (b.amount ?? 0) - (a.amount ?? 0)),
  )
  const longest = Math.max(0, ...sorted.map(({ length }) => length))
  const inTurn = Array.from({ length: longest }, (_, i) => sorted.flatMap((alike) => alike.slice(i, i + 1)))
  return inTurn.flat().map((one) => ({
    ...storyOf(one),
    ...(one.sequence && { exact: [] }),
    title: `${one.code} under ${one.scenario}`,
    money: moneyOf(one),
    sequence: one.sequence,
  }))
}

function badOf({ findings, unstable, unconfirmed }: GauntletReport, of: string): string | undefined {
  const parts = [
    findings.length > 0 ? `${counted(findings.length, 'finding')}${of}` : undefined,
    unstable.length > 0 ? `${unstable.length} unstable` : undefined,
    unconfirmed.length > 0 ? `${unconfirmed.length} not yet seen again` : undefined,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : `${parts.join(', ')}.`
}

const riskMarks = {
  passed: ['good', 'passed'],
  'passed-so-far': ['open', 'passed so far'],
  failed: ['bad', 'FAILED'],
  'not-applicable': ['none', 'not applicable'],
  'not-reached': ['open', 'not reached'],
} as const

function scorecardPart({ scorecard, singles }: GauntletReport): { scorecard?: ReportSection } {
  // Some scenarios that were named, or a suite, say little about a risk as a whole.
  if (singles.length === 0) return {}
  const rows = scorecard.map(({ title, verdict, tried, failed, left }) => {
    const [mood, word] = riskMarks[verdict]
    return [title, { mood, word }, tried, failed, left]
  })
  return { scorecard: { title: 'Scorecard', columns: ['risk', 'verdict', 'tried', 'failed', 'left'], rows } }
}

/** Such as `214 single choices: 180 tried, and no time for 34; more with --within.` */
function singlesLead(singles: readonly ScenarioResult[]): string[] {
  if (singles.length === 0) return []
  const left = singles.filter(({ verdict }) => verdict === 'left').length
  const rest = left === 0 ? '' : `, and no time for ${left}: give it more, with --within`
  return [`${counted(singles.length, 'single choice')}: ${singles.length - left} tried${rest}.`]
}

function pointOf(finding: GauntletFinding): ReportPoint {
  const { code, scenario } = finding
  return { text: `${code} under ${scenario}`, more: [storyOf(finding)] }
}

/** Such as `61 scenarios: 23 apply, 38 skipped (30: no stk is ever sent).` */
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

function byScenario(findings: readonly GauntletFinding[]): [first: GauntletFinding, rest: number][] {
  const alike = Map.groupBy(findings, ({ code, scenario }) => `${code} ${scenario}`)
  return Array.from(alike.values(), (those) => [must(those[0]), those.length - 1])
}

function groupPoint(alike: readonly GauntletFinding[]): ReportPoint {
  const scenarios = byScenario(alike)
  const [first] = must(scenarios[0])
  // A finding of the ordinary day is not told once more for another.
  const told = first.ordinary ? 1 : EXAMPLES
  const also = scenarios.slice(told).map(([{ scenario }, rest]) => `${scenario} (${rest + 1})`)
  const where = scenarios.length === 1 ? first.scenario : `${scenarios.length} scenarios`
  return {
    text: `${first.code}: ${counted(alike.length, 'finding')} under ${where}`,
    more: [
      ...scenarios.slice(0, told).map(([one, rest]) => ({
        text: `under ${one.scenario}`,
        more: [storyOf(one), ...restOf(one, rest)],
      })),
      ...(also.length === 0 ? [] : [{ text: `also under ${also.join(', ')}` }]),
    ],
  }
}

function restOf({ scenario }: GauntletFinding, rest: number): ReportPoint[] {
  return rest === 0 ? [] : [{ text: `and ${rest} more like it under ${scenario}` }]
}

function storyOf({ text, story = [], requests, errors, advice, capsule, replay }: GauntletFinding): ReportPoint {
  const command = replay ?? (capsule === undefined ? undefined : `mfano replay ${capsule}`)
  const more = [
    ...story.map((one) => ({ text: `What happened: ${one}` })),
    ...(errors === undefined ? [] : [{ text: 'The app wrote to its standard error:', exact: errors.split('\n') }]),
    ...(advice === '' ? [] : [{ text: `What to do: ${advice}` }]),
  ]
  return { text, exact: requests, more, ...(command !== undefined && { command }) }
}

function exercised({ coverage, gaps }: GauntletReport, dimension: string): ReportPoint {
  const all = (gaps[dimension] ?? []).toSorted(
    (a, b) => Number(b.command !== undefined) - Number(a.command !== undefined),
  )
  const told = all.slice(0, GAPS).map(({ name, command }) => (command === undefined ? name : `${name}: ${command}`))
  const rest = all.length - told.length
  return {
    text: `${dimension} ${coverage[dimension]}%${all.length === 0 ? '' : ', and not yet:'}`,
    exact: rest > 0 ? [...told, `and ${rest} more`] : told,
  }
}

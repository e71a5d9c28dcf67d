/** What a person reads of a gauntlet: a line for each scenario as it ends, then the scorecard. */
import { oneLine } from '../../../core/model/one-line.ts'
import { elsewhereOf, type FindingGroup, groupsOf, headOf, isCut, moreOf } from '../../../judge/gauntlet/groups.ts'
import { countsOf, type GauntletReport, gapLines, type ScenarioResult } from '../../../judge/gauntlet/gauntlet-report.ts'
import type { Output } from '../output.ts'
import { count, section } from '../words.ts'

const marks = {
  clean: ['green', 'ok'],
  findings: ['red', 'FOUND'],
  unjudged: ['yellow', 'unjudged'],
  skipped: ['dim', 'skipped'],
} as const
const TWICE = ['yellow', 'paid twice'] as const
/** So many reasons for skipping are printed. */
const REASONS = 5

/** `ok        late-reversal  2.1 s`. */
export function resultLine(
  { scenario, verdict, findings, warnings, why, tookMs }: ScenarioResult,
  { paint }: Output,
): string {
  // The service paid twice: that there is nothing to find does not mean that the app coped.
  const [style, word] = warnings.some(({ code }) => code === 'executed_twice') ? TWICE : marks[verdict]
  const codes = [...new Set(findings.map(({ code }) => code))].join(', ')
  const more = codes || (why === undefined ? '' : oneLine(why.split('\n')[0] as string))
  return `${paint(style, word.padEnd(8))}  ${scenario}  ${paint('dim', `${(tookMs / 1000).toFixed(1)} s`)}${more === '' ? '' : `  ${more}`}\n`
}

export function scorecard(report: GauntletReport, { paint }: Output): string {
  const { findings, known, scenarios, interrupted, coverage, tooLittle } = report
  const counts = countsOf(report)
  const groups = groupsOf(findings)
  const unjudged = scenarios.filter(({ verdict }) => verdict === 'unjudged')
  const verdict =
    findings.length > 0
      ? paint(
          'red',
          `${count(findings.length, 'finding')}${groups.length < findings.length ? ` of ${count(groups.length, 'code')}` : ''}.`,
        )
      : unjudged.length > 0 || interrupted
        ? paint('yellow', 'Not judged to the end.')
        : paint('green', 'No findings.')
  const reasons = Object.entries(
    Object.groupBy(
      scenarios.filter(({ verdict }) => verdict === 'skipped'),
      ({ why = '' }) => why,
    ),
  )
    .map(([why, those = []]) => ({ why, count: those.length }))
    .sort((a, b) => b.count - a.count)
  const why = reasons
    .slice(0, REASONS)
    .map((reason) => `${reason.count}: ${reason.why}`)
    .join('; ')
  // What a finding was found by was reached, whatever else of its scenario was not.
  const unmet = scenarios.filter((one) => one.unmet.length > 0 && one.findings.length === 0)
  const exercised = Object.entries(coverage).map(([dimension, percent]) => {
    const gaps = gapLines(report, dimension).map((line) => `  ${paint('dim', oneLine(line))}\n`)
    return `${dimension} ${percent}%${gaps.length === 0 ? '' : ', and not yet:'}\n${gaps.join('')}`
  })
  return [
    `\n${report.merchant}: ${verdict} ${count(counts.all, 'scenario')}: ${counts.all - counts.skipped} apply, ${counts.skipped} skipped${why === '' ? '' : ` (${why}${reasons.length > REASONS ? '; …' : ''})`}.\n`,
    interrupted ? 'It was interrupted: this is what was found so far.\n' : '',
    section('Findings', groups.map((group) => told(group, paint)).join('\n'), paint),
    groups.some(isCut) ? '\nThese are the first of each code; --json has all.\n' : '',
    section('Not judged', unjudged.map(({ scenario, why = '' }) => `${scenario}: ${why}\n`).join(''), paint),
    known.length > 0 ? `${count(known.length, 'finding')} of the baseline left out.\n` : '',
    section('Advice', advice(report), paint),
    section(
      'Not reached: rules of these that nothing met',
      unmet.map((one) => `${one.scenario}: ${one.unmet.join(', ')}\n`).join(''),
      paint,
    ),
    section('Exercised', exercised.join(''), paint),
    section('Exercised too little', tooLittle.map((one) => `${paint('red', one)}\n`).join(''), paint),
  ].join('')
}

/** Each sort of advice once, with the first scenario that gave rise to it; --json has all. */
function advice({ warnings }: GauntletReport): string {
  const first = [...new Map(warnings.toReversed().map((one) => [one.code, one])).values()].reverse()
  return first.map(({ code, scenario, text }) => `${code}  ${scenario}  ${oneLine(text)}\n`).join('')
}

/** One code: the first finding under the first scenarios, and where else there are some. */
function told(group: FindingGroup, paint: Output['paint']): string {
  const examples = group.examples.map((one) => {
    const { scenario, text, requests, errors, advice, capsule } = one.finding
    const lines = [
      `under ${scenario}`,
      ...text.split('\n').map((line) => `  ${oneLine(line)}`),
      ...requests.map((line) => `  ${paint('dim', oneLine(line))}`),
      ...(errors === undefined
        ? []
        : [
            '  The app wrote to its standard error:',
            ...errors.split('\n').map((line) => `    ${paint('dim', oneLine(line))}`),
          ]),
      ...(moreOf(one) === '' ? [] : [`  ${moreOf(one)}`]),
      ...(advice === '' ? [] : [`  What to do: ${oneLine(advice)}`]),
      ...(capsule === undefined ? [] : [`  Repeat it: mfano replay ${oneLine(capsule)}`]),
    ]
    return lines.map((line) => `  ${line}\n`).join('')
  })
  const elsewhere = elsewhereOf(group)
  return `${paint('red', headOf(group))}\n${examples.join('')}${elsewhere === '' ? '' : `  ${elsewhere}\n`}`
}

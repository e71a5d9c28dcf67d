/** What a person reads of a gauntlet: a line for each scenario as it ends, then the scorecard. */
import { countsOf, type GauntletFinding, type GauntletReport, type ScenarioResult } from '../../judge/report.ts'
import { oneLine } from '../../model/one-line.ts'
import type { Output } from '../output.ts'
import { count, section } from '../words.ts'

const marks = {
  clean: ['green', 'ok'],
  findings: ['red', 'FOUND'],
  unjudged: ['yellow', 'unjudged'],
  skipped: ['dim', 'skipped'],
} as const
/** So many reasons for skipping are printed. */
const REASONS = 5

/** `ok        late-reversal  2.1 s`. */
export function resultLine({ scenario, verdict, findings, why, tookMs }: ScenarioResult, { paint }: Output): string {
  const [style, word] = marks[verdict]
  const codes = [...new Set(findings.map(({ code }) => code))].join(', ')
  const more = codes || (why === undefined ? '' : oneLine(why.split('\n')[0] as string))
  return `${paint(style, word.padEnd(8))}  ${scenario}  ${paint('dim', `${(tookMs / 1000).toFixed(1)} s`)}${more === '' ? '' : `  ${more}`}\n`
}

export function scorecard(report: GauntletReport, { paint }: Output): string {
  const { findings, known, warnings, scenarios, interrupted, coverage } = report
  const counts = countsOf(report)
  const unjudged = scenarios.filter(({ verdict }) => verdict === 'unjudged')
  const verdict =
    findings.length > 0
      ? paint('red', `${count(findings.length, 'finding')}.`)
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
  const unmet = scenarios.filter((one) => one.unmet.length > 0)
  const covered = Object.entries(coverage)
    .map(([dimension, percent]) => `${dimension} ${percent}%`)
    .join(', ')
  return [
    `\n${report.merchant}: ${verdict} ${count(counts.all, 'scenario')}: ${counts.all - counts.skipped} apply, ${counts.skipped} skipped${why === '' ? '' : ` (${why}${reasons.length > REASONS ? '; …' : ''})`}.\n`,
    interrupted ? 'It was interrupted: this is what was found so far.\n' : '',
    section('Findings', findings.map((one) => story(one, paint)).join('\n'), paint),
    section('Not judged', unjudged.map(({ scenario, why = '' }) => `${scenario}: ${why}\n`).join(''), paint),
    known.length > 0 ? `${count(known.length, 'finding')} of the baseline left out.\n` : '',
    warnings.length > 0 ? `${count(warnings.length, 'piece')} of advice: --json tells them.\n` : '',
    section(
      'Ran, and never came to what they are about',
      unmet.map((one) => `${one.scenario}: ${one.unmet.join(', ')}\n`).join(''),
      paint,
    ),
    covered === '' ? '' : `Exercised: ${covered}.\n`,
  ].join('')
}

function story({ code, scenario, text, requests, advice, capsule }: GauntletFinding, paint: Output['paint']): string {
  const lines = requests.map((line) => `  ${paint('dim', oneLine(line))}\n`).join('')
  const told = text.split('\n').map(oneLine).join('\n  ')
  return `${paint('red', code)} under ${scenario}\n  ${told}\n${lines}${advice === '' ? '' : `  What to do: ${oneLine(advice)}\n`}${capsule === undefined ? '' : `  Repeat it: mfano replay ${capsule}\n`}`
}

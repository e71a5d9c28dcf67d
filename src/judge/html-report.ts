/** A gauntlet as one HTML file that needs no network. */
import { counted } from '../core/model/counted.ts'
import { escaped } from '../core/model/markup.ts'
import { elsewhereOf, type FindingGroup, groupsOf, headOf, moreOf } from './gauntlet/groups.ts'
import { countsOf, type GauntletReport, gapLines } from './gauntlet/gauntlet-report.ts'

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1c1e;background:#fff}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
article{border-left:4px solid #b42318;padding:.1rem 1rem;margin:1rem 0}pre{overflow:auto;background:#f4f4f5;padding:.6rem}
@media (prefers-color-scheme:dark){body{color:#e5e5e7;background:#18181b}td,th{border-color:#3f3f46}pre{background:#27272a}}`

/** The whole document. */
export function htmlReport(report: GauntletReport): string {
  const { merchant, findings, scenarios, interrupted } = report
  const { all, skipped } = countsOf(report)
  const rows = scenarios.map(
    ({ scenario, verdict, why = '' }) =>
      `<tr><td>${escaped(scenario)}</td><td>${verdict}</td><td>${escaped(why)}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>mfano gauntlet: ${escaped(merchant)}</title><style>${style}</style></head>
<body><main><h1>${escaped(merchant)}: ${findings.length === 0 ? 'no findings' : counted(findings.length, 'finding')}</h1>
<p>${counted(all, 'scenario')}: ${all - skipped} apply, ${skipped} skipped.${interrupted ? ' It was interrupted.' : ''}</p>
${groupsOf(findings).map(article).join('\n')}
<h2>Scenarios</h2>
<table><thead><tr><th>scenario</th><th>verdict</th><th>why</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>${exercised(report)}</main></body></html>
`
}

function article(group: FindingGroup): string {
  const examples = group.examples.map((one) => {
    const { scenario, text, requests, errors, advice } = one.finding
    const told = errors === undefined ? requests : [...requests, '', 'The app wrote to its standard error:', errors]
    const lines = told.length === 0 ? '' : `<pre>${escaped(told.join('\n'))}</pre>`
    return `<h3>${escaped(scenario)}</h3><p>${escaped(text)}</p>${lines}<p>${escaped(moreOf(one))}</p><p>${escaped(advice)}</p>`
  })
  return `<article><h2>${escaped(headOf(group))}</h2>${examples.join('')}<p>${escaped(elsewhereOf(group))}</p></article>`
}

function exercised(report: GauntletReport): string {
  const rows = Object.entries(report.coverage).map(([dimension, percent]) => {
    const gaps = gapLines(report, dimension).map((line) => `<li>${escaped(line)}</li>`)
    return `<tr><td>${escaped(dimension)}</td><td>${percent}%</td><td><ul>${gaps.join('')}</ul></td></tr>`
  })
  if (rows.length === 0) return ''
  return `<h2>Exercised</h2><table><thead><tr><th>of</th><th>%</th><th>not yet</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

/** A gauntlet in Markdown, for the summary of a workflow and for a comment. */
import { countsOf, type GauntletReport } from './report.ts'

/** A headline, a table of findings, and what each story says. */
export function markdownReport(report: GauntletReport): string {
  const { findings, merchant, interrupted } = report
  const { all, skipped, unjudged } = countsOf(report)
  const head =
    findings.length === 0 ? 'no findings' : `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`
  const rows = findings.map(({ code, scenario, text }) => `| \`${cell(code)}\` | ${cell(scenario)} | ${cell(text)} |`)
  const stories = findings.map(
    ({ code, scenario, requests, advice }) =>
      `<details><summary>${cell(code)} under ${cell(scenario)}</summary>\n\n\`\`\`text\n${requests.join('\n').replaceAll('```', "'''")}\n\`\`\`\n\n${cell(advice)}\n</details>`,
  )
  return [
    `## mfano gauntlet: ${cell(merchant)}: ${head}`,
    `${all} scenarios: ${all - skipped} apply, ${skipped} skipped${unjudged > 0 ? `, ${unjudged} could not be judged` : ''}${interrupted ? '; interrupted' : ''}.`,
    ...(rows.length > 0 ? [['| finding | scenario | |', '| --- | --- | --- |', ...rows].join('\n')] : []),
    ...stories,
    '',
  ].join('\n\n')
}

/** One line that breaks no table. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

/** A gauntlet in Markdown, for the summary of a workflow and for a comment. */
import { markdownText, summaryText } from '../core/model/markup.ts'
import { elsewhereOf, groupsOf, headOf, moreOf } from './gauntlet/groups.ts'
import { countsOf, type GauntletReport } from './gauntlet/gauntlet-report.ts'

/** A headline, a table of findings, and what each story says. */
export function markdownReport(report: GauntletReport): string {
  const { findings, merchant, interrupted } = report
  const { all, skipped, unjudged } = countsOf(report)
  const head =
    findings.length === 0 ? 'no findings' : `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`
  const groups = groupsOf(findings)
  const rows = groups.map(
    (group) =>
      `| \`${group.code.replaceAll(/[`|\s]+/g, ' ')}\` | ${group.count} | ${markdownText(group.examples[0]?.finding.text ?? '')} |`,
  )
  const stories = groups.map((group) => {
    const told = group.examples.map((one) => {
      const { scenario, text, requests, errors, advice } = one.finding
      const block = `\`\`\`text\n${[...requests, ...(errors === undefined ? [] : ['', 'The app wrote to its standard error:', errors])].join('\n').replaceAll('```', "'''")}\n\`\`\``
      return [
        `**${markdownText(scenario)}**: ${markdownText(text)}`,
        ...(requests.length > 0 || errors !== undefined ? [block] : []),
        ...[moreOf(one), advice].filter(Boolean).map(markdownText),
      ].join('\n\n')
    })
    const parts = [...told, markdownText(elsewhereOf(group))].filter(Boolean)
    return `<details><summary>${summaryText(headOf(group))}</summary>\n\n${parts.join('\n\n')}\n</details>`
  })
  return [
    `## mfano gauntlet: ${markdownText(merchant)}: ${head}`,
    `${all} scenarios: ${all - skipped} apply, ${skipped} skipped${unjudged > 0 ? `, ${unjudged} could not be judged` : ''}${interrupted ? '; interrupted' : ''}.`,
    ...(rows.length > 0 ? [['| finding | times | the first |', '| --- | --- | --- |', ...rows].join('\n')] : []),
    ...stories,
    ...(report.tooLittle.length > 0 ? [`Exercised too little: ${markdownText(report.tooLittle.join('; '))}.`] : []),
    '',
  ].join('\n\n')
}

/** Prints a report as Markdown, for pull request comments and workflow summaries. */

import { withPlainTimes } from '../../core/model/calendar.ts'
import { oneLine } from '../../core/model/text.ts'
import {
  allSections,
  atRiskText,
  type Cell,
  cellText,
  type MarkedCell,
  markdownText,
  mermaidOf,
  type ReportDocument,
  type ReportPoint,
  type ReportSection,
  type ReportStory,
  summaryText,
  sumText,
  verdictSentence,
} from '../report-document.ts'

/** Rows and points per section; fewer when the report would not fit into a comment. */
const ROWS = [20, 5, 1]
const COMMENT_MAX = 60_000
const CELL_MAX = 200
const SIGNS = { good: '✅', bad: '❌', open: '⚠️', none: '➖' } as const

export function printMarkdown(report: ReportDocument): string {
  for (const rowsMax of ROWS) {
    const text = withRows(report, rowsMax)
    if (text.length <= COMMENT_MAX) return text
  }
  return withRows({ ...report, stories: [] }, 0)
}

function withRows(report: ReportDocument, rowsMax: number): string {
  const { by, title, verdict, lead, facts = [], atRisk, stories = [], scorecard } = report
  const known = facts.map(([name, value]) => markdownText(`${name}: ${value}`))
  return [
    `## ${markdownText(`${by}: ${title}`)}`,
    `**${SIGNS[verdict.mood]} ${markdownText(verdictSentence(report))}**`,
    ...(atRisk ? [`**Money at risk: ${markdownText(atRiskText(atRisk))}**`] : []),
    ...(stories.length > 0 ? ['### The worst', ...stories.map(storyText)] : []),
    ...(scorecard ? [sectionText({ ...scorecard, isOpen: true }, ROWS[0] ?? 1)] : []),
    ...lead.map(markdownText),
    ...allSections(report)
      .filter((one) => sizeOf(one) > 0)
      .map((one) => sectionText(one, rowsMax)),
    ...(known.length > 0 ? [`<sub>${known.join(' · ')}</sub>`] : []),
    '',
  ].join('\n\n')
}

function storyText({ title, money, sequence, link, text, exact = [], more = [], command }: ReportStory): string {
  const head = [title, ...(money ? [sumText(money)] : [])].join(', ')
  const all = [...(link === undefined ? [] : [{ text: 'Open it:', exact: [link] }]), ...more]
  const told = [markdownText(text), '', ...all.map(bullet), ...again(command)]
  const drawn = sequence ? fenced('mermaid', mermaidOf(sequence).split('\n')) : block(exact)
  const folded = drawn.length === 0 ? '' : `\n\n${foldedText('What happened', drawn.join('\n'))}`
  return `**${markdownText(head)}**\n\n${told.join('\n').trim()}${folded}`
}

function sizeOf({ rows = [], points = [] }: ReportSection): number {
  return rows.length + points.length
}

function sectionText(section: ReportSection, rowsMax: number): string {
  const { title, note, points = [], isOpen } = section
  const rest = sizeOf(section) - rowsMax
  const parts = [
    ...(note === undefined ? [] : [markdownText(note)]),
    points.length > 0 ? points.slice(0, rowsMax).map(pointText).join('\n\n') : table(section, rowsMax),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ].join('\n\n')
  if (isOpen) return `### ${markdownText(title)}\n\n${parts}`
  return foldedText(`${title} (${sizeOf(section)})`, parts)
}

function foldedText(summary: string, text: string): string {
  return `<details><summary>${summaryText(summary)}</summary>\n\n${text}\n\n</details>`
}

function table({ columns = [], rows = [] }: ReportSection, rowsMax: number): string {
  const lines = [
    columns.map(markdownText),
    columns.map(() => '---'),
    ...rows.slice(0, rowsMax).map((row) => row.map(printed)),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function printed(cell: Cell | MarkedCell): string {
  const marked = typeof cell === 'object' && cell !== null
  const text = marked ? `${SIGNS[cell.mood]} ${cell.word}` : cellText(cell)
  return markdownText(text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text)
}

function pointText(point: ReportPoint): string {
  const { text, exact = [], more = [], command } = point
  if (exact.length + more.length === 0 && command === undefined) return bullet(point)
  return foldedText(text, [...block(exact), ...more.map(bullet), ...again(command)].join('\n'))
}

/** A text that begins with a space would move its details out of its item. */
function bullet({ text, exact = [], more = [], command }: ReportPoint): string {
  const inner = [...block(exact), ...more.map(bullet), ...again(command)].join('\n').split('\n')
  return [
    `- ${markdownText(text.trim() || '…')}`,
    ...inner.filter((line) => line !== '').map((line) => `  ${line}`),
  ].join('\n')
}

function again(command: string | undefined): string[] {
  return command === undefined ? [] : ['', 'Run it:', ...fenced('sh', [command])]
}

function block(lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : fenced(
        'text',
        lines.map((line) => withPlainTimes(line)),
      )
}

function fenced(language: string, lines: readonly string[]): string[] {
  return [`\`\`\`${language}`, ...lines.map((line) => oneLine(line).replaceAll('```', "'''")), '```']
}

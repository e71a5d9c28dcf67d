/** Prints a report as Markdown, for pull request comments and workflow summaries. */
import { markdownText, summaryText } from '../../core/model/markup.ts'
import {
  allSections,
  type Cell,
  type ReportDocument,
  type ReportPoint,
  type ReportSection,
} from '../../core/model/report-document.ts'

/** Rows and points per section; fewer when the report would not fit into a comment. */
const ROWS = [20, 5, 1]
const COMMENT_MAX = 60_000
const CELL_MAX = 200

export function printMarkdown(report: ReportDocument): string {
  for (const rowsMax of ROWS) {
    const text = withRows(report, rowsMax)
    if (text.length <= COMMENT_MAX) return text
  }
  return withRows(report, 0)
}

function withRows(report: ReportDocument, rowsMax: number): string {
  const { by, title, verdict, lead, facts = [] } = report
  const known = facts.map(([name, value]) => markdownText(`${name}: ${value}`))
  return [
    `## ${markdownText(`${by}: ${title}`)}`,
    `**${markdownText(verdict.text)}**`,
    ...lead.map(markdownText),
    ...allSections(report)
      .filter((one) => sizeOf(one) > 0)
      .map((one) => sectionText(one, rowsMax)),
    ...(known.length > 0 ? [`<sub>${known.join(' · ')}</sub>`] : []),
    '',
  ].join('\n\n')
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
  return folded(`${title} (${sizeOf(section)})`, parts)
}

function folded(summary: string, text: string): string {
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

function printed(cell: Cell): string {
  if (typeof cell === 'number') return cell.toLocaleString('en')
  const text = cell ?? ''
  return markdownText(text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text)
}

function pointText(point: ReportPoint): string {
  const { text, exact = [], more = [] } = point
  if (exact.length + more.length === 0) return bullet(point)
  return folded(text, [...block(exact), ...more.map(bullet)].join('\n'))
}

/** A text that begins with a space would move its details out of its item. */
function bullet({ text, exact = [], more = [] }: ReportPoint): string {
  const inner = [...block(exact), ...more.map(bullet)].join('\n').split('\n')
  return [
    `- ${markdownText(text.trim() || '…')}`,
    ...inner.filter((line) => line !== '').map((line) => `  ${line}`),
  ].join('\n')
}

function block(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['```text', ...lines.map((line) => line.replaceAll('```', "'''")), '```']
}

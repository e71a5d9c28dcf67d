/** A report in Markdown, for a comment on a pull request and for the summary of a workflow. */
import { markdownText } from '../../core/model/markup.ts'
import { type Cell, countsLine, printedLists, type ReportList, verdictLine, whenLine } from '../report-lists.ts'
import type { RunReport } from '../run-report.ts'

/** So many rows of a list are printed, as long as all of it fits into a comment; else fewer. */
const ROWS = [20, 5, 1]
const COMMENT_MAX = 60_000
/** A cell is cut behind so many characters. */
const CELL_MAX = 200
/** What is open to everybody who reads it; the rest is behind a click. */
const OPEN = new Set(['problems', 'outcomes'])

/** A headline, the verdict, the counts; what to look at, and the rest to be unfolded. */
export function runMarkdown(report: RunReport): string {
  for (const rowsMax of ROWS) {
    const text = withRows(report, rowsMax)
    if (text.length <= COMMENT_MAX) return text
  }
  return withRows(report, 0)
}

function withRows(report: RunReport, rowsMax: number): string {
  const lists = printedLists(report).filter(({ rows }) => rows.length > 0)
  const { mfano, seed, clock, zone } = report
  return [
    `## mfano: ${markdownText(report.title)}`,
    `**${markdownText(verdictLine(report))}**`,
    markdownText(countsLine(report)),
    ...(report.run?.note ? [markdownText(report.run.note)] : []),
    ...lists.map((list) => (OPEN.has(list.name) ? open(list, rowsMax) : folded(list, rowsMax))),
    `<sub>${markdownText(whenLine(report))} mfano ${markdownText(mfano)}, seed ${seed}, clock ${clock}, times in ${markdownText(zone.name)}.</sub>`,
    '',
  ].join('\n\n')
}

function open(list: ReportList, rowsMax: number): string {
  return `### ${list.title}\n\n${table(list, rowsMax)}`
}

function folded(list: ReportList, rowsMax: number): string {
  const note = list.note === undefined ? '' : `${markdownText(list.note)}\n\n`
  return `<details><summary>${list.title} (${list.rows.length})</summary>\n\n${note}${table(list, rowsMax)}\n\n</details>`
}

function table({ columns, rows }: ReportList, rowsMax: number): string {
  const lines = [columns, columns.map(() => '---'), ...rows.slice(0, rowsMax).map((row) => row.map(printed))]
  const more = rows.length > rowsMax ? `\n\nand ${rows.length - rowsMax} more` : ''
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n') + more
}

function printed(cell: Cell): string {
  if (typeof cell === 'number') return cell.toLocaleString('en')
  const text = cell ?? ''
  return markdownText(text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text)
}

/** Prints a report on a terminal. */
import { atRiskText } from '../../core/model/money-at-risk.ts'
import { oneLine } from '../../core/model/one-line.ts'
import { withPlainTimes } from '../../core/model/plain-time.ts'
import {
  type Cell,
  cellText,
  type MarkedCell,
  pointLines,
  type ReportDocument,
  type ReportMood,
  type ReportPoint,
  type ReportRun,
  type ReportSection,
} from '../../core/model/report-document.ts'
import type { Output } from './output.ts'
import { type TableColumn, table } from './table.ts'
import { section } from './words.ts'

const styles = { good: 'green', bad: 'red', open: 'yellow', none: 'dim' } as const satisfies Record<ReportMood, string>
/** Columns after this one are dropped first on a narrow terminal. */
const KEPT_COLUMNS = 4
const LEAST_WIDTH = 12

export function documentText(report: ReportDocument, output: Output): string {
  const { title, verdict, lead, sections, atRisk, scorecard } = report
  const { paint } = output
  const head = `${oneLine(title)}: ${paint(styles[verdict.mood], oneLine(`${verdict.word ? `${verdict.word}: ` : ''}${verdict.text}`))}`
  const risk = atRisk ? [`Money at risk: ${atRiskText(atRisk)}`] : []
  const shown = [...(scorecard ? [scorecard] : []), ...sections.filter(({ isLog }) => !isLog)]
  return withPlainTimes(
    [
      ...[head, ...risk, ...lead.map(oneLine)].map((line) => `${line}\n`),
      ...shown.map((one) => section(one.title, sectionText(one, output), paint)),
    ].join(''),
  )
}

export function runText({ mood, word, name, tookMs, why = '' }: ReportRun, { paint }: Pick<Output, 'paint'>): string {
  const seconds = tookMs === undefined ? '' : paint('dim', `${(tookMs / 1000).toFixed(1)} s`)
  const [reason = ''] = why.split('\n', 1)
  const first = oneLine(reason)
  const parts = [paint(styles[mood], word.padEnd(8)), oneLine(name), seconds, first]
  return withPlainTimes(`${parts.filter((part) => part !== '').join('  ')}\n`)
}

export function pointText(point: ReportPoint, { paint }: Pick<Output, 'paint'>): string {
  const [head = '', ...rest] = pointLines(point, oneLine, (line) => paint('dim', oneLine(line)))
  return withPlainTimes([point.more ? paint('bold', head) : head, ...rest].map((line) => `${line}\n`).join(''))
}

function sectionText({ columns = [], rows = [], points = [], none, note }: ReportSection, output: Output): string {
  const said = note === undefined ? '' : `${oneLine(note)}\n`
  if (rows.length + points.length === 0) return none === undefined ? '' : `${said}${oneLine(none)}\n`
  if (rows.length > 0) return said + rowsText(columns, rows, output)
  const apart = points.some(({ more }) => more) ? '\n' : ''
  return said + points.map((one) => pointText(one, output)).join(apart)
}

function rowsText(columns: readonly string[], rows: NonNullable<ReportSection['rows']>, output: Output): string {
  const shown = [...columns.keys()].filter((i) => rows.some((row) => (row[i] ?? '') !== ''))
  const told = shown.map((i): TableColumn<(typeof rows)[number]> => {
    const isNumber = rows.every((row) => typeof row[i] === 'number')
    return {
      title: (columns[i] ?? '').toUpperCase(),
      of: (row) => plainCell(row[i] ?? null),
      ...(isNumber ? { right: true } : { least: LEAST_WIDTH }),
      ...(i >= KEPT_COLUMNS && { spare: i }),
    }
  })
  return table(rows, told, output)
}

function plainCell(cell: Cell | MarkedCell): Cell {
  return typeof cell === 'object' && cell !== null ? cellText(cell) : cell
}

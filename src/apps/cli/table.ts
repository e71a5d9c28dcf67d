/** Rows for people: aligned columns that fit the terminal. */
import truncatedWidth from 'fast-string-truncated-width'
import { oneLine } from '../../core/model/one-line.ts'
import type { Output, Paint } from './output.ts'

export interface Column<Row> {
  title: string
  of(row: Row): string | number | null
  /** Numbers stand to the right. */
  right?: true
  /** It may be cut to this many columns when the terminal is narrow. */
  least?: number
  /** It is left out when the terminal is narrow, those with the highest number first. */
  spare?: number
  paint?(text: string, row: Row, paint: Paint): string
}

const GAP = '  '
/** Stands where a text was cut. */
const CUT = '…'

/** The rows as lines, with titles above them. What does not fit is cut, and then left out, as the columns say. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { paint, width }: Pick<Output, 'paint' | 'width'>,
): string {
  const cells = columns.map((column) => rows.map((row) => oneLine(String(column.of(row) ?? '-'))))
  const natural = columns.map((column, i) =>
    Math.max(widthOf(column.title), ...(cells[i] ?? []).map((cell) => widthOf(cell))),
  )
  const widths = fit(columns, natural, width)
  const shown = [...columns.keys()].filter((i) => widths[i] !== undefined)
  const line = (texts: (i: number) => string, finish: (i: number, text: string) => string) =>
    shown
      .map((i) => {
        const last = i === shown.at(-1)
        return finish(i, padded(texts(i), widths[i] ?? 0, columns[i]?.right === true, last))
      })
      .join(GAP)
      .trimEnd()
  const lines = [
    line(
      (i) => columns[i]?.title ?? '',
      (_, text) => paint('dim', text),
    ),
    ...rows.map((row, at) =>
      line(
        (i) => cells[i]?.[at] ?? '',
        (i, text) => columns[i]?.paint?.(text, row, paint) ?? text,
      ),
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** The width of each column; undefined for one that is left out. */
function fit<Row>(columns: readonly Column<Row>[], natural: number[], width: number): (number | undefined)[] {
  const widths: (number | undefined)[] = [...natural]
  const least = (i: number) => Math.min(natural[i] ?? 0, columns[i]?.least ?? Number.POSITIVE_INFINITY)
  const sum = (of: (i: number) => number) => {
    const shown = [...columns.keys()].filter((i) => widths[i] !== undefined)
    return shown.reduce((all, i) => all + of(i), GAP.length * (shown.length - 1))
  }
  const spare = [...columns.keys()]
    .filter((i) => columns[i]?.spare !== undefined)
    .sort((a, b) => (columns[b]?.spare ?? 0) - (columns[a]?.spare ?? 0))
  for (const i of spare) if (sum(least) > width) widths[i] = undefined
  // What can be cut shares what is left, the widest first.
  for (let over = sum((i) => widths[i] ?? 0) - width; over > 0; ) {
    const [widest] = [...columns.keys()]
      .filter((i) => (widths[i] ?? 0) > least(i))
      .sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
    over--
  }
  return widths
}

function padded(text: string, width: number, right: boolean, last: boolean): string {
  const cut = cutTo(text, width)
  const space = ' '.repeat(Math.max(0, width - widthOf(cut)))
  return right ? space + cut : last ? cut : cut + space
}

/** The beginning of a text, with a mark where it was cut. */
function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (widthOf(cut + segment) > width - CUT.length) break
    cut += segment
  }
  return cut + CUT
}

/** Columns that a terminal takes for a text. */
function widthOf(text: string): number {
  return truncatedWidth(text).width
}

import truncatedWidth from 'fast-string-truncated-width'
import { withPlainTimes } from '../../core/model/calendar.ts'
import { valueAt } from '../../core/model/must.ts'
import { oneLine, titleOf } from '../../core/model/text.ts'
import type { Columns, Form, Screen } from '../../server/operation-fields.ts'
import type { Output, Paint } from './output.ts'
import { amountText, factLines, httpStatus, indented, section, shownZone, size, state, time } from './words.ts'

export interface TableColumn<Row> {
  title: string
  of(row: Row): string | number | null
  right?: true
  least?: number
  spare?: number
  paint?: ((text: string, row: Row, paint: Paint) => string) | undefined
}

const GAP = '  '
const CUT = '…'

interface Sized<Row> {
  column: TableColumn<Row>
  cells: readonly string[]
  width: number
}

/** Cuts columns first and drops them afterwards, as they allow. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  { paint, width }: Pick<Output, 'paint' | 'width'>,
): string {
  const sized = columns.map((column) => {
    const cells = rows.map((row) => withPlainTimes(oneLine(String(column.of(row) ?? '-')), shownZone()))
    return { column, cells, width: Math.max(...[column.title, ...cells].map(widthOf)) }
  })
  const shown = fitted(sized, width)
  const line = (textOf: (one: Sized<Row>) => string, finish: (text: string, column: TableColumn<Row>) => string) =>
    shown
      .map((one) => finish(padded(textOf(one), one, one === shown.at(-1)), one.column))
      .join(GAP)
      .trimEnd()
  const titles = line(
    ({ column }) => column.title,
    (text) => paint('dim', text),
  )
  const lines = rows.map((row, at) =>
    line(
      ({ cells }) => cells[at] ?? '',
      (text, column) => column.paint?.(text, row, paint) ?? text,
    ),
  )
  return `${[titles, ...lines].join('\n')}\n`
}

function fitted<Row>(columns: readonly Sized<Row>[], width: number): Sized<Row>[] {
  const least = (one: Sized<Row>) => Math.min(one.width, one.column.least ?? one.width)
  let shown = [...columns]
  const sum = (of: (one: Sized<Row>) => number) =>
    shown.reduce((all, one) => all + of(one), GAP.length * (shown.length - 1))
  const bySpare = shown.toSorted((a, b) => (b.column.spare ?? 0) - (a.column.spare ?? 0))
  for (const spare of bySpare.filter(({ column }) => column.spare !== undefined))
    if (sum(least) > width) shown = shown.filter((one) => one !== spare)
  // Columns that can be cut share the remaining width, the widest first.
  for (let over = sum((one) => one.width) - width; over > 0; over--) {
    const [widest] = shown.filter((one) => one.width > least(one)).sort((a, b) => b.width - a.width)
    if (widest === undefined) break
    widest.width--
  }
  return shown
}

function padded<Row>(text: string, { column, width }: Sized<Row>, last: boolean): string {
  const cut = cutTo(text, width)
  const space = ' '.repeat(Math.max(0, width - widthOf(cut)))
  return column.right ? space + cut : last ? cut : cut + space
}

function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (widthOf(cut + segment) > width - CUT.length) break
    cut += segment
  }
  return cut + CUT
}

/** Counts wide characters as two columns, because terminals draw them so. */
function widthOf(text: string): number {
  return truncatedWidth(text).width
}

const LEAST_TEXT = 12
const RIGHT: readonly Form[] = ['number', 'money', 'ms', 'size']
const paints: { readonly [One in Form]?: NonNullable<TableColumn<object>['paint']> } = {
  state: (text, _, paint) => state(text, paint),
  status: (text, _, paint) => httpStatus(text, paint),
}

/** A text that no row has is left out, and what is no field of any row. The last columns are the first to go on a narrow terminal. */
export function columnsOf<Row extends object>(columns: Columns, rows: readonly Row[]): TableColumn<Row>[] {
  return cellsOf<Row>(columns).flatMap(({ path, form, title, of }, i) => {
    const values = rows.map((row) => valueAt(row, path))
    if (values.every((one) => one === undefined || (form === 'text' && one === null))) return []
    return {
      title: title.toUpperCase(),
      of,
      ...(RIGHT.includes(form) && { right: true }),
      ...(form === 'text' && { least: LEAST_TEXT }),
      ...(i > 0 && { spare: i }),
      paint: paints[form],
    }
  })
}

function cellsOf<Row extends object>(columns: Columns) {
  const all: [string, Form | readonly [Form, string]][] = Object.entries(columns)
  return all.map(([path, shown]) => {
    const [form, title = titleOf(path)] = typeof shown === 'string' ? [shown] : shown
    const currency = (row: Row) => valueAt(row, path.replace(/\w+$/, 'currency')) ?? valueAt(row, 'currency')
    return { path, form, title, of: (row: Row) => textOf(form, valueAt(row, path), currency(row)) }
  })
}

export function detailsOf(
  { facts = {}, parts = {} }: Pick<Screen, 'facts' | 'parts'>,
  answer: object,
  output: Pick<Output, 'paint' | 'width'>,
): string {
  const { paint } = output
  const lines = cellsOf(facts).map(({ title, of }) => [title, of(answer)] as const)
  const below = Object.entries(parts).map(([path, [title, columns]]) => {
    const part = valueAt(answer, path)
    const isNothing = part == null || (Array.isArray(part) && part.length === 0)
    if (!columns) return section(title, isNothing ? '' : indented(part), paint)
    const rows = (isNothing ? [] : ([part].flat() as object[])).map((row) => ({
      currency: valueAt(answer, 'currency'),
      ...row,
    }))
    const total = valueAt(answer, `${path}Total`) ?? rows.length
    const rest = total === rows.length ? '' : `${rows.length} of ${total}\n`
    return section(title, rows.length === 0 ? '' : table(rows, columnsOf(columns, rows), output) + rest, paint)
  })
  return [factLines(lines, paint), ...below].join('')
}

function textOf(form: Form, value: unknown, currency: unknown): string | number | null {
  if (value === null || value === undefined) return null
  if (form === 'money') return amountText(Number(value), String(currency))
  if (form === 'time') return time(String(value))
  if (form === 'size') return size(Number(value))
  if (form === 'ms') return `${Math.round(Number(value))} ms`
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'number' ? value : String(value)
}

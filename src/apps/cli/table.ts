/** Prints rows as aligned columns that fit the terminal. */
import truncatedWidth from 'fast-string-truncated-width'
import type { Control } from '../../client/control.ts'
import type { CsvAsked } from '../../client/whole-csv.ts'
import { withPlainTimes } from '../../core/model/calendar.ts'
import { oneLine } from '../../core/model/text.ts'
import type { Arguments, Flag } from './command.ts'
import type { Output, Paint } from './output.ts'
import { inZoneOf, shownZone } from './words.ts'

export interface TableColumn<Row> {
  title: string
  of(row: Row): string | number | null
  right?: true
  least?: number
  /** On a narrow terminal, columns with the highest number are dropped first. */
  spare?: number
  paint?(text: string, row: Row, paint: Paint): string
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

// Flags that filter lists, and the query that they produce.

const LIMIT_MAX = 1000

export const limitFlag: Flag = {
  name: 'limit',
  value: 'number',
  help: 'The most rows to print, newest first.',
  expected: 'a whole number from 1 to 1000',
  byDefault: '50',
}

const timeFlag = (name: 'since' | 'until', help: string): Flag => ({
  ...{ name, help, value: 'time', expected: 'a time such as 2025-01-24T16:28:00' },
})

export const stretchFlags: readonly Flag[] = [
  timeFlag('since', "From this simulated time, in the scenario's zone."),
  timeFlag('until', "Up to this simulated time, in the scenario's zone."),
]

/** Values of `stretchFlags`. */
export async function stretchOf(control: Control, given: Arguments): Promise<{ since?: string; until?: string }> {
  const stretch: { since?: string; until?: string } = {}
  for (const flag of ['since', 'until'] as const) {
    const typed = given.get(flag)
    if (typed !== undefined) stretch[flag] = await inZoneOf(control, typed)
  }
  return stretch
}

export function queryOf(
  given: Arguments,
  flags: readonly string[],
  names: Record<string, string> = {},
): Record<string, string> {
  return Object.fromEntries(
    flags.flatMap((flag) => {
      const value = given.get(flag)
      // A flag that stands alone is a switch.
      return value === undefined ? [] : [[names[flag] ?? flag, value === '' ? 'true' : value]]
    }),
  )
}

export function csvQuery(
  given: Arguments,
  flags: readonly string[],
  names: Record<string, string> = {},
): Pick<CsvAsked, 'query'> {
  return { query: queryOf(given, given.has('limit') ? [...flags, 'limit'] : flags, names) }
}

export function more(shown: number, total: number | null | undefined, given: Arguments): string {
  // Nobody counted them.
  if (total === null) return `Newest ${shown}. Show more: --limit ${LIMIT_MAX}\n`
  if (total === undefined || total <= shown) return ''
  const limit = Math.min(LIMIT_MAX, total)
  return `${shown} of ${total}${limit > Number(given.get('limit')) ? `. Show more: --limit ${limit}` : ''}\n`
}

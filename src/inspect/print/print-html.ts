/** Prints a report as one HTML file: no network, both themes, and a print style sheet for a proper PDF. */
import { escaped } from '../../core/model/markup.ts'
import {
  allSections,
  type Cell,
  type ReportDocument,
  type ReportPoint,
  type ReportSection,
} from '../../core/model/report-document.ts'
import { reportStyle } from './print-style.ts'

/** Loads nothing and runs no script, because the report holds texts from others. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'"
const EXACT = new Set(['payment', 'reference', 'request', 'code', 'to', 'operation'])
/** Characters of cells that never wrap, that do not wrap on a screen, and that get a wide column. */
const TINY_MAX = 16
const SHORT_MAX = 40
const LONG_MIN = 60

export function printHtml(report: ReportDocument): string {
  const { by, title, verdict, lead, facts = [] } = report
  const known = facts.map(([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(String(value))}</dd></div>`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(`${title}: ${/^[^:.]*/.exec(verdict.text)}`)}</title><style>${reportStyle}</style></head>
<body><main>
<header><p class="kind">${escaped(by)}</p><h1>${escaped(title)}</h1>
<p class="verdict ${verdict.mood}">${escaped(verdict.text)}</p>
${lead.map((text) => `<p>${escaped(text)}</p>`).join('')}</header>
${figuresHtml(report)}
${allSections(report).map(sectionHtml).join('\n')}
<footer><dl>${known.join('')}</dl></footer>
</main></body></html>
`
}

function figuresHtml({ figures = [], runs = [], shares = sharesOf(runs) }: ReportDocument): string {
  const boxes = figures.map(
    ({ number, what }) => `<div><b>${number.toLocaleString('en')}</b><span>${escaped(what)}</span></div>`,
  )
  const parts = shares.filter(({ number }) => number > 0)
  const bar = parts.map(({ mood, number }) => `<i class="${mood}" style="flex-grow:${number}"></i>`).join('')
  const legend = parts.map(
    ({ mood, number, what }) => `<li class="${mood}">${number.toLocaleString('en')} ${escaped(what)}</li>`,
  )
  return [
    boxes.length > 0 ? `<section class="figures">${boxes.join('')}</section>` : '',
    parts.length > 0
      ? `<div class="bar" aria-hidden="true">${bar}</div><ul class="legend">${legend.join('')}</ul>`
      : '',
  ].join('')
}

function sharesOf(runs: NonNullable<ReportDocument['runs']>): NonNullable<ReportDocument['shares']> {
  const groups = Map.groupBy(runs, ({ word }) => word)
  return Array.from(groups, ([what, those]) => ({ mood: those[0]?.mood ?? 'none', number: those.length, what }))
}

function sectionHtml(section: ReportSection): string {
  const { name, title, note, rows = [], points = [], none } = section
  const size = rows.length + points.length
  if (size === 0 && none === undefined) return ''
  const count = size > 0 ? ` <small>${size.toLocaleString('en')}</small>` : ''
  const said = note === undefined ? '' : `<p class="when">${escaped(note)}</p>`
  const body = size === 0 ? `<p>${escaped(none ?? '')}</p>` : `${tableHtml(section)}${points.map(topPoint).join('')}`
  const id = name === undefined ? '' : ` id="${escaped(name)}"`
  return `<section${id}><h2>${escaped(title)}${count}</h2>${said}${body}</section>`
}

function topPoint(point: ReportPoint): string {
  const { text, exact = [], more = [] } = point
  if (exact.length + more.length === 0) return `<p>${escaped(text)}</p>`
  return `<article><h3>${escaped(text)}</h3>${belonging(point)}</article>`
}

function belonging({ exact = [], more = [] }: ReportPoint): string {
  const lines = exact.length === 0 ? '' : `<pre>${escaped(exact.join('\n'))}</pre>`
  const items = more.map((one) => `<li>${escaped(one.text)}${belonging(one)}</li>`)
  return items.length === 0 ? lines : `${lines}<ul>${items.join('')}</ul>`
}

/** Leaves out columns that are empty in every row. */
function tableHtml({ title, columns = [], rows = [] }: ReportSection): string {
  if (rows.length === 0) return ''
  const cellOf = (row: readonly Cell[], i: number) => row[i] ?? null
  const shown = [...columns.keys()].filter((i) => rows.some((row) => (cellOf(row, i) ?? '') !== ''))
  const kinds = columns.map((name, i) => columnKind(name, rows, i))
  const heads = shown.map((i) => `<th scope="col" class="${kinds[i]}">${escaped(columns[i] ?? '')}</th>`)
  const body = rows.map((row) => {
    const cells = shown.map((i) => `<td class="${kinds[i]}">${printed(cellOf(row, i))}</td>`)
    return `<tr${levelOf(columns, row)}>${cells.join('')}</tr>`
  })
  return `<div class="scroll" role="region" aria-label="${escaped(title)}" tabindex="0"><table><thead><tr>${heads.join('')}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></div>`
}

function columnKind(name: string, rows: readonly (readonly Cell[])[], i: number): string {
  if (rows.every((row) => typeof row[i] === 'number')) return 'number'
  const longest = Math.max(...rows.map((row) => String(row[i] ?? '').length))
  const width = longest >= LONG_MIN ? 'long' : longest <= TINY_MAX ? 'tiny' : longest <= SHORT_MAX ? 'short' : ''
  return `${width}${EXACT.has(name) ? ' exact' : ''}`
}

function levelOf(columns: readonly string[], row: readonly Cell[]): string {
  const level = columns[0] === 'level' ? row[0] : null
  return level === 'error' || level === 'warning' ? ` class="${level}"` : ''
}

function printed(cell: Cell): string {
  return typeof cell === 'number' ? cell.toLocaleString('en') : escaped(cell ?? '')
}

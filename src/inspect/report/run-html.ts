/** A report as one HTML file: no network, both themes, and a print style sheet that makes a proper PDF of it. */
import { escaped } from '../../core/model/markup.ts'
import {
  type Cell,
  countsLine,
  printedLists,
  type ReportList,
  verdictLine,
  verdictWords,
  whenLine,
} from '../report-lists.ts'
import type { RunReport } from '../run-report.ts'
import { runStyle } from './run-style.ts'

/** Nothing is loaded, and no script runs, whatever stands in the texts of others. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'"
/** Columns whose values are read letter by letter. */
const EXACT = new Set<string>(['payment', 'reference', 'request', 'code', 'to', 'operation'])
/** Characters of a cell that always stands in one line, of one that does on a screen, and of one that has a wide column. */
const TINY_MAX = 16
const SHORT_MAX = 40
const LONG_MIN = 60

/** The whole document. */
export function runHtml(report: RunReport): string {
  const { title, verdict, run } = report
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(title)}: ${verdictWords[verdict]}</title><style>${runStyle}</style></head>
<body><main>
<header><p class="kind">Test report</p><h1>${escaped(title)}</h1>
<p class="verdict ${verdict}">${escaped(verdictLine(report))}</p>
<p>${escaped(countsLine(report))}</p>${run?.note ? `<p>${escaped(run.note)}</p>` : ''}
<p class="when">${escaped(whenLine(report))}</p></header>
${figures(report)}
${printedLists(report).map(section).join('\n')}
${facts(report)}
</main></body></html>
`
}

/** The counts as figures, and what became of payments as a bar. */
function figures({ counts: { payments, requests, callbacks } }: RunReport): string {
  const figure = (number: number, what: string) =>
    `<div><b>${number.toLocaleString('en')}</b><span>${what}</span></div>`
  const parts = [
    ['well', payments.well, 'ended well'],
    ['bad', payments.bad, 'ended badly'],
    ['open', payments.open, 'under way'],
  ] as const
  const told = parts.filter(([, number]) => number > 0)
  const bar = told.map(([name, number]) => `<i class="${name}" style="flex-grow:${number}"></i>`).join('')
  const legend = told.map(([name, number, what]) => `<li class="${name}">${number.toLocaleString('en')} ${what}</li>`)
  return `<section class="figures">${[
    figure(payments.all, 'payments'),
    figure(requests.all, 'requests'),
    figure(requests.refused, 'refused'),
    figure(callbacks.delivered, 'callbacks delivered'),
    figure(callbacks.retried, 'callbacks retried'),
    figure(callbacks.failed, 'callbacks given up'),
  ].join('')}</section>${
    told.length === 0
      ? ''
      : `<div class="bar" aria-hidden="true">${bar}</div><ul class="legend">${legend.join('')}</ul>`
  }`
}

function section({ name, title, note, columns, rows, none }: ReportList): string {
  const head = `<section id="${name}"><h2>${escaped(title)}${rows.length > 0 ? ` <small>${rows.length.toLocaleString('en')}</small>` : ''}</h2>`
  const said = note === undefined ? '' : `<p class="when">${escaped(note)}</p>`
  if (rows.length === 0) return `${head}${said}<p>${escaped(none ?? '')}</p></section>`
  const shown = [...columns.keys()].filter((i) => rows.some((row) => row[i] !== null && row[i] !== ''))
  const kinds = new Map(
    shown.map((i) => [
      i,
      columnKind(
        columns[i] as string,
        rows.map((row) => row[i] ?? null),
      ),
    ]),
  )
  const cells = (row: readonly Cell[]) =>
    shown.map((i) => `<td class="${kinds.get(i)}">${printed(row[i] ?? null)}</td>`).join('')
  const heads = shown.map((i) => `<th scope="col" class="${kinds.get(i)}">${printed(columns[i] ?? null)}</th>`)
  const body = rows.map((row) => `<tr${levelOf(columns, row)}>${cells(row)}</tr>`)
  return `${head}${said}<div class="scroll" role="region" aria-label="${escaped(title)}" tabindex="0"><table><thead><tr>${heads.join('')}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></div></section>`
}

/** How the cells of a column are set. */
function columnKind(name: string, cells: readonly Cell[]): string {
  if (cells.every((cell) => typeof cell === 'number')) return 'number'
  const longest = Math.max(...cells.map((cell) => String(cell ?? '').length))
  const width = longest >= LONG_MIN ? 'long' : longest <= TINY_MAX ? 'tiny' : longest <= SHORT_MAX ? 'short' : ''
  return `${width}${EXACT.has(name) ? ' exact' : ''}`
}

function levelOf(columns: readonly string[], row: readonly Cell[]): string {
  const level = columns[0] === 'level' ? row[0] : null
  return level === 'error' || level === 'warning' ? ` class="${level}"` : ''
}

function facts({ world, baseUrl, mfano, seed, isDrawn, clock, zone, asOf }: RunReport): string {
  const pairs: [string, string | number][] = [
    ['World', world],
    ['Address', baseUrl],
    ['mfano', mfano],
    ['Seed', seed],
    ...(isDrawn ? [['Assumptions', 'drawn by the seed'] as [string, string]] : []),
    ['Clock', clock],
    ['Time zone', zone.name],
    ['As of', asOf],
  ]
  return `<footer><dl>${pairs.map(([name, value]) => `<div><dt>${name}</dt><dd>${escaped(String(value))}</dd></div>`).join('')}</dl></footer>`
}

function printed(cell: Cell): string {
  return typeof cell === 'number' ? cell.toLocaleString('en') : escaped(cell ?? '')
}

/** Prints a report as one HTML file: no network, both themes, and a print style sheet for a proper PDF. */

import { escaped } from '../../core/model/markup.ts'
import { type MoneyAtRisk, sumText } from '../../core/model/money-at-risk.ts'
import { withPlainTimes } from '../../core/model/plain-time.ts'
import {
  allSections,
  type Cell,
  cellText,
  type MarkedCell,
  moodMarks,
  type ReportDocument,
  type ReportMood,
  type ReportPoint,
  type ReportSection,
  type ReportStory,
} from '../../core/model/report-document.ts'
import { reportStyle } from './print-style.ts'
import { sequenceSvg } from './sequence-svg.ts'

/** Loads nothing and runs no script, because the report holds texts from others. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'"
const EXACT = new Set(['payment', 'reference', 'request', 'code', 'to', 'operation', 'command'])
const LEVELS: Readonly<Record<string, ReportMood>> = { error: 'bad', warning: 'open' }
/** Characters of cells that never wrap, and that get a wide column. */
const TINY_MAX = 16
const LONG_MIN = 60
/** Longer words may break anywhere. */
const WORD_MAX = 28
/** With more columns than this, a table becomes cards on a tablet too. */
const FEW = 5
/** A list of so many rows is opened by whoever wants it: as cards, hundreds of rows are a page of 50,000 pixels. */
const FOLDED_FROM = 50

export function printHtml(report: ReportDocument): string {
  const { by, title, verdict, lead, facts = [], atRisk, stories = [], scorecard, paymentsAt } = report
  const { mood, word = moodMarks[mood].word, text } = verdict
  const known = facts.map(([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(String(value))}</dd></div>`)
  const worst =
    stories.length === 0
      ? ''
      : `<section><h2>${stories.length > 1 ? 'The worst' : 'What happened'}</h2>${stories.map(storyHtml).join('')}</section>`
  const card = scorecard ? sectionHtml(scorecard, paymentsAt) : ''
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escaped(`${title}: ${word}`)}</title><style>${reportStyle}</style></head>
<body><main>
<header><p class="kind">${escaped(by)}</p><h1>${escaped(title)}</h1>
<div class="first"><p class="verdict ${mood}">${marked({ mood, word })}${escaped(text)}</p>${riskHtml(atRisk)}</div></header>
<div class="worst${worst && card ? ' two' : ''}">${worst}${card}</div>
<div class="lead">${lead.map((text) => `<p>${escaped(text)}</p>`).join('')}</div>
${figuresHtml(report)}
${allSections(report)
  .map((one) => sectionHtml(one, paymentsAt))
  .join('\n')}
<footer><dl>${known.join('')}</dl></footer>
</main></body></html>
`
}

function marked({ mood, word }: MarkedCell): string {
  return `<span class="mark ${mood}"><i aria-hidden="true">${moodMarks[mood].sign}</i> ${escaped(word)}</span>`
}

function riskHtml(atRisk: MoneyAtRisk | undefined): string {
  if (!atRisk) return ''
  const { sums, payments } = atRisk
  const told = sums.map((sum) => `<b>${escaped(sumText(sum))}</b>`).join('')
  return `<div class="risk"><span>Money at risk</span>${told}<span>in ${payments.toLocaleString('en')} ${payments === 1 ? 'payment' : 'payments'}</span></div>`
}

function storyHtml({ title, money, sequence, link, ...point }: ReportStory): string {
  const about = money ? `<p class="when">${escaped(sumText(money))}</p>` : ''
  const there = link === undefined ? '' : `<p><a href="${escaped(link)}">Open this payment</a></p>`
  const drawn = sequence ? sequenceSvg(sequence) : ''
  return `<article class="story"><h3>${escaped(title).replaceAll('_', '_<wbr>')}</h3>${about}<p>${escaped(point.text)}</p>${belonging(point)}${there}${drawn}</article>`
}

function figuresHtml({ figures = [], runs = [], shares = sharesOf(runs) }: ReportDocument): string {
  const boxes = figures.map(
    ({ number, what }) => `<div><b>${number.toLocaleString('en')}</b><span>${escaped(what)}</span></div>`,
  )
  const parts = shares.filter(({ number }) => number > 0)
  const bar = parts.map(({ mood, number }) => `<i class="${mood}" style="flex-grow:${number}"></i>`).join('')
  const legend = parts.map(
    ({ mood, number, what }) => `<li>${marked({ mood, word: `${number.toLocaleString('en')} ${what}` })}</li>`,
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

function sectionHtml(section: ReportSection, paymentsAt: string | undefined): string {
  const { name, title, note, rows = [], points = [], none } = section
  const size = rows.length + points.length
  if (size === 0 && none === undefined) return ''
  const count = size > 0 ? ` <small>${size.toLocaleString('en')}</small>` : ''
  const said = note === undefined ? '' : `<p class="when">${escaped(note)}</p>`
  const body =
    size === 0 ? `<p>${escaped(none ?? '')}</p>` : `${tableHtml(section, paymentsAt)}${points.map(topPoint).join('')}`
  const id = name === undefined ? '' : ` id="${escaped(name)}"`
  return `<section${id}><h2>${escaped(title)}${count}</h2>${said}${body}</section>`
}

function topPoint(point: ReportPoint): string {
  const inner = belonging(point)
  if (inner === '') return `<p>${escaped(point.text)}</p>`
  return `<article><h3>${escaped(point.text)}</h3>${inner}</article>`
}

function belonging({ exact = [], more = [], command }: ReportPoint): string {
  const lines = exact.length === 0 ? '' : `<pre>${escaped(withPlainTimes(exact.join('\n')))}</pre>`
  const items = more.map((one) => `<li>${escaped(one.text)}${belonging(one)}</li>`)
  const again =
    command === undefined ? '' : `<p class="command"><span>Run it:</span> <code>${escaped(command)}</code></p>`
  return `${lines}${items.length === 0 ? '' : `<ul>${items.join('')}</ul>`}${again}`
}

/** Leaves out columns that are empty in every row. */
function tableHtml({ columns = [], rows = [] }: ReportSection, paymentsAt: string | undefined): string {
  if (rows.length === 0) return ''
  const shown = [...columns.keys()].filter((i) => rows.some((row) => cellText(row[i] ?? null) !== ''))
  const kinds = columns.map((name, i) => columnKind(name, rows, i))
  const heads = shown.map((i) => `<th scope="col" class="${kinds[i]}">${escaped(columns[i] ?? '')}</th>`)
  const body = rows.map((row) => {
    const cells = shown.map((i) =>
      cellHtml(row[i] ?? null, { column: columns[i] ?? '', kind: kinds[i] ?? '', paymentsAt }),
    )
    return `<tr>${cells.join('')}</tr>`
  })
  const table = `<table${shown.length > FEW ? ' class="many"' : ''}><thead><tr>${heads.join('')}</tr></thead><tbody>
${body.join('\n')}
</tbody></table>`
  return rows.length < FOLDED_FROM ? table : `<details><summary>Show all rows</summary>${table}</details>`
}

interface CellPlace {
  column: string
  kind: string
  paymentsAt: string | undefined
}

function cellHtml(cell: Cell | MarkedCell, { column, kind, paymentsAt }: CellPlace): string {
  const mood = column === 'level' && typeof cell === 'string' ? LEVELS[cell] : undefined
  const state = mood ? { mood, word: cellText(cell) } : cell
  const text = typeof state === 'object' && state !== null ? marked(state) : escaped(cellText(cell))
  const isPayment = column === 'payment' && paymentsAt !== undefined && text !== ''
  const shown = isPayment ? `<a href="${escaped(paymentsAt)}${text}">${text}</a>` : text
  return `<td class="${kind}" data-label="${escaped(column)}">${shown}</td>`
}

function columnKind(name: string, rows: NonNullable<ReportSection['rows']>, i: number): string {
  if (rows.every((row) => typeof row[i] === 'number')) return 'number'
  const longest = Math.max(...rows.map((row) => cellText(row[i] ?? null).length))
  const isWild = rows.some((row) =>
    cellText(row[i] ?? null)
      .split(/[\s-]/)
      .some(({ length }) => length > WORD_MAX),
  )
  const width = longest >= LONG_MIN ? 'long' : longest <= TINY_MAX ? 'tiny' : ''
  return `${width}${EXACT.has(name) ? ' exact' : ''}${isWild ? ' wild' : ''}`
}

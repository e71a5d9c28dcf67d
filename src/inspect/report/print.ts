import { withPlainTimes } from '../../core/model/calendar.ts'
import { counted, escaped, oneLine } from '../../core/model/text.ts'
import {
  allSections,
  atRiskText,
  type Cell,
  cardStyle,
  cellText,
  type MarkedCell,
  type MoneyAtRisk,
  markdownText,
  moodMarks,
  type ReportDocument,
  type ReportPoint,
  type ReportRun,
  type ReportSection,
  type ReportStory,
  summaryText,
  sumText,
  tokenStyle,
  verdictSentence,
} from '../report-document.ts'

/** Loads nothing and runs no script, because the report holds texts from others. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'"
const EXACT = new Set(['payment', 'reference', 'request', 'code', 'to', 'operation', 'command'])
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
  const sums = atRisk.sums.map((sum) => `<b>${escaped(sumText(sum))}</b>`).join('')
  return `<div class="risk"><span>Money at risk</span>${sums}<span>in ${counted(atRisk.payments, 'payment')}</span></div>`
}

function storyHtml({ title, money, link, ...point }: ReportStory): string {
  const about = money ? `<p class="when">${escaped(sumText(money))}</p>` : ''
  const there = link === undefined ? '' : `<p><a href="${escaped(link)}">Open this payment</a></p>`
  return `<article><h3>${escaped(title).replaceAll('_', '_<wbr>')}</h3>${about}<p>${escaped(point.text)}</p>${belonging(point)}${there}</article>`
}

function sectionHtml(section: ReportSection, paymentsAt: string | undefined): string {
  const { name, title, note, points = [], none } = section
  const size = sizeOf(section)
  if (size === 0 && none === undefined) return ''
  const count = size > 0 ? ` <small>${size.toLocaleString('en')}</small>` : ''
  const said = note === undefined ? '' : `<p class="when">${escaped(note)}</p>`
  const body =
    size === 0 ? `<p>${shownHtml(none ?? '')}</p>` : `${tableHtml(section, paymentsAt)}${points.map(topPoint).join('')}`
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

function tableHtml({ columns = [], rows = [] }: ReportSection, paymentsAt: string | undefined): string {
  if (rows.length === 0) return ''
  const shown = [...columns.keys()].filter((i) => rows.some((row) => cellText(row[i] ?? null) !== ''))
  const kinds = columns.map((name, i) => columnKind(name, rows, i))
  const heads = shown.map((i) => `<th scope="col" class="${kinds[i]}">${escaped(columns[i] ?? '')}</th>`)
  const body = rows.map((row) => {
    const cells = shown.map((i) => {
      const text = shownHtml(row[i] ?? null)
      const isPayment = columns[i] === 'payment' && paymentsAt !== undefined && text !== ''
      const cell = isPayment ? `<a href="${escaped(paymentsAt)}${text}">${text}</a>` : text
      return `<td class="${kinds[i]}" data-label="${escaped(columns[i] ?? '')}">${cell}</td>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  const table = `<table${shown.length > FEW ? ' class="many"' : ''}><thead><tr>${heads.join('')}</tr></thead><tbody>
${body.join('\n')}
</tbody></table>`
  return rows.length < FOLDED_FROM ? table : `<details><summary>Show all rows</summary>${table}</details>`
}

function shownHtml(cell: Cell | MarkedCell): string {
  return typeof cell === 'object' && cell !== null ? marked(cell) : escaped(cellText(cell))
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

export const reportStyle = `${tokenStyle}
main{max-width:78rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}
p{max-width:60rem}main>section,main>.worst>section{margin-top:2rem}h2 small{color:var(--soft);font-weight:400;font-size:var(--h3)}
.kind,.when{color:var(--soft);font-size:var(--small)}.when{margin-top:.25rem}.lead{margin-top:1.5rem}.lead p+p{margin-top:.375rem}
.good{--mood:var(--good);--wash:var(--good-wash)}.bad{--mood:var(--bad);--wash:var(--bad-wash)}.open{--mood:var(--open);--wash:var(--open-wash)}.none{--mood:var(--soft);--wash:var(--code)}
.mark{color:var(--mood);font-weight:600;white-space:nowrap}.mark i{font-style:normal;display:inline-block;min-width:1.1em;text-align:center;font-weight:700}
.first{display:grid;gap:.75rem;margin:1rem 0}.first>*{border-radius:10px;padding:.875rem 1.125rem}
.first .verdict{background:var(--wash);border-left:6px solid var(--mood);font-size:var(--h3);max-width:none}.verdict .mark{font-size:var(--h2);display:block;white-space:normal}
.risk{border:1px solid var(--line);background:var(--card)}.risk b{display:block;font-size:var(--h2);line-height:1.25;font-variant-numeric:tabular-nums}.risk span{color:var(--soft);font-size:var(--small)}
article{border:1px solid var(--line);border-radius:10px;background:var(--card);padding:.875rem 1.125rem;margin:.75rem 0}article h3+*,article p,article ul,article pre,article .told{margin-top:.5rem}
article,section>p{white-space:pre-line}article>div{white-space:normal}ul{padding-left:1.25rem;margin:.5rem 0}li{overflow-wrap:anywhere}
pre{overflow-wrap:anywhere;white-space:pre-wrap;background:var(--code);border-radius:8px;padding:.625rem .875rem;margin:.5rem 0;font-size:var(--tiny)}
.command code{background:var(--code);border-radius:6px;padding:.1875rem .5rem;overflow-wrap:anywhere;-webkit-box-decoration-break:clone;box-decoration-break:clone}.command span{color:var(--soft);font-size:var(--small)}
table{border-collapse:collapse;width:100%;font-size:var(--small);margin-top:.5rem}
th{text-align:left;color:var(--soft);font-weight:600;font-size:var(--tiny)}td,th{padding:.375rem .875rem .375rem 0;border-bottom:1px solid var(--line);vertical-align:top}td{overflow-wrap:break-word}.wild{overflow-wrap:anywhere}td:last-child,th:last-child{padding-right:0}
.number{text-align:right;font-variant-numeric:tabular-nums}.exact{font-family:ui-monospace,monospace;font-size:.92em}.tiny{white-space:nowrap}.long{min-width:14rem}
summary{cursor:pointer;min-height:2.75rem;display:list-item;line-height:2.75rem;font-weight:600;color:var(--accent)}
footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:.75rem}dl{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:0;font-size:var(--small)}dl div{display:flex;gap:.375rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
@media screen and (max-width:44rem){${cardStyle('table')}.number{text-align:left}}
@media screen and (max-width:64rem){${cardStyle('table.many')}.many .number{text-align:left}}
@media screen and (min-width:48rem){.first{grid-template-columns:minmax(0,3fr) minmax(14rem,1fr)}.first>:only-child{grid-column:1/-1}}
@media screen and (min-width:64rem){.worst.two{display:grid;grid-template-columns:minmax(0,1fr) 24rem;gap:0 2rem;align-items:start}}
@page{size:A4;margin:15mm 14mm}
@media print{details::details-content{content-visibility:visible;display:block}summary{display:none}:root,:root[data-theme]{color-scheme:light;--paper:#fff}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{font-size:9.5pt}main{max-width:none;padding:0}h1{font-size:18pt}h2{font-size:12pt;break-after:avoid}
table{font-size:7.5pt}.tiny{white-space:normal}.long{min-width:0}dl{font-size:7.5pt}thead{display:table-header-group}tr,.first,footer{break-inside:avoid}}
`

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

function storyText({ title, money, link, text, exact = [], more = [], command }: ReportStory): string {
  const head = [title, ...(money ? [sumText(money)] : [])].join(', ')
  const all = [...(link === undefined ? [] : [{ text: 'Open it:', exact: [link] }]), ...more]
  const told = [markdownText(text), '', ...all.map(bullet), ...again(command)]
  const folded = exact.length === 0 ? '' : `\n\n${foldedText('What happened', block(exact).join('\n'))}`
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
  const shown = rows.slice(0, rowsMax).map((row) => row.map(printed))
  const lines = [columns.map(markdownText), columns.map(() => '---'), ...shown]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function printed(cell: Cell | MarkedCell): string {
  const marked = typeof cell === 'object' && cell !== null
  const text = marked ? `${SIGNS[cell.mood]} ${cell.word}` : cellText(cell)
  return markdownText(text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text)
}

function pointText(point: ReportPoint): string {
  const below = textBelow(point)
  return below === '' ? bullet(point) : foldedText(point.text, below)
}

function textBelow({ exact = [], more = [], command }: Omit<ReportPoint, 'text'>): string {
  return [...block(exact), ...more.map(bullet), ...again(command)].join('\n')
}

/** A text that begins with a space would move its details out of its item. */
function bullet(point: ReportPoint): string {
  const below = textBelow(point).split('\n').filter(Boolean)
  return [`- ${markdownText(point.text.trim() || '…')}`, ...below.map((line) => `  ${line}`)].join('\n')
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

export function printJunit(report: ReportDocument): string {
  const { by, title, facts = [], runs = [], scorecard, sections } = report
  const name = `${by}: ${title}`
  const suites = [
    { name, classname: title, cases: runs, facts: [] },
    ...[...(scorecard ? [scorecard] : []), ...sections].map((section) => {
      const suite = `${name}: ${section.title}`
      return { name: suite, classname: suite, cases: casesOf(section), facts }
    }),
  ].filter(({ cases }) => cases.length > 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${countsOf(suites.flatMap(({ cases }) => cases))} name="${escaped(name)}">`,
    ...suites.map(suiteXml),
    '</testsuites>',
    '',
  ].join('\n')
}

interface Suite {
  name: string
  classname: string
  cases: readonly ReportRun[]
  facts: NonNullable<ReportDocument['facts']>
}

function suiteXml({ name, classname, cases, facts }: Suite): string {
  const known = facts.map(([key, value]) => `<property name="${escaped(key)}" value="${escaped(String(value))}"/>`)
  return [
    `<testsuite name="${escaped(name)}" ${countsOf(cases)}>`,
    ...(known.length > 0 ? [`<properties>${known.join('')}</properties>`] : []),
    ...cases.map((one) => caseXml(classname, one)),
    '</testsuite>',
  ].join('\n')
}

/** Without rows, what that means is one case. What is open is skipped, because it proves nothing yet. */
function casesOf({ title, columns = [], rows = [], none, named }: ReportSection): ReportRun[] {
  if (named === undefined) return []
  if (rows.length === 0) return typeof none === 'object' ? [{ ...none, name: title }] : []
  return rows.flatMap(([mark, ...cells]) => {
    if (typeof mark !== 'object' || mark === null) return []
    const known = cells.map((cell, i) => [columns[i + 1], cellText(cell)]).filter(([, text]) => text !== '')
    const name = cells.slice(0, named).map(cellText).filter(Boolean).join(' ')
    const why = [mark.word, ...known.slice(named).map(([column, text]) => `${column}: ${text}`)].join('; ')
    return { ...mark, mood: mark.mood === 'open' ? 'none' : mark.mood, name, why }
  })
}

function caseXml(classname: string, { name, tookMs = 0, output, file, line, ...came }: ReportRun): string {
  const place = file === undefined ? '' : ` file="${escaped(file)}" line="${line}"`
  const said = output === undefined ? '' : `<system-out>${escaped(output)}</system-out>`
  return `<testcase classname="${escaped(classname)}" name="${escaped(name)}" time="${tookMs / 1000}"${place}>${outcomeXml(came)}${said}</testcase>`
}

function outcomeXml({ mood, word, why = word, failures }: Omit<ReportRun, 'name'>): string {
  if (mood === 'good') return ''
  if (mood === 'none') return `<skipped message="${escaped(why)}"/>`
  if (mood === 'open') return `<error message="${escaped(word)}">${escaped(why)}</error>`
  return (failures ?? [{ type: word, message: why }])
    .map(
      ({ type, message, text = message }) =>
        `<failure type="${escaped(type)}" message="${escaped(message)}">${escaped(text)}</failure>`,
    )
    .join('')
}

function countsOf(cases: readonly ReportRun[]): string {
  const those = (wanted: ReportRun['mood']) => cases.filter(({ mood }) => mood === wanted).length
  const tookMs = cases.reduce((sum, one) => sum + (one.tookMs ?? 0), 0)
  return `tests="${cases.length}" failures="${those('bad')}" errors="${those('open')}" skipped="${those('none')}" time="${tookMs / 1000}"`
}

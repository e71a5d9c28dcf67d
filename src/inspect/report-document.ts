import { withPlainTimes } from '../core/model/calendar.ts'
import { moneyText, toMinor } from '../core/model/money.ts'
import { keysIn } from '../core/model/must.ts'
import { counted, escaped, oneLine } from '../core/model/text.ts'

export type ReportMood = 'good' | 'bad' | 'open' | 'none'
export type Cell = string | number | null
export interface MarkedCell {
  mood: ReportMood
  word: string
}

/** States are never told by colour alone. */
export const moodMarks = {
  good: { sign: '✓', word: 'Passed' },
  bad: { sign: '✗', word: 'Failed' },
  open: { sign: '!', word: 'Not judged' },
  none: { sign: '–', word: 'Skipped' },
} as const satisfies Record<ReportMood, { sign: string; word: string }>

export interface ReportDocument<Data = unknown> {
  by: string
  title: string
  /** `word`: instead of that of its mood. */
  verdict: { mood: ReportMood; word?: string; text: string }
  lead: readonly string[]
  atRisk?: MoneyAtRisk
  stories?: readonly ReportStory[]
  scorecard?: ReportSection
  sections: readonly ReportSection[]
  paymentsAt?: string
  facts?: readonly (readonly [name: string, value: string | number])[]
  runs?: readonly ReportRun[]
  data: Data
}

export interface ReportSection {
  title: string
  name?: string
  note?: string | undefined
  columns?: readonly string[]
  rows?: readonly (readonly (Cell | MarkedCell)[])[]
  points?: readonly ReportPoint[]
  none?: string | MarkedCell | undefined
  isOpen?: boolean | undefined
  isLog?: true
  /** Each row is a test case of JUnit: it begins with a mark, and so many cells behind that name it. */
  named?: number | undefined
}

export interface ReportPoint {
  text: string
  exact?: readonly string[]
  more?: readonly ReportPoint[]
  command?: string
}

export interface ReportStory extends ReportPoint {
  title: string
  money?: SumOfMoney | undefined
  link?: string
}

/** For JUnit, `good` passed, `bad` failed, `open` had an error, and `none` was skipped. */
export interface ReportRun {
  mood: ReportMood
  word: string
  name: string
  tookMs?: number
  why?: string
  failures?: readonly { type: string; message: string; text?: string }[]
  output?: string
  file?: string
  line?: number
}

export function verdictSentence({ verdict: { mood, word = moodMarks[mood].word, text } }: ReportDocument): string {
  return `${word}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

export function pointLines(point: ReportPoint, shown = asIs, shownExact = asIs): string[] {
  const { text, exact = [], more = [], command } = point
  const inner = [
    ...exact.map(shownExact),
    ...more.flatMap((one) => pointLines(one, shown, shownExact)),
    ...(command === undefined ? [] : [shown(`Run it: ${command}`)]),
  ]
  return [...text.split('\n').map(shown), ...inner.map((line) => `  ${line}`)]
}

function asIs(line: string): string {
  return line
}

export function cellText(cell: Cell | MarkedCell): string {
  if (typeof cell === 'number') return cell.toLocaleString('en')
  return cell === null
    ? ''
    : typeof cell === 'string'
      ? withPlainTimes(cell)
      : `${moodMarks[cell.mood].sign} ${cell.word}`
}

export function allSections({ sections, runs = [] }: ReportDocument): ReportSection[] {
  const rows = runs.map(({ mood, word, name, tookMs, why = null }) => {
    return [{ mood, word }, name, tookMs === undefined ? null : tookMs / 1000, why]
  })
  return [...sections, { name: 'runs', title: 'Runs', columns: ['verdict', 'name', 'seconds', 'why'], rows }]
}

export interface SumOfMoney {
  amountMinor: number
  currency: string
}

/** `payments`: how many it is about, each counted once, in however many runs it was seen. */
export interface MoneyAtRisk {
  sums: readonly SumOfMoney[]
  payments: number
}

export interface AboutMoney {
  requestId?: string
  reference?: string
  amount?: number
  currency?: string
}

export function moneyAtRisk(findings: readonly AboutMoney[]): MoneyAtRisk | undefined {
  const found = new Map<string, SumOfMoney>()
  for (const [i, one] of findings.entries()) {
    const money = moneyOf(one)
    const key = one.requestId ?? one.reference ?? String(i)
    if (money && money.amountMinor > (found.get(key)?.amountMinor ?? 0)) found.set(key, money)
  }
  if (found.size === 0) return undefined
  const byCurrency = Map.groupBy(found.values(), ({ currency }) => currency)
  const sums = Array.from(byCurrency, ([currency, all]) => ({
    currency,
    amountMinor: all.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  }))
  return { sums: sums.sort((a, b) => b.amountMinor - a.amountMinor), payments: found.size }
}

export function moneyOf({ amount, currency }: AboutMoney): SumOfMoney | undefined {
  const amountMinor = amount === undefined ? undefined : toMinor(amount)
  return amountMinor === undefined ? undefined : { amountMinor, currency: currency ?? '' }
}

export function sumText({ amountMinor, currency }: SumOfMoney): string {
  return moneyText(amountMinor, currency)
}

export function atRiskText({ sums, payments }: MoneyAtRisk): string {
  return `${sums.map(sumText).join(' + ')} in ${counted(payments, 'payment')}`
}

// Colours and type of all pages. A colour is [light, dark]; text keeps a contrast of 4.5 : 1 on paper, card and its
// wash.

export const colours = {
  paper: ['#faf9f6', '#111615'],
  card: ['#ffffff', '#19201e'],
  code: ['#f3f1ea', '#0d1211'],
  ink: ['#1c2422', '#e7ecea'],
  soft: ['#56615d', '#a3b0ab'],
  line: ['#dedbd2', '#313b38'],
  field: ['#7d8581', '#7d8a85'],
  accent: ['#0b6b57', '#5ccbae'],
  'on-accent': ['#ffffff', '#06251d'],
  good: ['#0b6b57', '#5ccbae'],
  'good-wash': ['#e3f1ec', '#15332b'],
  bad: ['#a4262c', '#f39a9a'],
  'bad-wash': ['#fbe9e9', '#3d1c1e'],
  open: ['#8a4b08', '#eab36a'],
  'open-wash': ['#fbeedc', '#36280f'],
  info: ['#1d5a94', '#8bbdf0'],
  'info-wash': ['#e4eef8', '#182c40'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

export const sansFamily = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
export const monoFamily = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'

const variables = keysIn(colours).map((name) => `--${name}:light-dark(${colours[name].join(',')});`)

/** The start of every style sheet. `data-theme` on the root overrides the reader's system. */
export const tokenStyle = `:root{color-scheme:light dark;${variables.join('')}
--h1:1.75rem;--h2:1.3125rem;--h3:1.0625rem;--small:.875rem;--tiny:.8125rem}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 ${sansFamily}}
h1,h2,h3,h4,p{margin:0;overflow-wrap:anywhere}
h1{font-size:var(--h1);line-height:1.2;letter-spacing:-.015em}h2{font-size:var(--h2);line-height:1.25;letter-spacing:-.01em}
h3{font-size:var(--h3);line-height:1.35}h4{font-size:var(--small)}
a{color:var(--accent);text-underline-offset:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
code,pre{font-family:${monoFamily};font-size:.875em}
@media (prefers-reduced-motion:reduce){*,*::before,*::after{animation:none!important;transition:none!important}}
`

/** Tables become cards where there is no room for their columns; each cell has its column in `data-label`. */
export function cardStyle(table: string): string {
  return `${table},${table} tbody,${table} tr{display:block}
${table} thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
${table} tr{padding:.625rem 0;border-bottom:1px solid var(--line)}
${table} td{display:block;border:0;padding:.0625rem 0;text-align:left;white-space:normal;min-width:0}${table} td:empty{display:none}
${table} td[data-label]::before{content:attr(data-label) ": ";color:var(--soft)}
`
}

/** One line that shows the text as it is: it cannot break a table, format, link or mention anybody. */
export function markdownText(text: string): string {
  const plain = oneLine(text.replaceAll(/\s+/g, ' ')).replace(
    /[\\`*_{}[\]<>|~#&]|:(?=\/\/)|(?<=www)\./gi,
    (found) => `\\${found}`,
  )
  return escapeMentions(plain)
}

export function summaryText(text: string): string {
  return escapeMentions(escaped(text.replaceAll(/\s+/g, ' ')))
}

/**
 * GitHub and GitLab find `@team` and `#12` in rendered text, so escapes do not help: a zero-width space does. It also
 * stops mail addresses from becoming links.
 */
function escapeMentions(markup: string): string {
  return markup.replace(/@|(?<!&)#(?=\d)/g, (found) => `${found}&#8203;`)
}

/** A report as data, from which every format is printed. */

import type { MoneyAtRisk, SumOfMoney } from './money-at-risk.ts'
import { withPlainTimes } from './plain-time.ts'
import type { Sequence } from './sequence.ts'

export type ReportMood = 'good' | 'bad' | 'open' | 'none'
export type Cell = string | number | null
/** A state in a table: its word, and the sign of its mood. */
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
  /** The worst first; three at the most. */
  stories?: readonly ReportStory[]
  scorecard?: ReportSection
  figures?: readonly { number: number; what: string }[]
  shares?: readonly { mood: ReportMood; number: number; what: string }[]
  sections: readonly ReportSection[]
  /** Where a server is: the address of a payment without its uuid. */
  paymentsAt?: string
  facts?: readonly (readonly [name: string, value: string | number])[]
  runs?: readonly ReportRun[]
  suites?: readonly ReportSuite[]
  data: Data
}

export interface ReportSection {
  title: string
  name?: string
  note?: string
  columns?: readonly string[]
  rows?: readonly (readonly (Cell | MarkedCell)[])[]
  points?: readonly ReportPoint[]
  none?: string
  isOpen?: true
  isLog?: true
}

export interface ReportPoint {
  text: string
  exact?: readonly string[]
  more?: readonly ReportPoint[]
  /** The command that reproduces this finding. */
  command?: string
}

/** Something that went wrong, told with what happened before. */
export interface ReportStory extends ReportPoint {
  title: string
  money?: SumOfMoney | undefined
  sequence?: Sequence | undefined
  /** An address that shows it, where a server is. */
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

export interface ReportSuite {
  name: string
  classname?: string
  properties?: Readonly<Record<string, string | number>>
  cases: readonly ReportRun[]
}

/** Such as `Failed: 3 findings.` */
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
  const rows = runs.map(({ mood, word, name, tookMs = 0, why = null }) => [{ mood, word }, name, tookMs / 1000, why])
  return [...sections, { name: 'runs', title: 'Runs', columns: ['verdict', 'name', 'seconds', 'why'], rows }]
}

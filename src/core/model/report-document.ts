/** A report as data, from which every format is printed. */

export type ReportMood = 'good' | 'bad' | 'open' | 'none'
export type Cell = string | number | null

export interface ReportDocument<Data = unknown> {
  by: string
  title: string
  verdict: { mood: ReportMood; text: string }
  lead: readonly string[]
  figures?: readonly { number: number; what: string }[]
  shares?: readonly { mood: ReportMood; number: number; what: string }[]
  sections: readonly ReportSection[]
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
  rows?: readonly (readonly Cell[])[]
  points?: readonly ReportPoint[]
  none?: string
  isOpen?: true
  isLog?: true
}

export interface ReportPoint {
  text: string
  exact?: readonly string[]
  more?: readonly ReportPoint[]
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

export function pointLines(point: ReportPoint, shown = asIs, shownExact = asIs): string[] {
  const { text, exact = [], more = [] } = point
  const inner = [...exact.map(shownExact), ...more.flatMap((one) => pointLines(one, shown, shownExact))]
  return [...text.split('\n').map(shown), ...inner.map((line) => `  ${line}`)]
}

function asIs(line: string): string {
  return line
}

export function allSections({ sections, runs = [] }: ReportDocument): ReportSection[] {
  const rows = runs.map(({ word, name, tookMs = 0, why = null }) => [word, name, tookMs / 1000, why])
  return [...sections, { name: 'runs', title: 'Runs', columns: ['verdict', 'name', 'seconds', 'why'], rows }]
}

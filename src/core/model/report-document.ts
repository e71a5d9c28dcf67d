/** A report as data: whoever has something to report makes a document of it, and every form is printed from that. */

/** `open`: not judged to the end. */
export type ReportMood = 'good' | 'bad' | 'open' | 'none'
export type Cell = string | number | null

export interface ReportDocument<Data = unknown> {
  /** Who reports: `mfano gauntlet`. */
  by: string
  /** Whom or what it is about. */
  title: string
  verdict: { mood: ReportMood; text: string }
  /** Sentences below the verdict. */
  lead: readonly string[]
  figures?: readonly { number: number; what: string }[]
  /** What became of the parts of a whole; drawn as a bar. */
  shares?: readonly { mood: ReportMood; number: number; what: string }[]
  sections: readonly ReportSection[]
  facts?: readonly (readonly [name: string, value: string | number])[]
  suites: readonly ReportSuite[]
  /** What programs read: the document that `--json` prints. */
  data: Data
}

/** A table, or a list of points. */
export interface ReportSection {
  /** Its anchor in HTML. */
  name: string
  title: string
  /** Read before the rest of it. */
  note?: string
  columns?: readonly string[]
  rows?: readonly (readonly Cell[])[]
  points?: readonly ReportPoint[]
  /** Printed where it is empty; a section without that is left out then. */
  none?: string
  /** Markdown shows it without a click. */
  isOpen?: true
  /** Each part was printed as it came, so that a terminal does not repeat it at the end. */
  isLog?: true
}

/** Something to read, with what belongs to it. */
export interface ReportPoint {
  text: string
  /** Lines that are shown letter by letter. */
  exact?: readonly string[]
  more?: readonly ReportPoint[]
}

/** Something that ended while a judge was at work. */
export interface ReportStep {
  mood: ReportMood
  /** `ok`. */
  word: string
  name: string
  tookMs: number
  more?: string
}

/** Test cases for JUnit. */
export interface ReportSuite {
  name: string
  /** What cases are grouped by; the suite's name without. */
  classname?: string
  properties?: Readonly<Record<string, string | number>>
  cases: readonly ReportCase[]
}

/** Passed where it has no failures, no error, and was not skipped. */
export interface ReportCase {
  name: string
  tookMs?: number
  failures?: readonly { type: string; message: string; text?: string }[]
  error?: { message: string; text: string }
  /** Why. */
  skipped?: string
  output?: string
  file?: string
  line?: number
}

/** The lines of a point and of what belongs to it, indented. */
export function pointLines(point: ReportPoint, shown = asIs, shownExact = asIs): string[] {
  const { text, exact = [], more = [] } = point
  const inner = [...exact.map(shownExact), ...more.flatMap((one) => pointLines(one, shown, shownExact))]
  return [...text.split('\n').map(shown), ...inner.map((line) => `  ${line}`)]
}

function asIs(line: string): string {
  return line
}

/** Steps as a table. */
export function stepSection(name: string, title: string, steps: readonly ReportStep[]): ReportSection {
  const rows = steps.map((one) => [one.word, one.name, one.tookMs / 1000, one.more ?? null])
  return { name, title, columns: ['verdict', 'name', 'seconds', 'why'], rows, isLog: true }
}

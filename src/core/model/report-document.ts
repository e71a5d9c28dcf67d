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
  /** What became of the parts of a whole, drawn as a bar; of the runs without. */
  shares?: readonly { mood: ReportMood; number: number; what: string }[]
  sections: readonly ReportSection[]
  facts?: readonly (readonly [name: string, value: string | number])[]
  /** What was run, as it ended: a table, and a test case each. */
  runs?: readonly ReportRun[]
  /** The test cases, where they are others than the runs. */
  suites?: readonly ReportSuite[]
  /** What programs read: the document that `--json` prints. */
  data: Data
}

/** A table, or a list of points. One that is empty is left out, unless it says why. */
export interface ReportSection {
  title: string
  /** Its anchor in HTML. */
  name?: string
  /** Read before the rest of it. */
  note?: string
  columns?: readonly string[]
  rows?: readonly (readonly Cell[])[]
  points?: readonly ReportPoint[]
  none?: string
  /** Markdown shows it without a click. */
  isOpen?: true
  /** It was printed as it came, so that a terminal does not repeat it at the end. */
  isLog?: true
}

/** Something to read, with what belongs to it. */
export interface ReportPoint {
  text: string
  /** Lines that are shown letter by letter. */
  exact?: readonly string[]
  more?: readonly ReportPoint[]
}

/** Something that ended. For JUnit, a `good` one passed, a `bad` one failed, an `open` one had an error, and `none` was skipped. */
export interface ReportRun {
  mood: ReportMood
  /** `ok`. */
  word: string
  name: string
  tookMs?: number
  /** Several lines, of which the first is told at once. */
  why?: string
  /** What failed; the reason without. */
  failures?: readonly { type: string; message: string; text?: string }[]
  output?: string
  file?: string
  line?: number
}

/** A group of test cases. */
export interface ReportSuite {
  name: string
  /** What cases are grouped by; the suite's name without. */
  classname?: string
  properties?: Readonly<Record<string, string | number>>
  cases: readonly ReportRun[]
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

/** The sections as files have them: with a table of the runs. */
export function allSections({ sections, runs = [] }: ReportDocument): ReportSection[] {
  const rows = runs.map(({ word, name, tookMs = 0, why = null }) => [word, name, tookMs / 1000, why])
  return [...sections, { name: 'runs', title: 'Runs', columns: ['verdict', 'name', 'seconds', 'why'], rows }]
}

/** What a gauntlet came to, as every form of report tells it. */
import type { Gap } from '../../inspect/coverage.ts'

/** So many gaps of a dimension are told. */
const GAPS_TOLD = 4

/** Something that is wrong with an app, as a story. */
export interface GauntletFinding {
  /** Of reconciling, or `never_quiet`, `app_died`, `port_taken`, `not_ready`. */
  code: string
  reference?: string
  requestId?: string
  scenario: string
  /** Found on the ordinary day, so that what is like it elsewhere says nothing of its scenario. */
  ordinary?: true
  /** The money. */
  text: string
  /** The requests about it, in order. */
  requests: string[]
  /** The last that the app wrote to its standard error, where it wrote anything. */
  errors?: string
  /** What the scenario's comment says to do; empty where the scenario is not to blame. */
  advice: string
  /** The file that repeats it, where capsules are kept. */
  capsule?: string
}

/** `unjudged`: something kept it from a verdict. */
export type Verdict = 'clean' | 'findings' | 'unjudged' | 'skipped'

/** What became of one scenario. */
export interface ScenarioResult {
  scenario: string
  verdict: Verdict
  /** Why it was skipped or could not be judged. */
  why?: string
  findings: GauntletFinding[]
  /** Advice about habits. */
  warnings: GauntletFinding[]
  /** Its rules and faults that nothing met in this run: what they are about was not tried. */
  unmet: string[]
  /** Real milliseconds. */
  tookMs: number
}

/** All of it. */
export interface GauntletReport {
  merchant: string
  findings: GauntletFinding[]
  warnings: GauntletFinding[]
  /** Findings that the baseline knows; they do not count. */
  known: GauntletFinding[]
  scenarios: ScenarioResult[]
  /** Of a hundred, by dimension; what the app exercised over all scenarios. */
  coverage: Record<string, number>
  /** What was not exercised, by dimension, with what leads there. */
  gaps: Record<string, Gap[]>
  /** Dimensions that are covered by less than was wanted. */
  tooLittle: string[]
  /** It was stopped before all scenarios had run. */
  interrupted: boolean
}

/** `61 scenarios: 23 apply, 38 skipped`. */
export function countsOf({ scenarios }: Pick<GauntletReport, 'scenarios'>) {
  const of = (verdict: Verdict) => scenarios.filter((one) => one.verdict === verdict).length
  return {
    all: scenarios.length,
    clean: of('clean'),
    findings: of('findings'),
    unjudged: of('unjudged'),
    skipped: of('skipped'),
  }
}

/** A finding in plain text: the money, the requests, what to do. */
export function storyOf({ code, scenario, text, requests, advice, capsule }: GauntletFinding): string {
  const more = [
    ...(advice === '' ? [] : [`What to do: ${advice}`]),
    ...(capsule === undefined ? [] : [`Repeat it: mfano replay ${capsule}`]),
  ]
  const lines = [`${code} under ${scenario}`, text, ...requests, ...more]
  return lines.join('\n')
}

/** The gaps of a dimension for people: the nearest, and those first that a command leads to. */
export function gapLines({ gaps }: Pick<GauntletReport, 'gaps'>, dimension: string): string[] {
  const all = (gaps[dimension] ?? []).toSorted(
    (a, b) => Number(b.command !== undefined) - Number(a.command !== undefined),
  )
  const told = all
    .slice(0, GAPS_TOLD)
    .map(({ name, command }) => (command === undefined ? name : `${name}: ${command}`))
  return all.length > told.length ? [...told, `and ${all.length - told.length} more`] : told
}

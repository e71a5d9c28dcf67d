/** What a matrix came to, as every form of report tells it. */
import type { FirstDifference } from './first-difference.ts'

/** An assumption, and the alternative that is in force in a run. */
export interface ChosenAlternative {
  assumption: string
  alternative: string
}

/**
 * `breaks`: red under it, twice. `flaky`: red once and green once, so it is no verdict. `unjudged`: the world or the
 * suite could not be run so. `skipped`: nothing that the suite asks for can show it, or it was measured.
 */
export type MatrixVerdict = 'green' | 'breaks' | 'flaky' | 'unjudged' | 'skipped'

/** One run under other choices than the default ones. */
export interface MatrixRun {
  /** `error-body: flat`, `pairwise 3`, or `drawn 7` by its seed. */
  name: string
  choices: ChosenAlternative[]
  verdict: MatrixVerdict
  why?: string
  /** Real milliseconds. */
  tookMs: number
}

/** Alternatives under which the suite is red, as few as it takes. */
export interface MatrixFinding {
  code: 'breaks_suite'
  /** One, unless it takes more than one together. */
  choices: ChosenAlternative[]
  /** What the question is about, for the first of them. */
  question: string
  text: string
  /** The end of what the suite said, or what was found in the app's books. */
  said: string
  /** Null where the journal went as in the default run. */
  firstDifference: FirstDifference | null
}

/** All of it. */
export interface MatrixReport {
  suite: string
  /** Where the suite is red under the defaults, nothing else is run. */
  defaults: { verdict: 'green' | 'red' | 'unjudged'; said: string }
  findings: MatrixFinding[]
  runs: MatrixRun[]
  /** Runs of alternatives that were not needed, because the service showed at its sandbox that they do not hold. */
  saved: number
  /** So many sets were drawn, by this seed and those after it, and the command that repeats the first; null where none was. */
  sample: { count: number; seed: number; repeat: string } | null
  /** It was stopped before all had run. */
  interrupted: boolean
}

/** `error-body: flat + list-order: newest-first`. */
export function rowName(choices: readonly ChosenAlternative[]): string {
  return choices.map(({ assumption, alternative }) => `${assumption}: ${alternative}`).join(' + ')
}

/** The difference as one sentence. */
export function differenceText({ name, path, byDefault, here }: FirstDifference): string {
  return `First difference: ${name}${path === '' ? '' : `, ${path}`}: ${byDefault} by default, ${here} here.`
}

/** The result of a matrix, as all report formats use it. */
import type { FirstDifference } from './first-difference.ts'

export interface ChosenAlternative {
  assumption: string
  alternative: string
}

/**
 * `breaks`: red twice. `flaky`: red once and green once, so there is no verdict. `unjudged`: the run was impossible.
 * `skipped`: the suite uses nothing that shows the alternative, or it was measured.
 */
export type MatrixVerdict = 'green' | 'breaks' | 'flaky' | 'unjudged' | 'skipped'

export interface MatrixRun {
  /** Such as `error-body: flat`, `pairwise 3`, or `drawn 7` after its seed. */
  name: string
  choices: ChosenAlternative[]
  verdict: MatrixVerdict
  why?: string
  tookMs: number
}

export interface MatrixFinding {
  code: 'breaks_suite'
  /** More than one only if no single choice is enough. */
  choices: ChosenAlternative[]
  question: string
  text: string
  said: string
  firstDifference: FirstDifference | null
}

export interface MatrixReport {
  suite: string
  /** If the suite is red under the defaults, nothing else runs. */
  defaults: { verdict: 'green' | 'red' | 'unjudged'; said: string }
  findings: MatrixFinding[]
  runs: MatrixRun[]
  /** Runs skipped because the alternatives were disproved at the real sandbox. */
  saved: number
  /** Seeds `seed` to `seed + count - 1` were drawn; `repeat` is the command that repeats the first. */
  sample: { count: number; seed: number; repeat: string } | null
  interrupted: boolean
}

/** Such as `error-body: flat + list-order: newest-first`. */
export function rowName(choices: readonly ChosenAlternative[]): string {
  return choices.map(({ assumption, alternative }) => `${assumption}: ${alternative}`).join(' + ')
}

export function differenceText({ name, path, byDefault, here }: FirstDifference): string {
  return `First difference: ${name}${path === '' ? '' : `, ${path}`}: ${byDefault} by default, ${here} here.`
}

import type { ReportRun } from '../inspect/report-document.ts'

/** Greater than one, because an app mostly waits. */
export const WORLDS_PER_CPU = 4
/** Lower than for apps, because a suite keeps a processor busy. */
export const SUITES_PER_CPU = 2
/** Explore and reproduce run so many: more than one, because a run sometimes waits; with more still, each is slowed. */
export const RUNS_PER_CPU = 2

/** The longest that an app may take until it is ready, and until it rests, in real milliseconds. */
export interface Patience {
  readyWithinMs: number
  restWithinMs: number
}

/** Told to every judge. */
export interface JudgeOptions extends Patience {
  /** Worlds at a time. */
  jobs: number
  tls: boolean
  signal: AbortSignal
  ended(run: ReportRun): void
}

export interface SubjectOptions extends JudgeOptions {
  words: readonly string[]
  env: Readonly<Record<string, string>>
  suiteWithinMs: number
  scenario: string
}

export function merchantFileIn(words: readonly string[]): string | undefined {
  const [first = ''] = words
  return words.length === 1 && /\.(?:ya?ml|json)$/.test(first) ? first : undefined
}

/** The input cannot be used. `option` names the option it came from. */
export class Unusable extends Error {
  readonly code: string
  readonly hint: string
  readonly option: string | undefined
  constructor(message: string, more: { code: string; hint?: string; option?: string }) {
    super(message)
    this.code = more.code
    this.hint = more.hint ?? ''
    this.option = more.option
  }
}

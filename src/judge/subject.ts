/** What every judge is told of whom to judge, and how it says that something given to it cannot be used. */
import type { ReportRun } from '../core/model/report-document.ts'

/** An app mostly waits in its world, so that there may be more worlds than processors. */
export const WORLDS_PER_CPU = 4
/** A suite keeps a processor busy. */
export const SUITES_PER_CPU = 2

export interface SubjectOptions {
  /** A merchant file; or a suite: a program and its words, or one line for the shell. */
  words: readonly string[]
  /** For a suite: variables of the environment, with placeholders. */
  env: Readonly<Record<string, string>>
  /** For a suite: where the app's books are once it has ended. */
  books?: string | undefined
  /** Real milliseconds: how long an app may take until it is ready and until it rests, and how long one run of a suite takes at most. */
  readyWithinMs: number
  restWithinMs: number
  suiteWithinMs?: number
  /** Worlds at a time; by the number of processors without. */
  jobs: number | undefined
  signal: AbortSignal
  /** Told of each run as it ends. */
  ended(run: ReportRun): void
}

/** Something that was given cannot be used. `option`: what it was given as. */
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

/** What a run of an app or a suite in one world is given, and what it comes to. */
import type { RequestWithoutPayment } from '../../inspect/finding.ts'
import type { AppFindingCode } from '../app/app-findings.ts'
import type { OwnWorld } from './own-worlds.ts'

/** Something that is wrong with an app, as a story. */
export interface AppFinding {
  /** Of reconciling, or of `app-findings.ts`. */
  code: string
  reference?: string
  requestId?: string
  /** The money. */
  text: string
  /** The requests about it, in order. */
  requests: string[]
  /** The last that the app wrote to its standard error, where it wrote anything. */
  errors?: string
  /** The file that repeats it, where capsules are kept. */
  capsule?: string
}

/** The world that it runs in. */
export interface SubjectWorld extends OwnWorld {
  signal: AbortSignal
  /** What the app asked for on the ordinary day; not known on that day itself. */
  asked?: RequestWithoutPayment[] | undefined
}

/** What a run of the app in one world came to. */
export interface SubjectOutcome {
  findings: AppFinding[]
  warnings: AppFinding[]
  /** Why there is no verdict. */
  unjudged?: string
  /** There is none because no payment was made. */
  idle?: boolean
  /** What the app asked for, where it was judged. */
  asked?: RequestWithoutPayment[]
  /** The books, as the app showed them. */
  books?: unknown
  /** How the app answered what was asked of it, in order. */
  acts?: string[]
}

/** One of a judge's own. */
export function ownFinding(code: AppFindingCode, text: string, requests: string[] = []): AppFinding {
  return { code, text, requests }
}

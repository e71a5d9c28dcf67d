/** What asking the service came to. */
import type { Tier } from '../../service/probes.ts'

/**
 * `holds`: the answers are those of one alternative. `none-of-ours`: they are those of none. `untold`: they fit several,
 * and `excluded` are out. `unstable`: asked twice, it answered as two. `not-asked`: `why` says what would allow it.
 */
export type CalibrationVerdict = 'holds' | 'none-of-ours' | 'untold' | 'unstable' | 'not-asked'

/** A request and what it was answered, as far as they are kept: without secrets. */
export interface KeptExchange {
  asked: string
  sent: string
  status: number
  answered: string
}

export interface Calibrated {
  assumption: string
  question: string
  verdict: CalibrationVerdict
  /** Of `holds`; null otherwise. */
  alternative: string | null
  excluded: string[]
  /** Of all but `holds`. */
  why: string | null
  /** What the answers cost. */
  tier: Tier | null
  /** What decided, or was to decide, it. */
  evidence: KeptExchange[]
  /** The day, `2026-11-25`. */
  on: string
}

export interface CalibrationReport {
  baseUrl: string
  startedAt: string
  requests: number
  payments: number
  answers: Calibrated[]
  /** Why it ended before all was asked; null where it did not. */
  stopped: {
    code: 'interrupted' | 'budget' | 'accepted' | 'moved' | 'unreachable'
    why: string
    evidence: KeptExchange[]
  } | null
}

/** Ends everything: nothing more is sent. */
export class Stopped extends Error {
  readonly code: NonNullable<CalibrationReport['stopped']>['code']
  readonly evidence: readonly KeptExchange[]
  constructor(
    code: NonNullable<CalibrationReport['stopped']>['code'],
    why: string,
    evidence: readonly KeptExchange[] = [],
  ) {
    super(why)
    this.code = code
    this.evidence = evidence
  }
}

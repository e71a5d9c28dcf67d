import type { Tier } from '../../service/probe.ts'

const KEPT_CHARACTERS = 2000

/**
 * `holds`: the answers match one alternative. `none-of-ours`: they match none. `untold`: they match several; `excluded`
 * lists those ruled out. `unstable`: two probes gave different answers. `not-asked`: `why` says what would allow the
 * probe.
 */
export type CalibrationVerdict = 'holds' | 'none-of-ours' | 'untold' | 'unstable' | 'not-asked'

export type KeptExchange = ReturnType<typeof keptExchange>

export function keptExchange(asked: string, sent: string, status: number, answered: string) {
  return { asked, sent: short(sent), status, answered: short(answered) }
}

function short(text: string): string {
  return text.length > KEPT_CHARACTERS ? `${text.slice(0, KEPT_CHARACTERS)}…` : text
}

export interface Calibrated {
  assumption: string
  question: string
  verdict: CalibrationVerdict
  alternative: string | null
  excluded: string[]
  why: string | null
  tier: Tier | null
  evidence: KeptExchange[]
  on: string
}

export interface CalibrationReport {
  baseUrl: string
  startedAt: string
  requests: number
  payments: number
  /** Requests that were certain to be refused and were not. The first one ends the calibration. */
  accepted: number
  answers: Calibrated[]
  stopped: {
    code: 'interrupted' | 'budget' | 'accepted' | 'moved' | 'unreachable'
    why: string
    evidence: KeptExchange[]
  } | null
}

type End = NonNullable<CalibrationReport['stopped']>

/** Ends the calibration, so that nothing more is sent. */
export class Stopped extends Error {
  readonly end: End
  constructor(code: End['code'], why: string, evidence: KeptExchange[] = []) {
    super(why)
    this.end = { code, why, evidence }
  }
}

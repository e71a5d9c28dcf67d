/** Input and result of one run of an app or a suite in one world. */
import type { Sequence } from '../../core/model/sequence.ts'
import type { RequestWithoutPayment } from '../../inspect/finding.ts'
import type { AppFindingCode } from '../app/app-findings.ts'
import type { OwnWorld } from './own-worlds.ts'

export interface AppFinding {
  /** A code of reconciliation, or of `app-findings.ts`. */
  code: string
  reference?: string
  requestId?: string
  /** Other payments that it is about. */
  others?: string[]
  /** At risk, in major units. */
  amount?: number
  currency?: string
  text: string
  requests: string[]
  errors?: string
  capsule?: string
  /** The story of its payments. */
  sequence?: Sequence
}

export interface SubjectWorld extends OwnWorld {
  signal: AbortSignal
  /** Requests of the ordinary run. Undefined in that run itself. */
  asked?: RequestWithoutPayment[] | undefined
}

export interface SubjectOutcome {
  findings: AppFinding[]
  warnings: AppFinding[]
  unjudged?: string
  /** No verdict because no payment was made. */
  idle?: boolean
  asked?: RequestWithoutPayment[]
  books?: unknown
  acts?: string[]
}

export function ownFinding(code: AppFindingCode, text: string, requests: string[] = []): AppFinding {
  return { code, text, requests }
}

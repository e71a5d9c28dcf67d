/** The verdict on a run, and the problems to look at first. */
import type { FindingShown } from '../finding.ts'
import type { Fired } from './fired.ts'
import type { Paid } from './paid.ts'
import type { RequestedInSpan } from './requested.ts'
import type { ToldInSpan } from './told.ts'

/**
 * `finding`: books and ledger differ. `given_up`: no receiver accepted a callback. `idle`: an armed rule never fired.
 * `open`: a payment has not ended.
 */
export type ProblemCode = 'finding' | 'given_up' | 'idle' | 'open'

/** An `error` makes the run fail. */
export interface RunProblem {
  code: ProblemCode
  level: 'error' | 'warning'
  count: number
}

/** `empty`: nothing happened. `attention`: nothing is wrong, but not everything is tested. */
export type RunVerdict = 'failed' | 'attention' | 'passed' | 'empty'

export interface BooksComparison {
  at: string
  findings: FindingShown[]
  warnings: FindingShown[]
}

export interface RunCounts {
  payments: Paid['counts']
  requests: RequestedInSpan['counts']
  callbacks: ToldInSpan['counts']
}

export function problemsOf(of: {
  counts: RunCounts
  fired: readonly Fired[]
  compared: BooksComparison | null
}): RunProblem[] {
  const { counts, fired, compared } = of
  const all: RunProblem[] = [
    { code: 'finding', level: 'error', count: compared?.findings.length ?? 0 },
    { code: 'given_up', level: 'error', count: counts.callbacks.givenUp },
    { code: 'idle', level: 'warning', count: fired.filter(({ hits }) => hits === 0).length },
    { code: 'open', level: 'warning', count: counts.payments.open },
  ]
  return all.filter(({ count }) => count > 0)
}

export function verdictOf(problems: readonly RunProblem[], { payments, requests, callbacks }: RunCounts): RunVerdict {
  if (problems.some(({ level }) => level === 'error')) return 'failed'
  if (payments.all + requests.all + callbacks.all === 0) return 'empty'
  return problems.length > 0 ? 'attention' : 'passed'
}

/** What somebody should look at first, and what a run comes to. */
import type { FindingShown } from '../finding.ts'
import type { Fired } from './fired.ts'
import type { Paid } from './paid.ts'
import type { RequestedInSpan } from './requested.ts'
import type { ToldInSpan } from './told.ts'

/** `finding`: books and ledger differ. `given_up`: nobody took a callback. `idle`: armed, and never fired. `open`: not ended. */
export type ProblemCode = 'finding' | 'given_up' | 'idle' | 'open'

/** Something to look at; an `error` makes a run fail. */
export interface RunProblem {
  code: ProblemCode
  level: 'error' | 'warning'
  count: number
}

/** `empty`: nothing happened. `attention`: nothing is wrong, and not all is tested. */
export type RunVerdict = 'failed' | 'attention' | 'passed' | 'empty'

/** The last comparison of books. */
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

/** The gravest first. */
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

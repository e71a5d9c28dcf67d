/** The verdict on a run, and the problems to look at first. To add a problem, add a record. */
import { counted } from '../../core/model/counted.ts'
import { keysIn } from '../../core/model/must.ts'
import type { ReportMood } from '../../core/model/report-document.ts'
import type { FindingShown } from '../finding.ts'
import type { Fired } from './fired.ts'
import type { Paid } from './paid.ts'
import type { RequestedInSpan } from './requested.ts'
import type { ToldInSpan } from './told.ts'

export interface ProblemRecord {
  /** An `error` makes a run fail. */
  level: 'error' | 'warning'
  count(of: Looked): number
  words(count: number): string
}

interface Looked {
  counts: RunCounts
  fired: readonly Fired[]
  compared: BooksComparison | null
}

/** The gravest first. */
export const runProblems = {
  finding: {
    level: 'error',
    count: ({ compared }) => compared?.findings.length ?? 0,
    words: (count) => `${counted(count, 'finding')}: books and ledger differ`,
  },
  given_up: {
    level: 'error',
    count: ({ counts }) => counts.callbacks.givenUp,
    words: (count) => `${counted(count, 'callback')} given up after the last attempt`,
  },
  repeated: {
    level: 'warning',
    count: ({ counts }) => counts.payments.repeated,
    words: (count) => `${counted(count, 'reference')} sent for more than one payment`,
  },
  undelivered: {
    level: 'warning',
    count: ({ counts }) => counts.callbacks.undelivered,
    words: (count) => `${counted(count, 'callback')} tried and not delivered yet`,
  },
  idle: {
    level: 'warning',
    count: ({ fired }) => fired.filter(({ hits }) => hits === 0).length,
    words: (count) => `${counted(count, 'rule or fault', 'rules and faults')} never fired, so nothing tested them`,
  },
  open: {
    level: 'warning',
    count: ({ counts }) => counts.payments.open,
    words: (count) => `${counted(count, 'payment')} still pending`,
  },
} satisfies Record<string, ProblemRecord>

export type ProblemCode = keyof typeof runProblems
export const problemCodes = keysIn(runProblems)

export interface RunProblem {
  code: ProblemCode
  level: ProblemRecord['level']
  count: number
}

/**
 * `unjudged`: neither books nor expectations were checked, so nothing says whether the app is right. `attention`: nothing
 * is wrong, but not everything is tested. `empty`: nothing happened.
 */
export const runVerdicts = {
  failed: { words: 'Failed', mood: 'bad' },
  unjudged: { words: 'Not judged', mood: 'open' },
  attention: { words: 'Passed, with warnings', mood: 'open' },
  passed: { words: 'Passed', mood: 'good' },
  empty: { words: 'Nothing was tested', mood: 'none' },
} as const satisfies Record<string, { words: string; mood: ReportMood }>
export type RunVerdict = keyof typeof runVerdicts
export const verdictNames = keysIn(runVerdicts)

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

export function problemsOf(of: Looked): RunProblem[] {
  return problemCodes
    .map((code) => ({ code, level: runProblems[code].level, count: runProblems[code].count(of) }))
    .filter(({ count }) => count > 0)
}

export function verdictOf(
  problems: readonly RunProblem[],
  { payments, requests, callbacks }: RunCounts,
  isChecked: boolean,
): RunVerdict {
  if (problems.some(({ level }) => level === 'error')) return 'failed'
  if (payments.all + requests.all + callbacks.all === 0) return 'empty'
  if (!isChecked) return 'unjudged'
  return problems.length > 0 ? 'attention' : 'passed'
}

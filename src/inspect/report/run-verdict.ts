/** The verdict on a run, and the problems to look at first. To add a problem, add a record. */
import * as z from 'zod'
import { keysIn } from '../../core/model/must.ts'
import { counted } from '../../core/model/text.ts'
import { findingShape } from '../finding.ts'
import { type Level, levels } from '../reconcile/findings/finding-record.ts'
import type { ReportMood } from '../report-document.ts'
import { type AnswerOf, shape } from '../view.ts'
import type { CallbacksOfRun, FiredEntry, PaymentsOfRun, RequestsOfRun, RunSection } from './run-lists.ts'

export interface ProblemRecord {
  level: Level
  count(of: Looked): number
  words(count: number): string
}

interface Looked {
  counts: RunCounts
  fired: readonly FiredEntry[]
  compared: BooksComparison | null
}

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

const problemCodes = keysIn(runProblems)

export const problemShape = shape(null, () =>
  z.object({ code: z.enum(problemCodes), level: z.enum(levels), count: z.number() }),
)
export type RunProblem = AnswerOf<typeof problemShape>

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
type RunVerdict = keyof typeof runVerdicts
export const verdictNames = keysIn(runVerdicts)

export const booksComparisonShape = shape(null, () =>
  z.object({ at: z.string(), findings: z.array(findingShape()), warnings: z.array(findingShape()) }),
)
export type BooksComparison = AnswerOf<typeof booksComparisonShape>

interface RunCounts {
  payments: PaymentsOfRun['counts']
  requests: RequestsOfRun['counts']
  callbacks: CallbacksOfRun['counts']
}

export function problemsOf(of: Looked): RunProblem[] {
  return problemCodes
    .map((code) => ({ code, level: runProblems[code].level, count: runProblems[code].count(of) }))
    .filter(({ count }) => count > 0)
}

export function verdictOf(problems: readonly RunProblem[], counts: RunCounts, isChecked: boolean): RunVerdict {
  if (problems.some(({ level }) => level === 'error')) return 'failed'
  if (counts.payments.all + counts.requests.all + counts.callbacks.all === 0) return 'empty'
  if (!isChecked) return 'unjudged'
  return problems.length > 0 ? 'attention' : 'passed'
}

const levelMarks = { error: { mood: 'bad', word: 'error' }, warning: { mood: 'open', word: 'warning' } } as const

export function problemSection(problems: readonly RunProblem[]): RunSection {
  return {
    name: 'problems',
    title: 'Look at this first',
    isOpen: true,
    columns: ['level', 'what'],
    rows: problems.map(({ code, level, count }) => [levelMarks[level], runProblems[code].words(count)]),
  }
}

export function findingSection(compared: BooksComparison | null): RunSection {
  const findings = compared ? [...compared.findings, ...compared.warnings] : []
  return {
    name: 'findings',
    title: 'Books against the ledger',
    ...(compared && { note: `Compared at ${compared.at}. mfano explain PAYMENT shows what happened to one.` }),
    columns: ['level', 'code', 'reference', 'payment', 'what'],
    rows: findings.map(({ level, code, reference = null, requestId = null, text }) => {
      return [levelMarks[level], code, reference, requestId, text]
    }),
    none: compared
      ? { mood: 'good', word: 'They agree.' }
      : { mood: 'none', word: 'No books were compared: mfano reconcile compares them.' },
    named: 2,
  }
}

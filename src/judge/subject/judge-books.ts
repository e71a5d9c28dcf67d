/** Judges an app's run in a world by its books, the ledger and the journal. */
import type { ControlBody } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import type { FindingShown } from '../../inspect/finding.ts'
import type { SubjectOutcome, SubjectWorld } from './outcome.ts'
import { requestsOf } from './story.ts'

const JOURNAL_MAX = 1000

/** Without books, only the journal is judged. Unreadable books leave the run unjudged. */
export async function judgeBooks(
  { control, asked }: Pick<SubjectWorld, 'control' | 'asked'>,
  books?: unknown,
): Promise<SubjectOutcome> {
  const body = { ...(books !== undefined && { books }), ...(asked && { asked }) } as ControlBody<'POST', '/reconcile'>
  try {
    const [{ findings, warnings, ...compared }, { requests }] = await Promise.all([
      control('POST', '/reconcile', { body }),
      control('GET', '/requests', { query: { order: 'oldest-first', limit: JOURNAL_MAX } }),
    ])
    const told = (one: FindingShown) => ({
      code: one.code,
      ...(one.reference !== undefined && { reference: one.reference }),
      ...(one.requestId !== undefined && { requestId: one.requestId }),
      ...(one.others && { others: one.others }),
      ...(one.amount !== undefined && { amount: one.amount }),
      ...(one.currency !== undefined && { currency: one.currency }),
      text: one.text,
      requests: requestsOf(one, requests),
    })
    return { findings: findings.map(told), warnings: warnings.map(told), asked: compared.asked }
  } catch (error) {
    if (error instanceof MfanoError && error.status === 400)
      return { findings: [], warnings: [], unjudged: `The books: ${error.details || error.reason}` }
    throw error
  }
}

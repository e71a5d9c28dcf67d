/** The books of an app against the ledger of its world. */
import type { Control, ControlBody } from '../../client/control.ts'
import type { Verdict } from '../../client/control-answers.ts'
import { MfanoError } from '../../client/errors.ts'

/** One payment, as the app under test sees it. What is left out is not compared. */
export interface BooksLine {
  /** What it sent as `referenceId` or `externalReference`. */
  reference?: string | null
  /** The service's id, once it knows that. */
  requestId?: string | null
  kind?: string
  /** Major units. */
  amount?: number | string
  currency?: string
  /** In the service's words. */
  status?: string
  /** Where it knows of one: what the rails charged, and what it has to give back to the payer. */
  fee?: number | string
  refundDue?: number | string
}

export interface ReconcileOptions {
  /** What it fails for: findings about money, which is usual, or advice too. */
  failOn?: 'error' | 'warning' | 'never'
  /** Findings of your own: conditions in CEL over `line` and `payment`. */
  findings?: ControlBody<'POST', '/reconcile'>['findings']
  /** Whose books they are, where the world has several organisations. */
  organisationId?: string
}

/** Gives what was found; fails with it unless there is nothing that counts. */
export async function reconcile(
  control: Control,
  books: readonly BooksLine[] | string,
  { failOn = 'error', ...more }: ReconcileOptions,
): Promise<Verdict> {
  const body = { books: typeof books === 'string' ? books : [...books], ...more }
  const verdict = await control('POST', '/reconcile', { body })
  const counting = failOn === 'warning' ? [...verdict.findings, ...verdict.warnings] : verdict.findings
  if (failOn === 'never' || counting.length === 0) return verdict
  throw new MfanoError({
    code: 'BOOKS_WRONG',
    message: `The books are not right: ${counting.length} ${counting.length === 1 ? 'finding' : 'findings'}.`,
    details: counting.map(({ code, text }) => `${code}: ${text}`).join('\n'),
  })
}

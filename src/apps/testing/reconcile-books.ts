/** Compares an app's books with the ledger of its world. */
import type { Control, ControlBody, Verdict } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'

/** A payment, as the app sees it. Missing fields are not compared. */
export interface BooksLine {
  /** Sent as `referenceId` or `externalReference`. */
  reference?: string | null
  /** The service's id, if the app knows it. */
  requestId?: string | null
  kind?: string
  /** Major units. */
  amount?: number | string
  currency?: string
  /** In the service's words. */
  status?: string
  /** If the app knows: the fee of the rails, and what it owes the payer. */
  fee?: number | string
  refundDue?: number | string
}

export interface ReconcileOptions {
  /** Findings that make it fail: those about money (default), or also advice. */
  failOn?: 'error' | 'warning' | 'never'
  /** Your own findings: conditions in CEL over `line` and `payment`. */
  findings?: ControlBody<'POST', '/reconcile'>['findings']
  /** The organisation of the books, if the world has several. */
  organisationId?: string
}

/** Returns the findings. Throws when one of them counts. */
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

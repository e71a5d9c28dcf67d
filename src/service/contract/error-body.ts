/** Bodies of errors. Three forms are published, so an assumption chooses one. */
import type { Assumptions } from '../../core/model/assumption.ts'
import type { Refusal } from '../../core/model/refusal.ts'
import type { Operation } from '../../http/operation.ts'
import type { Chosen } from '../assumed/assumptions.ts'

export type ErrorForm = Chosen['error-body'] | 'envelope'

export function errorBody(refusal: Refusal, form: ErrorForm): object {
  if (form === 'nested') return { error: { code: refusal.code, message: refusal.message, details: refusal.details } }
  if (form === 'flat') {
    return {
      errorCode: refusal.code,
      message: refusal.message,
      details: refusal.details,
      statusCode: String(refusal.status),
    }
  }
  if (form === 'envelope') return { status: refusal.status, message: withdrawnCode(refusal), data: null }
  // A field that nobody reads can have any name, `constructor` too.
  const errors: Record<string, string[]> = Object.create(null)
  for (const { field, message } of refusal.fields) {
    errors[field] ??= []
    errors[field].push(message)
  }
  const message = refusal.status === 400 && refusal.fields.length > 0 ? 'Invalid request payload' : refusal.message
  return { message, errors }
}

export function errorForm(
  operation: Operation | undefined,
  assumptions: Assumptions,
): { assumption: string; form: ErrorForm } {
  const own = operation?.errorForm
  if (own === 'tz-error-body' && assumptions[own] === 'withdrawn') return { assumption: own, form: 'envelope' }
  const assumption = own === undefined || own === 'tz-error-body' ? 'error-body' : own
  return { assumption, form: assumptions[assumption] as Chosen['error-body'] }
}

/** The Tanzania reads have codes of their own on a withdrawn page. Other refusals keep the general code. */
function withdrawnCode({ status, code, fields }: Refusal): string {
  if (status === 400 && fields.some(({ field }) => field === 'requestId')) return 'INVALID_REQUEST_ID'
  return { 401: 'UNAUTHORIZED', 404: 'NOT_FOUND', 429: 'RATE_LIMITED' }[status] ?? code
}

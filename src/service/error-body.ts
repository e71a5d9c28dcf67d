/** The bodies of errors: three are published, and an assumption says which is on the wire. */
import type { Operation } from '../http/operation.ts'
import type { Assumptions } from '../model/assumption.ts'
import type { Refusal } from '../model/refusal.ts'
import type { Chosen } from './assumptions.ts'

/** The one place where a refusal becomes a body on the wire, in the form that the assumption in force names. */
export function errorBody(refusal: Refusal, form: Chosen['error-body']): object {
  if (form === 'nested') return { error: { code: refusal.code, message: refusal.message, details: refusal.details } }
  if (form === 'flat') {
    return {
      errorCode: refusal.code,
      message: refusal.message,
      details: refusal.details,
      statusCode: String(refusal.status),
    }
  }
  const errors: Record<string, string[]> = {}
  for (const { field, message } of refusal.fields) {
    errors[field] ??= []
    errors[field].push(message)
  }
  const message = refusal.status === 400 && refusal.fields.length > 0 ? 'Invalid request payload' : refusal.message
  return { message, errors }
}

/** The form of the errors of an operation, and the assumption that says so: an operation may name one of its own. */
export function errorForm(operation: Operation | undefined, assumptions: Assumptions) {
  const assumption = operation?.errorForm ?? 'error-body'
  return { assumption, form: assumptions[assumption] as Chosen['error-body'] }
}

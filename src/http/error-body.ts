import type { Assumptions } from '../model/assumptions.ts'
import { Refusal } from '../model/refusal.ts'

/** The one place where a refusal becomes a body on the wire, in the form that the assumption in force names. */
export function errorBody(refusal: Refusal, form: Assumptions['error-body']): object {
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

/** An unexpected fault as the caller may see it: nothing of our insides. */
export function faultRefusal(requestId: string): Refusal {
  return new Refusal('SERVER_ERROR', `mfano failed; its log says why, under ${requestId}`)
}

/** How the control plane answers what it refuses. */
import type { Refusal } from '../../core/model/refusal.ts'
import { jsonResponse } from '../../http/read-body.ts'
import type { AnyOperation } from './declared-operation.ts'
import { asRequest } from './placed.ts'

/** A refusal in the control plane's one form. Its hints are told as requests, by the declarations of these operations. */
export function refusedResponse(refusal: Refusal, operations: readonly AnyOperation[] = []): Response {
  const { code, message, status } = refusal
  const hints = operations.length > 0 ? refusal.hints.map(asRequest(operations)) : []
  const details = [refusal.details, ...hints.map(({ text }) => text)].join(' ')
  const error = { code, message, details, ...(hints.length > 0 && { hints }) }
  return jsonResponse({ error }, { status, headers: retryAfterHeader(refusal) })
}

/** The header that says when to ask again. */
export function retryAfterHeader({ retryAfterS }: Refusal): Record<string, string> {
  return retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
}

/** Refusals of the road itself, which every service shares. */
import { maskPath } from '../../core/model/mask.ts'
import type { Refusal } from '../../core/model/refusal.ts'
import { commonReasons, refused } from '../../core/model/refusal-reasons.ts'
import { type MethodAtPath, nearestOperation } from './nearest-operation.ts'
import type { ServiceRequest } from './service-request.ts'

/** Hides the error, because its text may hold internals. */
export function internalFailure(requestId: string): Refusal {
  return refused(commonReasons.brokenDown, `mfano failed; its log says why, under ${requestId}`)
}

export function unknownPath(
  { env, method, takenFor }: ServiceRequest,
  operations: readonly MethodAtPath[] = [],
): Refusal {
  const path = maskPath(env.path).split('?')[0]
  const near = takenFor ? undefined : nearestOperation(operations, method, env.path)
  const meant = takenFor
    ? `; it is written ${takenFor.path}`
    : near
      ? `; did you mean ${near.method.toUpperCase()} ${near.path}?`
      : ''
  return refused(commonReasons.unknownPath, `nothing is at ${method} ${path}${meant}`)
}

export function otherMethod({ method }: ServiceRequest, allowed: readonly string[]): Refusal {
  return refused(commonReasons.otherMethod, `${method} is not possible here; possible: ${allowed.join(', ')}`)
}

/** Refusals of the road itself, whatever the service. */
import { maskPath } from '../../core/model/mask.ts'
import type { Refusal } from '../../core/model/refusal.ts'
import { commonReasons, refused } from '../../core/model/refusal-reasons.ts'
import type { ServiceRequest } from './service-request.ts'

/** An unexpected failure as the caller may see it: nothing of our insides. */
export function internalFailure(requestId: string): Refusal {
  return refused(commonReasons.brokenDown, `mfano failed; its log says why, under ${requestId}`)
}

export function unknownPath({ env, method, takenFor }: ServiceRequest): Refusal {
  const path = maskPath(env.path).split('?')[0]
  const meant = takenFor ? `; it is written ${takenFor.path}` : ''
  return refused(commonReasons.unknownPath, `nothing is at ${method} ${path}${meant}`)
}

/** `allowed`: the methods that the path has. */
export function otherMethod({ method }: ServiceRequest, allowed: readonly string[]): Refusal {
  return refused(commonReasons.otherMethod, `${method} is not possible here; possible: ${allowed.join(', ')}`)
}

/** A path that nobody means, as firewalls judge it. */
export function oddPath({ env }: ServiceRequest, meant: string): Refusal {
  const path = maskPath(env.path).split('?')[0]
  return refused(commonReasons.oddPath, `path: must be written as published, ${meant}, got ${path}`)
}

/** Refusals of the road itself, whatever the service. */
import type { Context } from 'hono'
import { Refusal } from '../model/refusal.ts'
import type { Env } from './env.ts'
import { maskPath } from './mask.ts'

/** An unexpected failure as the caller may see it: nothing of our insides. */
export function internalFailure(requestId: string): Refusal {
  return new Refusal('SERVER_ERROR', `mfano failed; its log says why, under ${requestId}`)
}

export function unknownPath({ env, req }: Context<Env>): Refusal {
  const path = maskPath(env.path).split('?')[0]
  const meant = env.takenFor ? `; it is written ${env.takenFor.path}` : ''
  return new Refusal(
    'RESOURCE_NOT_FOUND',
    `nothing is at ${req.method} ${path}${meant}; the contract is at ${env.baseUrl}/docs`,
  )
}

/** `allowed`: the methods that the path has. */
export function otherMethod({ req }: Context<Env>, allowed: readonly string[]): Refusal {
  return new Refusal('REQ_BAD_REQUEST', `${req.method} is not possible here; possible: ${allowed.join(', ')}`, {
    status: 405,
  })
}

/** A path that nobody means, as firewalls judge it. */
export function oddPath({ env }: Context<Env>, meant: string): Refusal {
  const path = maskPath(env.path).split('?')[0]
  return new Refusal('REQ_BAD_REQUEST', `path: must be written as published, ${meant}, got ${path}`)
}

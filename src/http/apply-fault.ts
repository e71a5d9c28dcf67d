import type { Context } from 'hono'
import { perform } from '../engine/perform.ts'
import type { ResponseFault } from '../model/faults.ts'
import type { JsonObject, Organisation } from '../model/payment.ts'
import { SECOND_US } from '../model/time.ts'
import { isOff } from '../scenarios/language/response-faults.ts'
import { type Claims, requireFresh } from '../service/tokens.ts'
import type { Operation } from './operation.ts'
import type { Env } from './serve.ts'

/** What a request meets before it is worked on; nothing where no fault of the scenario watches its operation. */
export async function applyResponseFault(
  c: Context<Env>,
  asked: Operation,
  incoming: { value: unknown; claims: Claims | undefined },
): Promise<{ fault: ResponseFault; caller: Organisation | undefined } | null> {
  const { world } = c.env
  const { id, method, path } = asked
  const operation = { id, method, path }
  const { scenario } = world.core
  // Where nothing is, nothing goes wrong.
  if (!scenario.watches(operation) || isOff(asked, scenario.assumptions)) return null
  const { value, claims } = incoming
  const body = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
  return world.commit.submit(() => {
    const caller = claims && callerOf(c, claims)
    const fault = perform(world.core, {
      command: 'apply-response-fault',
      operation,
      request: { ...body, ...c.req.query(), ...c.req.param() },
      caller: caller && claims ? { organisationId: caller.id, tokenIssuedAtUs: claims.iat * SECOND_US } : null,
    })
    return fault && { fault, caller }
  })
}

/** Whose token it is, if it is good. */
function callerOf(c: Context<Env>, claims: Claims): Organisation | undefined {
  const { world } = c.env
  const organisation = world.core.store.organisations.byUuid(claims.sub)
  if (!organisation) return undefined
  try {
    requireFresh(world, claims, organisation.id)
    return organisation
  } catch {
    return undefined
  }
}

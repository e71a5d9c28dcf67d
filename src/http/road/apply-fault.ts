/** Finds the fault that hits a request before it is handled. */
import type { Organisation } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { perform } from '../../core/perform.ts'
import { isOff } from '../../core/response-faults.ts'
import { type Exchange, working } from '../exchange.ts'
import type { Credential } from '../http-service.ts'
import type { Operation } from '../operation.ts'
import { recordedStage } from './recorded.ts'

/** In a commit of its own, because a delay must not hold up the commit that answers. */
export function applyFault(exchange: Exchange, operation: Operation): Promise<void> {
  return exchange.world.commit.submit(() => recordedStage(exchange, 'fault', () => findFault(exchange, operation)))
}

/** Most worlds have no faults, and then this stage costs nothing. */
export function isWatched({ world }: Exchange, operation: Operation): boolean {
  const { scenario } = world.core
  return scenario.watches(operation) && !isOff(operation, scenario.assumptions)
}

/** Inside a commit. Also checks the token, because some faults depend on the caller. */
export function findFault(exchange: Exchange, { id, method, path }: Operation): void {
  const { world, body, query, params, credential, headers } = exchange
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  const holder = credential && holderOf(credential)
  const fault = working(exchange, () =>
    perform(world.core, {
      command: 'apply-response-fault',
      operation: { id, method, path },
      request: { ...fields, ...query, ...params },
      headers,
      caller: credential && holder ? { organisationId: holder.id, tokenIssuedAtUs: credential.issuedAtUs } : null,
    }),
  )
  if (!fault) return
  exchange.fault = fault
  exchange.caller = holder
}

function holderOf(credential: Credential): Organisation | undefined {
  try {
    return credential.holder()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** What goes wrong with a request on purpose before it is worked on. */
import type { JsonObject, Organisation } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { perform } from '../../core/perform.ts'
import { isOff } from '../../core/response-faults.ts'
import { type Exchange, type ReceivedExchange, working } from '../exchange.ts'
import type { Credential } from '../http-service.ts'
import type { Operation } from '../operation.ts'
import { recorded } from './recorded.ts'

/** Finds the response fault that applies, in a commit of its own. */
export function applyFault(exchange: Exchange, operation: Operation): Promise<void> {
  return exchange.world.commit.submit(() => recorded(exchange, 'fault', () => findFault(exchange, operation)))
}

/** Whether a fault watches the operation. Where nothing is, nothing goes wrong. */
export function isWatched({ world }: ReceivedExchange, operation: Operation): boolean {
  const { scenario } = world.core
  return scenario.watches(operation) && !isOff(operation, scenario.assumptions)
}

/** The synchronous stage, inside a commit: notes the response fault that applies, and whose token was good then. */
export function findFault(exchange: ReceivedExchange, { id, method, path }: Operation): void {
  const { world, body, query, params, credential } = exchange
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonObject) : {}
  const holder = credential && holderOf(credential)
  const fault = working(exchange, () =>
    perform(world.core, {
      command: 'apply-response-fault',
      operation: { id, method, path },
      request: { ...fields, ...query, ...params },
      caller: credential && holder ? { organisationId: holder.id, tokenIssuedAtUs: credential.issuedAtUs } : null,
    }),
  )
  if (!fault) return
  exchange.fault = fault
  exchange.caller = holder
}

/** Whose token it is, if it is good. */
function holderOf(credential: Credential): Organisation | undefined {
  try {
    return credential.holder()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

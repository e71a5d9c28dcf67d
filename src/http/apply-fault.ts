/** What goes wrong with a request on purpose before it is worked on. */
import { perform } from '../engine/perform.ts'
import type { JsonObject, Organisation } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import { isOff } from '../scenarios/language/response-faults.ts'
import type { Exchange } from './exchange.ts'
import type { Credential } from './http-service.ts'
import type { Operation } from './operation.ts'

/** Finds the response fault that applies, in a commit of its own; nothing where no fault watches the operation. */
export async function applyFault(exchange: Exchange, asked: Operation): Promise<void> {
  const { c, world, body, credential } = exchange
  const { id, method, path } = asked
  const operation = { id, method, path }
  const { scenario } = world.core
  // Where nothing is, nothing goes wrong.
  if (!scenario.watches(operation) || isOff(asked, scenario.assumptions)) return
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonObject) : {}
  await world.commit.submit(() => {
    const holder = credential && holderOf(credential)
    const fault = perform(world.core, {
      command: 'apply-response-fault',
      operation,
      request: { ...fields, ...c.req.query(), ...c.req.param() },
      caller: credential && holder ? { organisationId: holder.id, tokenIssuedAtUs: credential.issuedAtUs } : null,
    })
    if (!fault) return
    exchange.fault = fault
    exchange.caller = holder
  })
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

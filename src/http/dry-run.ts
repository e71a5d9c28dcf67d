/** A request that nobody sent, put through the stages of its road that decide what comes of it. */
import type { Outcome } from '../engine/group-commit.ts'
import type { JsonObject } from '../model/payment.ts'
import type { World } from '../world/world.ts'
import { findFault, isWatched } from './apply-fault.ts'
import type { ReceivedExchange } from './exchange.ts'
import { handle } from './handle.ts'
import type { Credential, HttpService } from './http-service.ts'
import type { Answer, Operation } from './operation.ts'

/** A request that has arrived: its token has been read, its body is JSON. */
export interface ArrivedRequest {
  operation: Operation
  body: JsonObject
  credential: Credential | undefined
  baseUrl: string
  service: HttpService
}

/**
 * Looks for a response fault and lets the operation answer, as the road does, each in a savepoint. To be called inside
 * `GroupCommit.dryRun`. `faultsOnly`: goes no further than the faults.
 */
export function answerDry(
  world: World,
  { operation, body, credential, baseUrl, service }: ArrivedRequest,
  faultsOnly = false,
): { fault: ReceivedExchange['fault']; unread: readonly string[]; outcome: Outcome<Answer> | undefined } {
  const exchange: ReceivedExchange = {
    world,
    operation,
    baseUrl,
    service,
    query: {},
    params: {},
    changesNothing: false,
    notes: {},
    trace: undefined,
    credential,
    body,
    prepared: undefined,
    recorded: undefined,
    refusal: undefined,
    fault: undefined,
    caller: undefined,
  }
  if (isWatched(exchange, operation)) {
    const found = world.commit.attempt(() => findFault(exchange, operation))
    if (!found.ok) throw found.error
  }
  const outcome = faultsOnly ? undefined : world.commit.attempt(() => handle(exchange, operation))
  return { fault: exchange.fault, unread: exchange.notes.unread ?? [], outcome }
}

/** The stage inside the commit in which the operation runs. */
import { isRecord } from '../../core/model/must.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { type Reason, refuseUnder } from '../../core/model/refusal-reasons.ts'
import { type Exchange, OUTCOME, working } from '../exchange.ts'
import { type Answer, type Call, type Operation, takesKey } from '../operation.ts'
import { turnedAway } from '../response-fault.ts'
import { invisibleLetters, unknownFields } from '../validate.ts'
import { oncePerKey } from './once-per-key.ts'

export function handle(exchange: Exchange, operation: Operation): Answer {
  const { fault, credential } = exchange
  if (fault && !fault.executed) throw turnedAway(fault)
  // The caller is checked before the fields: an expired token is 401, whatever the body.
  exchange.caller = credential?.holder()
  if (exchange.refusal) throw exchange.refusal
  return working(exchange, () => {
    const call = toCall(exchange, operation)
    return exchange.idempotencyKey && takesKey(operation)
      ? oncePerKey(exchange, operation, () => operation.handle(call))
      : operation.handle(call)
  })
}

export function readFields(exchange: Exchange, operation: Operation) {
  const { world, service, body: sent } = exchange
  const { assumptions } = world.core.scenario
  const query = operation.query ? service.read(operation.query, exchange.query, assumptions) : undefined
  const params = operation.params ? service.read(operation.params, exchange.params, assumptions) : undefined
  const body = operation.body ? service.read(operation.body, sent, assumptions) : undefined
  const unknown = unknownFields(sent, body)
  service.refuseUnknown(unknown, assumptions)
  const unknownParameters = unknownFields(exchange.query, query ?? {})
  return { query, params, body, unread: [...unknown, ...unknownParameters.map((name) => `?${name}`)] }
}

function toCall(exchange: Exchange, operation: Operation) {
  const { world, baseUrl, caller, prepared, notes, trace, headers, outcome } = exchange
  const unread = (...fields: string[]) => {
    if (fields.length > 0) notes.unread = [...(notes.unread ?? []), ...fields]
  }
  const warn = (warning: string) => {
    notes.warnings = [...(notes.warnings ?? []), warning]
  }
  if (outcome !== undefined && operation.opens === undefined)
    warn(`${OUTCOME} has no effect here: it chooses for requests that make a payment.`)
  // Before the fields are read, because such a letter may be why they are refused.
  for (const part of [exchange.query, exchange.body])
    if (isRecord(part)) for (const warning of invisibleLetters(part)) warn(warning)
  const { query, params, body, unread: unknown } = readFields(exchange, operation)
  unread(...unknown)
  return {
    world,
    core: world.core,
    caller: caller as Organisation,
    query,
    params,
    body,
    prepared,
    baseUrl,
    trace,
    headers,
    outcome,
    unread,
    warn,
    refuse: (...refusal) => refuseUnder(world.core.scenario.assumptions)(...refusal),
  } satisfies Call<unknown, unknown, unknown, Reason>
}

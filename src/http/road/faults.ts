/** Faults of answers on the road: found, and carried out. */

import { pause } from '../../core/host.ts'
import type { ResponseFault } from '../../core/model/faults.ts'
import { variedBody } from '../../core/model/json.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { perform } from '../../core/perform.ts'
import { isOff } from '../../core/response-faults.ts'
import { type Exchange, working } from '../exchange.ts'
import type { Credential } from '../http-service.ts'
import type { Answer, Operation } from '../operation.ts'
import { cutAt } from '../response-fault.ts'
import { recordedStage } from './journal.ts'

// Finds the fault that hits a request before it is handled.

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

// Applies the assumption about extra fields to answers.

type Asked = Pick<Exchange, 'world' | 'operation'>

export function variedAnswer({ world, operation }: Asked, answer: Answer): Answer {
  const { body, status } = answer
  if (body === undefined) return answer
  const varied = variedBody(body, world.core.scenario, `${operation?.id ?? 'unrouted'} ${status}`)
  return varied === body ? answer : { ...answer, body: varied }
}

export function variedList({ world, operation }: Asked, answer: Answer): Answer {
  if (!answer.list) return answer
  const { items } = answer.list
  const each = function* () {
    for (const item of items) yield variedBody(item, world.core.scenario, `${operation?.id} item`)
  }
  return { ...answer, list: { ...answer.list, items: each() } }
}

// Sends answers late, slowly, in part or not at all.

/** Caps the time of a slow body, so that a connection always ends. */
const SLOWEST_BODY_MS = 60_000
const TICK_MS = 100

/** Real milliseconds; ends early when the caller has gone. */
export function sleep({ world, raw }: Exchange, ms: number): Promise<void> {
  return pause(world.host, ms, [raw.signal, world.closing])
}

export async function sendFaulty(
  exchange: Exchange,
  fault: ResponseFault,
  status: number,
  headers: Record<string, string>,
  text: string,
): Promise<Response> {
  const { answer, latencyMs, workFirst, truncate, bytesPerSecond } = fault
  if (workFirst && latencyMs !== undefined) await sleep(exchange, latencyMs)
  const { connection } = exchange.env
  if (typeof answer === 'string' && connection.sever)
    return named(await connection.sever(answer === 'reset' ? 'reset' : 'close'), headers)
  const bytes = new TextEncoder().encode(text)
  if (truncate) {
    const part = bytes.subarray(0, cutAt(truncate, bytes.length))
    if (connection.sever) return connection.sever('close', { status, headers, length: bytes.length, bytes: part })
    return new Response(part, { status, headers })
  }
  if (bytesPerSecond === undefined) return new Response(text, { status, headers })
  return new Response(slowly(exchange, bytes, bytesPerSecond), {
    status,
    headers: { ...headers, 'content-length': String(bytes.length) },
  })
}

function named(severed: Response, { 'mfano-request-id': requestId = '' }: Record<string, string>): Response {
  return new Response(null, { headers: [...severed.headers, ['mfano-request-id', requestId]] })
}

function slowly(exchange: Exchange, bytes: Uint8Array, bytesPerSecond: number): ReadableStream<Uint8Array> {
  const perMs = Math.max(bytesPerSecond / 1000, bytes.length / SLOWEST_BODY_MS)
  const chunk = Math.max(1, Math.floor(perMs * TICK_MS))
  let sent = 0
  const end = exchange.world.traffic.begin()
  return new ReadableStream(
    {
      async pull(controller) {
        await sleep(exchange, chunk / perMs)
        controller.enqueue(bytes.subarray(sent, sent + chunk))
        sent += chunk
        if (sent < bytes.length) return
        end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

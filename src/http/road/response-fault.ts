import { deferredTurn, type Host, pause } from '../../core/host.ts'
import {
  type ErrorAnswer,
  printErrorAnswer,
  type ResponseFault,
  responseFaultNames,
  tellResponseFault,
} from '../../core/model/faults.ts'
import { variedBody } from '../../core/model/json.ts'
import { must } from '../../core/model/must.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { commonReasons, Refusal, refused } from '../../core/model/refusal.ts'
import { escaped } from '../../core/model/text.ts'
import { perform } from '../../core/perform.ts'
import type { Exchange } from '../exchange.ts'
import type { Answer, Credential } from '../operation.ts'

/** A response fault wins over the payment's plan. */
export function joined(
  applied: ResponseFault | null | undefined,
  planned: ResponseFault | undefined,
): ResponseFault | undefined {
  if (!applied) return planned
  return planned ? ({ ...planned, ...applied, answer: applied.answer ?? planned.answer } as ResponseFault) : applied
}

export function faultRefusal({ by, answer }: ResponseFault): Refusal {
  if (typeof answer !== 'object') return refused(commonReasons.notExecuted, `not executed: ${by}`)
  return refusalOf(answer, by)
}

function refusalOf(answer: Exclude<NonNullable<ResponseFault['answer']>, string>, by: string): Refusal {
  const { status, code, message, details } = answer
  return refused(commonReasons.ruled, details ?? `sent by the scenario: ${by}`, { code, status, message })
}

export function spoilAnswer(
  { env, service, operation, world }: Exchange,
  intact: Answer,
  fault: ResponseFault | undefined,
): Answer {
  if (!fault) return intact
  const canSever = env.connection.sever !== undefined
  const { list, ...rest } = intact
  const { answer, by } = fault
  if (answer === undefined || (typeof answer === 'string' && canSever))
    return { ...rest, ...(list && { text: listText(list) }), fault }
  const error =
    typeof answer === 'object'
      ? refusalOf(answer, by)
      : refused(commonReasons.ruled, 'the connection was to be severed, which this host cannot do', {
          code: 'BAD_GATEWAY',
          status: 502,
        })
  const content: Partial<Answer> =
    typeof answer === 'object' && answer.html
      ? { headers: { 'content-type': 'text/html' }, text: gatewayPage(answer) }
      : { body: service.errorBody(error, operation, world.core.scenario.assumptions) }
  return { status: error.status, ...content, fault, tellFirst: intact.tellFirst }
}

export function cut(text: string, truncate: NonNullable<ResponseFault['truncate']>): string {
  const bytes = new TextEncoder().encode(text)
  return new TextDecoder().decode(bytes.subarray(0, cutAt(truncate, bytes.length)))
}

export function describe(fault: ResponseFault, canSever: boolean): string {
  const { by, executed, answer } = fault
  const done = executed ? 'executed' : 'not executed'
  const instead = [
    typeof answer === 'object' && `${done}, answered ${printErrorAnswer(answer)}`,
    answer === 'reset' && `${done}, connection reset before a byte of the answer`,
    answer === 'lost' && 'executed and answered, connection closed before a byte of the answer arrived',
    answer === 'empty' && `${done}, connection closed without an answer`,
    typeof answer === 'string' && !canSever && 'this host cannot sever connections: answered 502',
  ]
  const parts = responseFaultNames.flatMap((name) => [
    tellResponseFault(name, fault),
    ...(name === 'error' ? instead : []),
  ])
  return `${by}: ${parts.filter(Boolean).join('; ')}`
}

function cutAt(truncate: NonNullable<ResponseFault['truncate']>, length: number): number {
  return Math.min(length, 'bytes' in truncate ? truncate.bytes : Math.floor(length * truncate.fraction))
}

const gatewayHeadings: Readonly<Record<number, string>> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
}

function gatewayPage({ status, message = gatewayHeadings[status] ?? '' }: ErrorAnswer): string {
  const title = escaped(`${status} ${message}`.trim())
  return [
    `<html>\r\n<head><title>${title}</title></head>\r\n<body>`,
    `<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
  ].join('\r\n')
}

type List = NonNullable<Answer['list']>

const ITEMS_PER_CHUNK = 200

/**
 * Reads from the store as fast as the client takes it, and lets other requests run in between. `release` runs at the
 * end.
 */
export function streamed({ before, items, after }: List, host: Host, release: () => void): ReadableStream {
  const encoder = new TextEncoder()
  const iterator = items[Symbol.iterator]()
  let first = true
  let givenUp = false
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(before)),
    pull: async (controller) => {
      await deferredTurn(host)
      if (givenUp) return
      let chunk = ''
      try {
        for (let i = 0; i < ITEMS_PER_CHUNK; i++) {
          const { done, value } = iterator.next()
          if (done) {
            controller.enqueue(encoder.encode(chunk + after))
            controller.close()
            release()
            return
          }
          chunk += (first ? '' : ',') + JSON.stringify(value)
          first = false
        }
      } catch (error) {
        release()
        throw error
      }
      controller.enqueue(encoder.encode(chunk))
    },
    cancel: () => {
      givenUp = true
      iterator.return?.()
      release()
    },
  })
}

/** In one piece, because faults cut or delay bytes. */
export function listText({ before, items, after }: List): string {
  return before + Array.from(items, (item) => JSON.stringify(item)).join(',') + after
}

/** Inside a commit. Also checks the token, because some faults depend on the caller. */
export function findFault(exchange: Exchange): void {
  const { world, body, query, params, credential, headers } = exchange
  const { id, method, path } = must(exchange.operation)
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  const holder = credential && holderOf(credential)
  const find = () =>
    perform(world.core, {
      command: 'apply-response-fault',
      operation: { id, method, path },
      request: { ...fields, ...query, ...params },
      headers,
      caller: credential && holder ? { organisationId: holder.id, tokenIssuedAtUs: credential.issuedAtUs } : null,
    })
  const fault = exchange.changesNothing ? world.commit.dryRun(find) : find()
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

type FaultTarget = Pick<Exchange, 'world' | 'operation'>

export function variedAnswer({ world, operation }: FaultTarget, answer: Answer): Answer {
  const { body, status } = answer
  if (body === undefined) return answer
  const varied = variedBody(body, world.core.scenario, `${operation?.id ?? 'unrouted'} ${status}`)
  return varied === body ? answer : { ...answer, body: varied }
}

export function variedList({ world, operation }: FaultTarget, answer: Answer): Answer {
  if (!answer.list) return answer
  const { items } = answer.list
  const each = function* () {
    for (const item of items) yield variedBody(item, world.core.scenario, `${operation?.id} item`)
  }
  return { ...answer, list: { ...answer.list, items: each() } }
}

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
    return withRequestId(await connection.sever(answer === 'reset' ? 'reset' : 'close'), headers)
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

function withRequestId(severed: Response, { 'mfano-request-id': requestId = '' }: Record<string, string>): Response {
  return new Response(null, { headers: [...severed.headers, ['mfano-request-id', requestId]] })
}

function slowly(exchange: Exchange, bytes: Uint8Array, bytesPerSecond: number): ReadableStream<Uint8Array> {
  const perMs = Math.max(bytesPerSecond / 1000, bytes.length / SLOWEST_BODY_MS)
  const chunk = Math.max(1, Math.floor(perMs * TICK_MS))
  let sent = 0
  const end = exchange.world.leases.take('request')
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

/** Sends answers late, slowly, in part or not at all. */
import { pause } from '../../core/host.ts'
import type { ResponseFault } from '../../core/model/faults.ts'
import { cutAt } from '../response-fault.ts'
import type { ServiceRequest } from './service-request.ts'

/** Caps the time of a slow body, so that a connection always ends. */
const SLOWEST_BODY_MS = 60_000
const TICK_MS = 100

/** Real milliseconds; ends early when the caller has gone. */
export function sleep(c: ServiceRequest, ms: number): Promise<void> {
  return pause(c.env.world.host, ms, [c.raw.signal, c.env.world.closing])
}

export async function sendFaulty(
  c: ServiceRequest,
  fault: ResponseFault,
  status: number,
  headers: Record<string, string>,
  text: string,
): Promise<Response> {
  const { answer, latencyMs, workFirst, truncate, bytesPerSecond } = fault
  if (workFirst && latencyMs !== undefined) await sleep(c, latencyMs)
  const { connection } = c.env
  if (typeof answer === 'string' && connection.sever)
    return named(await connection.sever(answer === 'reset' ? 'reset' : 'close'), headers)
  const bytes = new TextEncoder().encode(text)
  if (truncate) {
    const part = bytes.subarray(0, cutAt(truncate, bytes.length))
    if (connection.sever) return connection.sever('close', { status, headers, length: bytes.length, bytes: part })
    return new Response(part, { status, headers })
  }
  if (bytesPerSecond === undefined) return new Response(text, { status, headers })
  return new Response(slowly(c, bytes, bytesPerSecond), {
    status,
    headers: { ...headers, 'content-length': String(bytes.length) },
  })
}

function named(severed: Response, { 'mfano-request-id': requestId = '' }: Record<string, string>): Response {
  return new Response(null, { headers: [...severed.headers, ['mfano-request-id', requestId]] })
}

function slowly(c: ServiceRequest, bytes: Uint8Array, bytesPerSecond: number): ReadableStream<Uint8Array> {
  const perMs = Math.max(bytesPerSecond / 1000, bytes.length / SLOWEST_BODY_MS)
  const chunk = Math.max(1, Math.floor(perMs * TICK_MS))
  let sent = 0
  const end = c.env.world.traffic.begin()
  return new ReadableStream(
    {
      async pull(controller) {
        await sleep(c, chunk / perMs)
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

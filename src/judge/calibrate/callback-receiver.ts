/** Receives the callbacks of a calibration. The path decides the answer: `/answer/500/…`, `/hold/…`, otherwise 200. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { asJson } from '../../core/model/json.ts'
import { afterRealMs, wallNowMs } from '../../hosts/node/wall.ts'
import { portOf } from '../traffic/recording-proxy.ts'
import type { Receiver } from './calibrator.ts'

const HELD_MS = 60_000
const BODY_MAX_BYTES = 64 * 1024
/** Many times what the payments of a calibration lead to. */
const TAKEN_MAX = 500
const TAKEN = 'taken'

interface Taken {
  path: string
  query: string
  headers: Record<string, string>
  body: unknown
  closedAfterMs?: number
}

export interface CallbackReceiver extends Receiver {
  port: number
  close(): Promise<void>
}

/** `port` is local; the receiver's internet address must forward to it. */
export async function startReceiver(port: number, host: string): Promise<CallbackReceiver> {
  const taken: Taken[] = []
  const server = createServer(async (request, response) => {
    const [beganMs, { socket }] = [wallNowMs(), request]
    // Anybody who finds the address may send to it, and break off.
    response.on('error', () => {})
    const sent = await bodyOf(request)
    if (sent === undefined) return socket.destroy()
    if (taken.length >= TAKEN_MAX) return response.writeHead(503).end()
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const one: Taken = { path, query, headers, body: asJson(sent) }
    taken.push(one)
    server.emit(TAKEN)
    const status = /\/answer\/([2-5]\d\d)\//.exec(path)?.[1]
    const answer = () => response.writeHead(Number(status ?? 200)).end()
    if (!path.includes('/hold/')) return answer()
    const cancel = afterRealMs(HELD_MS, answer)
    response.once('close', () => {
      cancel()
      if (!response.writableEnded) one.closedAfterMs = wallNowMs() - beganMs
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const at = (end: string) => taken.filter(({ path }) => path.endsWith(end))
  return {
    port: portOf(server),
    awaited: async ({ callbacksAt, atLeast, withinMs }) => {
      const signal = AbortSignal.timeout(withinMs)
      while (at(callbacksAt).length < atLeast && !signal.aborted) await once(server, TAKEN, { signal }).catch(() => {})
      return at(callbacksAt)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Undefined where it is too long, or breaks off. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  let body = ''
  try {
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk
      if (body.length > BODY_MAX_BYTES) return undefined
    }
    return body
  } catch {
    return undefined
  }
}

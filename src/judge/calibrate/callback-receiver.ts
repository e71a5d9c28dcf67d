/** Receives the callbacks of a calibration. The path decides the answer: `/answer/500/…`, `/hold/…`, otherwise 200. */
import { createServer } from 'node:http'
import { asJson } from '../../core/model/json.ts'
import { afterRealMs, wallNowMs } from '../../hosts/node/wall.ts'
import { portOf } from '../traffic/recording-proxy.ts'
import type { Receiver } from './calibrator.ts'

const HELD_MS = 60_000
const BODY_MAX_BYTES = 64 * 1024
/** Many times what the payments of a calibration lead to. */
const TAKEN_MAX = 500

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
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    const beganMs = wallNowMs()
    const [path = '', query = ''] = (request.url ?? '').split('?')
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > BODY_MAX_BYTES) request.destroy()
      else chunks.push(chunk)
    })
    // Anybody who finds the address may send to it, and break off.
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('end', () => {
      if (taken.length >= TAKEN_MAX) return response.writeHead(503).end()
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const one: Taken = { path, query, headers, body: asJson(Buffer.concat(chunks).toString()) }
      taken.push(one)
      for (const look of waiting) look()
      const status = /\/answer\/([2-5]\d\d)\//.exec(path)?.[1]
      const answer = () => response.writeHead(Number(status ?? 200)).end()
      if (!path.includes('/hold/')) return answer()
      const cancel = afterRealMs(HELD_MS, answer)
      response.once('close', () => {
        cancel()
        if (!response.writableEnded) one.closedAfterMs = wallNowMs() - beganMs
      })
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const at = (end: string) => taken.filter(({ path }) => path.endsWith(end))
  return {
    port: portOf(server),
    awaited: ({ callbacksAt, atLeast, withinMs }) =>
      new Promise((resolve) => {
        const done = () => {
          cancel()
          waiting.delete(look)
          resolve(at(callbacksAt))
        }
        const look = () => {
          if (at(callbacksAt).length >= atLeast) done()
        }
        const cancel = afterRealMs(withinMs, done)
        waiting.add(look)
        look()
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

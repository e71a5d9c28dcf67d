/** Receives the callbacks of a calibration. The path decides the answer: `/answer/500/…`, `/hold/…`, otherwise 200. */
import { EventEmitter, once } from 'node:events'
import { boundedText } from '../../client/send.ts'
import { asJson } from '../../core/model/json.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { serveAt } from '../traffic/recording-proxy.ts'
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

/** `port` is local; the receiver's internet address must forward to it. */
export async function startReceiver(
  port: number,
  host: string,
): Promise<Receiver & { port: number; close(): Promise<void> }> {
  const taken: Taken[] = []
  const told = new EventEmitter()
  const { port: own, close } = await serveAt(host, port, async (request, { incoming }) => {
    const beganMs = wallNowMs()
    const { pathname: path, search } = new URL(request.url)
    // A body that is too long, or breaks off, ends its connection.
    const sent = await boundedText(request.body, BODY_MAX_BYTES).catch(() => void incoming.socket.destroy())
    if (sent === undefined) return new Response(null)
    if (taken.length >= TAKEN_MAX) return new Response(null, { status: 503 })
    const headers = Object.fromEntries(request.headers)
    const one: Taken = { path, query: search.slice(1), headers, body: asJson(sent) }
    taken.push(one)
    told.emit(TAKEN)
    if (path.includes('/hold/') && (await isLeft(request.signal))) one.closedAfterMs = wallNowMs() - beganMs
    return new Response(null, { status: Number(/\/answer\/([2-5]\d\d)\//.exec(path)?.[1] ?? 200) })
  })
  const at = (end: string) => taken.filter(({ path }) => path.endsWith(end))
  return {
    port: own,
    awaited: async ({ callbacksAt, atLeast, withinMs }) => {
      const signal = AbortSignal.timeout(withinMs)
      while (at(callbacksAt).length < atLeast && !signal.aborted) await once(told, TAKEN, { signal }).catch(() => {})
      return at(callbacksAt)
    },
    close: () => close('at-once'),
  }
}

/** Holds an answer; gives whether its caller left meanwhile. */
function isLeft(signal: AbortSignal): Promise<boolean> {
  const held = once(signal, 'abort', { signal: AbortSignal.timeout(HELD_MS) })
  return held.then(
    () => true,
    () => false,
  )
}

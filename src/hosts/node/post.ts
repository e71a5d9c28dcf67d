import { performance } from 'node:perf_hooks'
import type { Agent } from 'undici'
import { type Failure, type Place, type TryStage, targetOf } from '../../callbacks/outcome.ts'
import type { Send } from '../../world/deliverer.ts'
import { followConnections } from './connections.ts'

const BODY_MAX = 64 * 1024
/** What a connection may take. */
const CONNECT_MS = 10_000

/**
 * Sends callbacks with undici: kept-alive connections, a bound on the time and on how much of an answer is read,
 * redirects not followed. `callbackHost` stands in for this machine's own name, for when mfano runs in a container.
 */
export function postCallbacks(place: Place): { send: Send; close(): Promise<void> } {
  const { callbackHost } = place
  // Loaded with the first callback: it takes longer to load than all the rest of a start.
  let loading: Promise<{ agent: Agent; request: typeof import('undici').request; isOpen(origin: string): boolean }>
  const undici = () => {
    loading ??= import('undici').then(({ Agent, buildConnector, request }) => {
      const { connect, isOpen } = followConnections(buildConnector({ timeout: CONNECT_MS }))
      return { agent: new Agent({ connections: 64, pipelining: 1, connect }), request, isOpen }
    })
    return loading
  }
  const send: Send = async ({ url, to: elsewhere, headers, body, timeoutMs, signal }) => {
    const startedMs = performance.now()
    const to = elsewhere ? { target: elsewhere, moved: true } : targetOf(url, callbackHost)
    const ended = () => ({ tookMs: performance.now() - startedMs, place, ...(to?.moved && { sentTo: to.target }) })
    if (!to) return { failure: { code: 'ERR_INVALID_URL', message: 'not an http or https URL' }, ...ended() }
    // By hand, because AbortSignal.any and AbortSignal.timeout cost much of a request.
    const limit = new AbortController()
    const stop = () => limit.abort(signal.reason)
    signal.addEventListener('abort', stop)
    let stage: TryStage = 'answer'
    let isOpen = (_: string) => true
    const timer = setTimeout(() => {
      // Asked now, because aborting closes the connection.
      if (stage === 'answer' && !isOpen(to.target.origin)) stage = 'connect'
      limit.abort(new DOMException('no answer', 'TimeoutError'))
    }, timeoutMs)
    try {
      const { agent, request, ...connections } = await undici()
      isOpen = connections.isOpen
      const answer = await request(to.target, {
        dispatcher: agent,
        method: 'POST',
        headers,
        body,
        signal: limit.signal,
      })
      stage = 'body'
      return { status: answer.statusCode, headers: answer.headers, body: await readSome(answer.body), ...ended() }
    } catch (error) {
      return { failure: failureOf(error, stage), ...ended() }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }
  return { send, close: async () => (await loading)?.agent.destroy() }
}

/** The beginning of an answer; the rest is thrown away. */
async function readSome(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= BODY_MAX) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What the network or undici threw, as facts. */
export function failureOf(error: unknown, stage: TryStage): Failure {
  const { name, code, message = 'unknown', data } = error as Error & { code?: unknown; data?: unknown }
  if (name === 'TimeoutError') return { code: 'TIMEOUT', message, stage }
  if (name === 'HTTPParserError')
    return { code: 'NOT_HTTP', message, stage, ...(data ? { received: String(data) } : {}) }
  return { code: typeof code === 'string' ? code : name || 'ERROR', message, stage }
}

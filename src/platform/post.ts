import { performance } from 'node:perf_hooks'
import type { Agent } from 'undici'
import type { Send } from '../world/deliverer.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0'])
const BODY_MAX = 64 * 1024

/**
 * Sends callbacks with undici: kept-alive connections, a bound on the time and on how much of an answer is read,
 * redirects not followed. `callbackHost` stands in for this machine's own name, for when mfano runs in a container.
 */
export function postCallbacks(callbackHost: string | undefined): { send: Send; close(): Promise<void> } {
  // Loaded with the first callback: it takes longer to load than all the rest of a start.
  let loading: Promise<{ agent: Agent; request: typeof import('undici').request }> | undefined
  const undici = () => {
    loading ??= import('undici').then(({ Agent, request }) => ({
      agent: new Agent({ connections: 64, pipelining: 1, connect: { timeout: 10_000 } }),
      request,
    }))
    return loading
  }
  const send: Send = async ({ url, headers, body, timeoutMs, signal }) => {
    const startedMs = performance.now()
    const took = () => performance.now() - startedMs
    // By hand, because AbortSignal.any and AbortSignal.timeout cost much of a request.
    const limit = new AbortController()
    const stop = () => limit.abort(signal.reason)
    signal.addEventListener('abort', stop)
    const timer = setTimeout(() => limit.abort(new DOMException('no answer', 'TimeoutError')), timeoutMs)
    try {
      const { agent, request } = await undici()
      const target = new URL(url)
      if (callbackHost !== undefined && LOOPBACK.has(target.hostname)) target.hostname = callbackHost
      const answer = await request(target, {
        dispatcher: agent,
        method: 'POST',
        headers,
        body,
        signal: limit.signal,
      })
      return { status: answer.statusCode, body: await readSome(answer.body), tookMs: took() }
    } catch (error) {
      return { error: inWords(error, timeoutMs), tookMs: took() }
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

/** A network error as a sentence. */
function inWords(error: unknown, timeoutMs: number): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string }
  if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`
  if (code === 'ECONNREFUSED') return 'connection refused: nothing listens there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host name does not resolve (${code})`
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'the receiver closed the connection without an answer'
  return `${code ?? name ?? 'error'}: ${message ?? 'unknown'}`
}

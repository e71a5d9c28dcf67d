/** Sends a world's callbacks with undici, over its own connections. */
import type { SecureContext } from 'node:tls'
import type { Agent } from 'undici'
import type { Connections, Host, Send } from '../../../core/host.ts'
import { callbackTarget, type Place } from '../../../core/model/attempt.ts'
import { once } from '../../../core/model/once.ts'
import { exchange } from './post-once.ts'

const CONNECT_MS = 10_000
/**
 * Real milliseconds. Idle connections are not reused after this, whatever the receiver promises: most close theirs
 * after five seconds, and a callback that meets a closing connection would fail.
 */
const IDLE_MS = 1000

/**
 * Keeps connections alive, bounds time and length of answers, and follows no redirects. The caller limits how many run
 * at once; there is no queue here. In a container, the callback host of `place` replaces the machine's own name. `trust`:
 * the authorities that receivers may have certificates of, where these are more than Node's.
 */
export function connectionsFrom(
  place: Place,
  { alarm }: Pick<Host, 'alarm'>,
  trust?: () => Promise<SecureContext | undefined>,
): Connections {
  let closed = false
  // Loaded with the first callback: it takes longer to load than all the rest of a start.
  let made: Agent | undefined
  const agent = once(async () => {
    const { default: Agent } = await import('undici/lib/dispatcher/agent.js')
    const secureContext = await trust?.()
    made = new Agent({
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      connect: { timeout: CONNECT_MS, ...(secureContext && { secureContext }) },
    })
    return made
  })
  const send: Send = async ({ url, to: elsewhere, headers, body, timeoutMs, signal }) => {
    const to = elsewhere ? { target: elsewhere, moved: true } : callbackTarget(url, place.callbackHost)
    const moved = to?.moved && { sentTo: to.target }
    if (!to) {
      const failure = { code: 'ERR_INVALID_URL', message: 'not an http or https URL' }
      return { failure, tookMs: 0, place }
    }
    const dispatcher = await agent()
    if (closed) await dispatcher.destroy()
    const startedMs = performance.now()
    const result = await exchange(dispatcher, { target: to.target, headers, body, timeoutMs, signal, alarm })
    return { ...result, tookMs: performance.now() - startedMs, place, ...moved }
  }
  const close = () => {
    closed = true
    void made?.destroy()
  }
  return { send, close }
}

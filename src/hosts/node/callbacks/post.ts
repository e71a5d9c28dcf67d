/** How a world sends its callbacks: by undici, over connections of its own. */
import { performance } from 'node:perf_hooks'
import type { Agent } from 'undici'
import type { Connections, Host, Send } from '../../../core/host.ts'
import { callbackTarget, type Place } from '../../../core/model/attempt.ts'
import { once } from '../../../core/model/once.ts'
import { exchange } from './post-once.ts'

/** What a connection may take. */
const CONNECT_MS = 10_000
/**
 * Nor is a connection taken up again that was not used for so long, in real milliseconds, whatever its receiver promises:
 * most close theirs after five seconds, and a callback that meets one that is being closed would count as failed.
 */
const IDLE_MS = 1000

/**
 * Sends callbacks with undici: kept-alive connections, a bound on the time and on how much of an answer is read,
 * redirects not followed. How many are under way at once is for the sender to bound: here nobody waits in a queue. The
 * callback host of a `place` stands in for this machine's own name, for when mfano runs in a container.
 */
export function connectionsFrom(place: Place, { alarm }: Pick<Host, 'alarm'>): Connections {
  let closed = false
  // Loaded with the first callback: it takes longer to load than all the rest of a start.
  let made: Agent | undefined
  const agent = once(async () => {
    const { default: Agent } = await import('undici/lib/dispatcher/agent.js')
    made = new Agent({
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      connect: { timeout: CONNECT_MS },
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

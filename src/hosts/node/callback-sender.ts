import { existsSync, readFileSync } from 'node:fs'
import type { SecureContext } from 'node:tls'
import type { Agent, Dispatcher } from 'undici'
import type { Connections, Host, Post, Send } from '../../core/host.ts'
import { type Answered, callbackTarget, type Failure, type Network, type TryStage } from '../../core/model/callback.ts'
import { once } from '../../core/model/must.ts'
import { alarmRealMs } from './wall.ts'

export function callbackSender(): Connections {
  return connectionsFrom({ container: inContainer(), callbackHost: undefined }, { alarm: alarmRealMs })
}

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
  place: Network,
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
  const send: Send = async (post) => {
    const to = post.to ? { target: post.to, moved: true } : callbackTarget(post.url, place)
    if (!to) return { failure: { code: 'ERR_INVALID_URL', message: 'not an http or https URL' }, tookMs: 0, place }
    const dispatcher = await agent()
    if (closed) await dispatcher.destroy()
    const startedMs = performance.now()
    const result = await postOnce(dispatcher, to.target, post, alarm)
    return { ...result, tookMs: performance.now() - startedMs, place, ...(to.moved && { sentTo: to.target }) }
  }
  const close = () => {
    closed = true
    void made?.destroy()
  }
  return { send, close }
}

const BODY_MAX = 64 * 1024

export function postOnce(
  dispatcher: Dispatcher,
  target: URL,
  { headers, body, timeoutMs, signal }: Omit<Post, 'url'>,
  alarm: Host['alarm'],
): Promise<Answered | { failure: Failure }> {
  return new Promise((resolve) => {
    let stage: TryStage = 'connect'
    let controller: Dispatcher.DispatchController | undefined
    let answer: Omit<Answered, 'body'> | undefined
    const chunks: Uint8Array[] = []
    let size = 0
    let done = false
    const finish = (result: Answered | { failure: Failure }) => {
      if (done) return
      done = true
      cancel()
      signal.removeEventListener('abort', stop)
      resolve(result)
    }
    /** Ends at once, even before undici has started and could be aborted. */
    const giveUp = (error: Error) => {
      finish({ failure: failureOf(error, stage) })
      controller?.abort(error)
    }
    const answered = () => answer && finish({ ...answer, body: Buffer.concat(chunks).toString('utf8') })
    const stop = () => giveUp(new DOMException('the world is closed', 'AbortError'))
    const cancel = alarm(timeoutMs, () => giveUp(new DOMException('no answer', 'TimeoutError')))
    signal.addEventListener('abort', stop)
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(begun) {
        controller = begun
        // Nothing is sent any more of what was given up.
        if (done) begun.abort(new DOMException('given up', 'AbortError'))
        else stage = 'answer'
      },
      onResponseStart(_, status, received) {
        // One that only announces the answer.
        if (status < 200) return
        stage = 'body'
        answer = { status, headers: received }
      },
      onResponseData(begun, chunk) {
        chunks.push(chunk)
        size += chunk.length
        if (size < BODY_MAX) return
        answered()
        begun.abort(new DOMException('enough', 'AbortError'))
      },
      onResponseEnd: () => void answered(),
      onResponseError: (_, error) => finish({ failure: failureOf(error, stage) }),
    }
    const { origin, pathname, search } = target
    if (signal.aborted) return stop()
    try {
      dispatcher.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler)
    } catch (error) {
      finish({ failure: failureOf(error, stage) })
    }
  })
}

export function failureOf(error: unknown, stage: TryStage): Failure {
  const { name, code, message = 'unknown', data } = error as Error & { code?: unknown; data?: unknown }
  if (name === 'TimeoutError') return { code: 'TIMEOUT', message, stage }
  if (name === 'HTTPParserError')
    return { code: 'NOT_HTTP', message, stage, ...(data ? { received: String(data) } : {}) }
  return { code: typeof code === 'string' ? code : name || 'ERROR', message, stage }
}

const MARKS = ['/.dockerenv', '/run/.containerenv']
const ENGINE = /docker|containerd|kubepods|libpod|lxc/

/** In a container, localhost is not the machine that people mean. */
export function inContainer(): boolean {
  return MARKS.some((mark) => existsSync(mark)) || process.env['KUBERNETES_SERVICE_HOST'] !== undefined || isGrouped()
}

/** The first process of a container is in a control group of its engine. */
function isGrouped(): boolean {
  try {
    return ENGINE.test(readFileSync('/proc/1/cgroup', 'utf8'))
  } catch {
    return false
  }
}

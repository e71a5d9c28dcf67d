/** Sends one request with undici, and knows at which stage it failed. */
import type { Dispatcher } from 'undici'
import type { Host } from '../../../core/host.ts'
import type { Answered, Failure, TryStage } from '../../../core/model/attempt.ts'
import { failureOf } from './network-failure.ts'

const BODY_MAX = 64 * 1024

export interface Outgoing {
  target: URL
  headers: Record<string, string>
  body: string
  /** Real milliseconds for the connection and the whole answer. */
  timeoutMs: number
  signal: AbortSignal
  alarm: Host['alarm']
}

export function exchange(
  dispatcher: Dispatcher,
  { target, headers, body, timeoutMs, signal, alarm }: Outgoing,
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
        // The rest is thrown away.
        answered()
        begun.abort(new DOMException('enough', 'AbortError'))
      },
      onResponseEnd: () => {
        answered()
      },
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

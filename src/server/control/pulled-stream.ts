/** Server-sent events that are made when their reader has room, so that a slow one does not fill memory. */
import type { Host } from '../../core/host.ts'

/** Real milliseconds of silence before a comment is sent, so that both sides notice a lost connection. */
const HEARTBEAT_MS = 15_000

interface EventSource {
  /** Sent first. */
  greeting: string
  /**
   * Called before the first event. `wake`: there may be something to take. `end`: nothing follows but `last`. Returns
   * what to do when the reader has left.
   */
  begin(wake: () => void, end: (last?: string) => void): () => void
  /** Events that are to be sent now, as `sentEvent` writes them; nothing for none. What is taken is not given again. */
  take(): string
}

/** A request by HEAD is answered with the headers, and begins nothing: nobody would end it. */
export function pulledStream(host: Host, head: boolean, source: EventSource): Response {
  return new Response(head ? null : bodyOf(host, source), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

export function sentEvent(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

function bodyOf(host: Host, source: EventSource): ReadableStream {
  const encoder = new TextEncoder()
  let text = source.greeting
  let isOver = false
  let wake = () => {}
  let cancelHeartbeat = () => {}
  const end = (last = '') => {
    isOver = true
    text += last
    wake()
  }
  const left = source.begin(() => wake(), end)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          if (!isOver) text += source.take()
          if (text !== '') break
          if (isOver) return controller.close()
          await new Promise<void>((resolve) => {
            wake = resolve
            cancelHeartbeat = host.alarm(HEARTBEAT_MS, () => {
              text = ': nothing new\n\n'
              resolve()
            })
          })
          cancelHeartbeat()
        }
        controller.enqueue(encoder.encode(text))
        text = ''
      },
      cancel() {
        cancelHeartbeat()
        left()
      },
    },
    { highWaterMark: 0 },
  )
}

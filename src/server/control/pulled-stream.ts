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
  let first = source.greeting
  let isSilent = false
  let isOver = false
  let wake = () => {}
  let cancelHeartbeat = () => {}
  const beat = () => {
    isSilent = false
    cancelHeartbeat = host.alarm(HEARTBEAT_MS, () => {
      isSilent = true
      wake()
    })
  }
  const take = () => {
    const text = `${isSilent ? ': nothing new\n\n' : ''}${first}${isOver ? '' : source.take()}`
    if (isSilent) beat()
    first = ''
    return text
  }
  const end = (last = '') => {
    isOver = true
    first += last
    wake()
  }
  const left = source.begin(() => wake(), end)
  beat()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const text = take()
          if (text !== '') return controller.enqueue(encoder.encode(text))
          if (isOver) {
            cancelHeartbeat()
            return controller.close()
          }
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      },
      cancel() {
        cancelHeartbeat()
        left()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Server-sent events for one forwarder: deliveries, and why there are no more. */
import type { ForwarderLine, ForwardingEnd } from '../../../core/model/forwarder.ts'
import type { World } from '../../../core/world.ts'

/** Real milliseconds of silence after which a comment is sent, by which both sides notice a connection that is lost. */
const HEARTBEAT_MS = 15_000

/** An answer that goes on for as long as its reader forwards. `head`: asks only whether it could be read. */
export function deliveryStream(world: World, id: string, head: boolean): Response {
  return new Response(head ? null : bodyOf(world, id), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

function bodyOf({ forwarders, host }: World, id: string): ReadableStream {
  const encoder = new TextEncoder()
  let ended: ForwardingEnd | undefined
  let over = false
  let silent = false
  let wake = () => {}
  let cancelHeartbeat = () => {}
  const beat = () => {
    cancelHeartbeat()
    cancelHeartbeat = host.alarm(HEARTBEAT_MS, () => {
      silent = true
      wake()
    })
  }
  const line: ForwarderLine = {
    wake: () => wake(),
    end: (why) => {
      ended = why
      cancelHeartbeat()
      wake()
    },
  }
  /** Taken when the reader has room. */
  const take = () => {
    let text = silent ? ': nothing new\n\n' : ''
    for (const { id: delivery, post } of forwarders.take(id)) {
      const { url, headers, body, timeoutMs } = post
      text += told('delivery', { delivery, url, headers, body, timeoutMs })
    }
    if (ended) text += told('end', { why: ended })
    if (silent) beat()
    silent = false
    return text
  }
  let begun = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!begun) {
          begun = true
          forwarders.connect(id, line)
          beat()
          return controller.enqueue(encoder.encode('retry: 1000\n\n'))
        }
        for (;;) {
          if (over) return controller.close()
          const text = take()
          if (ended) over = true
          if (text !== '') return controller.enqueue(encoder.encode(text))
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      },
      cancel() {
        over = true
        cancelHeartbeat()
        forwarders.disconnect(id, line)
        wake()
      },
    },
    { highWaterMark: 0 },
  )
}

function told(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

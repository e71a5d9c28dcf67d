/** Server-sent events for one forwarder: deliveries, and why the stream ends. */
import type { ForwarderLine, ForwardingEnd } from '../../../core/model/forwarder.ts'
import type { World } from '../../../core/world.ts'
import { pulledStream, sentEvent } from '../pulled-stream.ts'

/** Ends when the forwarder leaves. `head` asks only for the headers. */
export function deliveryStream({ forwarders, host }: World, id: string, head: boolean): Response {
  let ended: ForwardingEnd | undefined
  let isOver = false
  let greeting = 'retry: 1000\n\n'
  let line: ForwarderLine
  return pulledStream(host, head, {
    begin(wake) {
      line = {
        wake,
        end: (why) => {
          ended = why
          wake()
        },
      }
      forwarders.connect(id, line)
    },
    take() {
      let text = greeting
      greeting = ''
      if (isOver) return text
      if (ended) {
        isOver = true
        // What is open now belongs to whoever took over.
        return text + sentEvent('end', { why: ended })
      }
      for (const { id: delivery, post } of forwarders.take(id)) {
        const { url, headers, body, timeoutMs } = post
        text += sentEvent('delivery', { delivery, url, headers, body, timeoutMs })
      }
      return text
    },
    isOver: () => isOver,
    left: () => forwarders.disconnect(id, line),
  })
}

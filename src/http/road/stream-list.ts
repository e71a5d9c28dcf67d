/** Streams long lists as answers. */
import { deferredTurn, type Host } from '../../core/host.ts'
import type { Answer } from '../operation.ts'

type List = NonNullable<Answer['list']>

const ITEMS_PER_CHUNK = 200

/**
 * Reads from the store as fast as the client takes it, and lets other requests run in between. `release` runs at the
 * end.
 */
export function streamed({ before, items, after }: List, host: Host, release: () => void): ReadableStream {
  const encoder = new TextEncoder()
  const iterator = items[Symbol.iterator]()
  let first = true
  let givenUp = false
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(before)),
    pull: async (controller) => {
      await deferredTurn(host)
      if (givenUp) return
      let chunk = ''
      try {
        for (let i = 0; i < ITEMS_PER_CHUNK; i++) {
          const { done, value } = iterator.next()
          if (done) {
            controller.enqueue(encoder.encode(chunk + after))
            controller.close()
            release()
            return
          }
          chunk += (first ? '' : ',') + JSON.stringify(value)
          first = false
        }
      } catch (error) {
        release()
        throw error
      }
      controller.enqueue(encoder.encode(chunk))
    },
    cancel: () => {
      givenUp = true
      iterator.return?.()
      release()
    },
  })
}

/** In one piece, because faults cut or delay bytes. */
export function listText({ before, items, after }: List): string {
  return before + Array.from(items, (item) => JSON.stringify(item)).join(',') + after
}

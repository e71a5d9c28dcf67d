/** Long lists as answers, sent while they are read. */
import { type Host, turn } from '../../core/host.ts'
import type { Answer } from '../operation.ts'

type List = NonNullable<Answer['list']>

const ITEMS_PER_CHUNK = 200

/**
 * A list of any length: read from the store while it is sent, as fast as the reader takes it, and others have their turn
 * in between. `release` runs when it ends.
 */
export function streamed(
  { before, items, after }: List,
  host: Pick<Host, 'defer'>,
  release: () => void,
): ReadableStream {
  const encoder = new TextEncoder()
  const iterator = items[Symbol.iterator]()
  let first = true
  let givenUp = false
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(before)),
    pull: async (controller) => {
      await turn(host)
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

/** A list as one text, for an answer that a fault cuts, slows down or holds up. */
export function listText({ before, items, after }: List): string {
  return before + Array.from(items, (item) => JSON.stringify(item)).join(',') + after
}

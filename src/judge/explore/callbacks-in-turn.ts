/** Sends the callbacks of one run, in an order that is the schedule's, and gives up those that nobody answers. */
import type { Post, PostResult, Send } from '../../core/host.ts'

export class CallbacksInTurn {
  /** One is being sent, and these wait for their turn. */
  #isSending = false
  readonly #queue: (() => void)[] = []
  /** Those that wait for their answer, and what gives each of them up. */
  readonly #waiting: (() => void)[] = []

  /** Callbacks that are due at one instant go one after another. */
  turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        this.#isSending = true
        resolve()
      }
      if (!this.#isSending || signal.aborted) go()
      else this.#queue.push(go)
    })
  }

  endTurn(): void {
    this.#isSending = false
    this.#queue.shift()?.()
  }

  /** Those that wait for their answer. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** As a receiver that takes too long is given up, without the waiting; false where nobody waits. */
  giveUpOne(): boolean {
    const first = this.#waiting[0]
    first?.()
    return first !== undefined
  }

  async send(post: Post, send: Send): Promise<PostResult> {
    const late = new AbortController()
    const { promise, resolve } = Promise.withResolvers<PostResult>()
    const giveUp = () => {
      resolve({
        failure: { code: 'TIMEOUT', message: `no answer within ${post.timeoutMs} ms` },
        tookMs: post.timeoutMs,
      })
      late.abort()
    }
    this.#waiting.push(giveUp)
    try {
      // A connection of its own, so that no answer waits for an acknowledgement that the system puts off.
      const headers = { ...post.headers, connection: 'close' }
      return await Promise.race([
        send({ ...post, headers, signal: AbortSignal.any([post.signal, late.signal]) }),
        promise,
      ])
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(giveUp), 1)
    }
  }
}

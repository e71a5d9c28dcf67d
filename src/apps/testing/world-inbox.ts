import type { Control, InboxBehaviour, InboxMessage } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import { condition, type WaitOptions, type Where, waitFor } from './verification.ts'

/** A receiver for callbacks, for tests that have none. */
export class WorldInbox {
  readonly name: string
  /** Send it as `callbackUrl`. */
  readonly url: string
  readonly #control: Control

  constructor(control: Control, baseUrl: string, name: string) {
    this.#control = control
    this.name = name
    this.url = `${baseUrl}/_mfano/inbox/${encodeURIComponent(name)}`
  }

  /**
   * All messages, oldest first.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const inbox = world.inbox('orders')
   * await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250, callbackUrl: inbox.url })
   * await world.clock.advance('1m')
   * const [told] = await inbox.messages<StkCallback>()
   * assert.equal(told?.body.status, 'SUCCESS')
   * ```
   */
  async messages<Body = Record<string, unknown>>(): Promise<InboxMessage<Body>[]> {
    const { messages } = await this.#control('GET', '/inbox/:name', { path: this.#path })
    return messages as InboxMessage<Body>[]
  }

  /**
   * Waits for a matching message and returns the newest.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world({ clock: { mode: 'scaled', rate: 100 } })
   * const inbox = world.inbox('orders')
   * await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250, callbackUrl: inbox.url })
   * const told = await inbox.waitFor<StkCallback>({ body: { status: 'SUCCESS' } })
   * assert.equal(told.headers['content-type'], 'application/json')
   * ```
   */
  async waitFor<Body = Record<string, unknown>>(
    where: Where<'inbox'> = {},
    options: WaitOptions = {},
  ): Promise<InboxMessage<Body>> {
    const mine = [condition('inbox', { name: this.name }), condition('inbox', where)]
    const all = mine.flatMap((one) => (one === undefined ? [] : [`(${one})`])).join(' && ')
    const [message] = await waitFor(this.#control, 'inbox', all, options)
    return must(message) as InboxMessage<Body>
  }

  /**
   * Changes its answers: late, with errors, or none.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const inbox = world.inbox('orders')
   * await inbox.answer({ answers: '500,500,200' })
   * await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250, callbackUrl: inbox.url })
   * await world.clock.advance('1h')
   * assert.deepEqual((await inbox.messages()).map((message) => message.answered), ['500', '500', '200'])
   * ```
   */
  async answer(behaviour: InboxBehaviour): Promise<void> {
    await this.#control('PUT', '/inbox/:name', { path: this.#path, body: behaviour })
  }

  /** Removes all messages, and answers 200 again. */
  async clear(): Promise<void> {
    await this.#control('DELETE', '/inbox/:name', { path: this.#path })
  }

  get #path() {
    return { name: this.name }
  }
}

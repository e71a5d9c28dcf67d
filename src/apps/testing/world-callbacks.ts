/** Callbacks of a world, for tests. */
import type { CallbackDetail, CallbackSummary, Control } from '../../client/control.ts'
import type { PaymentKind } from '../../client/service.gen.ts'
import { must } from '../../core/model/must.ts'
import { type Verification, type Verified, verify, type WaitOptions, type Where, waitFor } from './verification.ts'
import type { PaymentExample } from './world-payments.ts'

export interface CallbackFilter {
  state?: CallbackSummary['state']
  /** Uuid of the payment. */
  payment?: string
  /** At most 1000. Default 100. */
  limit?: number
}

/** Example of a callback, for waiting. */
export interface CallbackExample<Body = Record<string, unknown>> {
  uid?: string
  topic?: PaymentKind
  url?: string
  state?: CallbackSummary['state']
  attempts?: number
  /** The last attempt's HTTP status, and why it did not count. */
  lastStatus?: number
  lastError?: string
  /** The payment: its uuid, or an example. */
  payment?: string | PaymentExample
  /** Fields of the body. */
  body?: Partial<Body>
}

/** The world's callbacks, with every attempt. */
export class WorldCallbacks {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /** Newest first. */
  async list(filter: CallbackFilter = {}): Promise<CallbackSummary[]> {
    const { callbacks } = await this.#control('GET', '/callbacks', { query: { ...filter } })
    return callbacks
  }

  /**
   * Waits for a matching callback and returns the newest. Fails with what came nearest. A frozen world sends nothing by
   * itself, so move the clock first.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const { uuid } = await world.collect.stk({
   *   phoneNumber: '254712345678',
   *   amount: 250,
   *   callbackUrl: world.inbox('app').url,
   * })
   * await world.clock.advance('1m')
   * const told = await world.callbacks.waitFor<StkCallback>({ payment: uuid, state: 'delivered' })
   * assert.equal(told.body.status, 'SUCCESS')
   * ```
   */
  async waitFor<Body = Record<string, unknown>>(
    where: Where<CallbackExample<Body>> = {},
    options: WaitOptions = {},
  ): Promise<CallbackSummary<Body>> {
    const [callback] = await waitFor<CallbackSummary<Body>>(this.#control, 'callback', where, options)
    return must(callback)
  }

  /** Waits for this many different ones. */
  waitForSome<Body = Record<string, unknown>>(
    count: number,
    where: Where<CallbackExample<Body>> = {},
    options: WaitOptions = {},
  ): Promise<CallbackSummary<Body>[]> {
    return waitFor(this.#control, 'callback', where, { ...options, count })
  }

  /** Fails unless the callbacks are as wanted: how many, in which order, and nothing after. */
  verify(
    where: Where<CallbackExample>,
    wanted: Verification<CallbackExample> = {},
  ): Promise<Verified<CallbackSummary>> {
    return verify(this.#control, 'callback', where, wanted)
  }

  /** With every attempt: what was sent, what came back, and why it did not count. */
  get(id: string | number): Promise<CallbackDetail> {
    return this.#control('GET', '/callbacks/:id', { path: { id } })
  }

  /** Sends a callback again, with the same id, whether or not it arrived before. */
  redeliver(id: string | number): Promise<CallbackDetail> {
    return this.#control('POST', '/callbacks/:id/redeliver', { path: { id } })
  }

  /** The secret that signs callbacks under the assumption `callback-signature: standard-webhooks`. */
  async secret(): Promise<string> {
    return (await this.#control('GET', '/callbacks/secret')).secret
  }
}

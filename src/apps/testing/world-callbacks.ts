/** Callbacks of a world, for tests. */
import type { Control } from '../../client/control.ts'
import type { CallbackDetail, CallbackSummary } from '../../client/control-answers.ts'
import type { PaymentKind } from '../../client/service.gen.ts'
import { type Verification, type Verified, verify } from './verification.ts'
import { type WaitOptions, type Where, waitFor } from './wait-options.ts'
import type { PaymentExample } from './world-payments.ts'

/** Which callbacks to list. */
export interface CallbackFilter {
  state?: CallbackSummary['state']
  /** The uuid of the payment that they tell of. */
  payment?: string
  /** At most so many, up to 1000; 100 unless given. */
  limit?: number
}

/** What a callback that is waited for looks like. */
export interface CallbackExample<Body = Record<string, unknown>> {
  uid?: string
  topic?: PaymentKind
  url?: string
  state?: CallbackSummary['state']
  attempts?: number
  /** The receiver's answer to the last attempt, and why that did not count. */
  lastStatus?: number
  lastError?: string
  /** The payment that it tells of, by its uuid or by what it looks like. */
  payment?: string | PaymentExample
  /** Fields of what is told. */
  body?: Partial<Body>
}

/** What the merchant is told: the world's outbox, with every attempt. */
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
   * Waits until there is a callback that is as wanted, and gives the newest. Fails with what came nearest. In a frozen
   * world nothing is sent by itself: move the clock first.
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
    return callback as CallbackSummary<Body>
  }

  /** Waits for so many different ones. */
  waitForSome<Body = Record<string, unknown>>(
    count: number,
    where: Where<CallbackExample<Body>> = {},
    options: WaitOptions = {},
  ): Promise<CallbackSummary<Body>[]> {
    return waitFor(this.#control, 'callback', where, { ...options, count })
  }

  /** Fails unless the merchant is told as wanted: so often, in this order, nothing more after that. */
  verify(
    where: Where<CallbackExample>,
    wanted: Verification<CallbackExample> = {},
  ): Promise<Verified<CallbackSummary>> {
    return verify(this.#control, 'callback', where, wanted)
  }

  /** One, with every attempt: what was sent, what came back, and why it did not count. */
  get(id: string | number): Promise<CallbackDetail> {
    return this.#control('GET', '/callbacks/:id', { path: { id } })
  }

  /** Sends one again, whatever came of it before: the receiver sees the same id twice. */
  redeliver(id: string | number): Promise<CallbackDetail> {
    return this.#control('POST', '/callbacks/:id/redeliver', { path: { id } })
  }

  /** The secret that callbacks are signed with while the assumption `callback-signature` is `standard-webhooks`. */
  async secret(): Promise<string> {
    return (await this.#control('GET', '/callbacks/secret')).secret
  }
}

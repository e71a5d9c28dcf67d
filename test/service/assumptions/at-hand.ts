/** What a probe needs besides requests, in a world whose time a test moves: pauses and callbacks. */
import type { Receiver as CalibrationReceiver } from '../../../src/judge/calibrate.ts'
import type { Alarms } from '../../support/alarms.ts'
import type { Received, Receiver, TestWorld } from '../../support/harness.ts'

const SECOND_MS = 1000
/** What is waited for comes earlier, or never. */
const LONGEST_MS = 180 * SECOND_MS

/** Answers as its path says, as the receiver of a real calibration does. */
export class AtHand implements CalibrationReceiver {
  readonly #world: TestWorld
  readonly #receiver: Receiver
  readonly #time: Alarms
  readonly #released = Promise.withResolvers<number>()
  readonly #closedAfterMs = new Map<Received, number>()
  #arrived = Promise.withResolvers<void>()
  #moving: Promise<unknown> | undefined
  /** Of the world, since it was made. */
  passedMs = 0

  constructor(world: TestWorld, receiver: Receiver, time: Alarms) {
    this.#world = world
    this.#receiver = receiver
    this.#time = time
    receiver.answer = ({ path }) => {
      const status = /^\/answer\/(\d+)\//.exec(path)?.[1]
      if (!path.startsWith('/hold/')) return status === undefined ? 200 : Number(status)
      this.#arrived.resolve()
      return this.#released.promise
    }
  }

  async wait(ms: number): Promise<void> {
    // A callback that is held ends in real time.
    if (this.#moving) {
      const waitedMs = await this.#time.next()
      for (const one of this.#receiver.received) this.#closedAfterMs.set(one, waitedMs)
      return this.#time.pass(waitedMs)
    }
    await this.#advance(ms)
  }

  async awaited({ callbacksAt, atLeast, withinMs }: Parameters<CalibrationReceiver['awaited']>[0]) {
    if (atLeast > 0 && callbacksAt.startsWith('/hold/')) {
      this.#moving = this.#advance(LONGEST_MS)
      await this.#arrived.promise
    } else if (atLeast > 0) await this.#advance(Math.min(withinMs, LONGEST_MS))
    return this.#receiver.received
      .filter(({ path }) => path.split('?')[0] === callbacksAt)
      .map((one) => ({
        headers: one.headers,
        body: one.body,
        query: one.path.split('?')[1] ?? '',
        closedAfterMs: this.#closedAfterMs.get(one),
      }))
  }

  /** Lets go of what is held. */
  async end(): Promise<void> {
    this.#released.resolve(200)
    await this.#moving
    this.#receiver.answer = 200
  }

  async #advance(ms: number): Promise<void> {
    this.passedMs += ms
    await this.#world.advance(`${Math.round(ms / SECOND_MS)}s`)
  }
}

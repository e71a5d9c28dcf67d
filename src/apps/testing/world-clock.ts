import type { Advanced, Control, ControlBody } from '../../client/control.ts'
import type { WorldAddress } from '../clock/world-line.ts'
// Keeps the real timers, before a test fakes them.
import '../../hosts/node/wall.ts'

/** Settings for a test that joins the time of a world. */
export interface JoinOptions {
  /** Name in lists, and where time did not wait for the test. Default `the test`. */
  name?: string
  /** Real time that the test may work at one instant before time goes on without it. Default `10s`. */
  lease?: string
}

/** Leaves at the end of its scope. */
export interface JoinedClock extends AsyncDisposable {
  /** Gives this process its own timers back. */
  leave(): Promise<void>
}

/** The time of one world. Everything in it is dated, aged and made due by this clock. */
export class WorldClock {
  readonly #control: Control
  readonly #address: WorldAddress
  readonly #joined = new Set<JoinedClock>()

  constructor(control: Control, address: WorldAddress) {
    this.#control = control
    this.#address = address
  }

  /** World time: ISO 8601 in UTC, with microseconds and a `Z`. */
  async now(): Promise<string> {
    return (await this.#control('GET', '/clock')).now
  }

  /**
   * Moves time from due event to due event. Resolves when everything that fell due is done and its callbacks are
   * answered.
   * @param by a length such as `90s`, `5m`, `1h30m` or `2d`, or what `POST /_mfano/clock/advance` takes
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
   * const { steps, now } = await world.clock.advance('1m')
   * assert.equal(steps, 1)
   * assert.equal(now, '2025-01-24T16:29:00.000000Z')
   * await world.clock.advance({ to: '2025-01-25T08:00:00' })
   * ```
   */
  advance(by: string | ControlBody<'POST', '/clock/advance'>): Promise<Advanced> {
    return this.#control('POST', '/clock/advance', { body: typeof by === 'string' ? { by } : by })
  }

  /**
   * Joins this process to the world's time: until it leaves, its dates and timers are the world's, and world time stops
   * at its timers. Drives the test runner's fake timers. If it has none, it installs its own and removes them
   * afterwards.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const joined = await world.clock.join()
   * const signal = AbortSignal.timeout(90_000)
   * await world.clock.advance('5m')
   * await joined.leave()
   * assert.equal(signal.aborted, true)
   * ```
   */
  async join(options: JoinOptions = {}): Promise<JoinedClock> {
    // Only here: it is Node's timers that are replaced.
    const { joinHere } = await import('../clock/join-here.ts')
    const { name = 'the test', lease = '10s' } = options
    const leave = await joinHere(this.#address, { name, lease })
    const joined: JoinedClock = {
      leave: () => {
        this.#joined.delete(joined)
        return leave()
      },
      [Symbol.asyncDispose]: () => joined.leave(),
    }
    this.#joined.add(joined)
    return joined
  }

  /** Leaves wherever a test has joined. `world.close()` does it too, for a test that failed before it left. */
  async leave(): Promise<void> {
    for (const joined of [...this.#joined]) await joined.leave()
  }
}

/** The clock of a world, for tests. */
import type { Control } from '../../client/control.ts'
import type { Advanced, ClockSetting, ClockState, Settled } from '../../client/control-answers.ts'
// Keeps the real timers, before a test fakes them.
import '../../hosts/node/wall.ts'
import type { ClockedPage } from '../clock/page-time.ts'

/** What stops a run of the clock early. */
export interface ClockRunOptions {
  /** A condition in CEL over events. Time stops right after the first match. */
  until?: string
  /** Due events at most. */
  steps?: number
  /** Real time at most, such as `30s`. */
  timeout?: string
}

/** How a test takes part in the time of a world. */
export interface JoinOptions {
  /** What it is called where time did not wait for it; `the test` unless given. */
  name?: string
  /** Real time that it may work at an instant before time goes on without it; `10s` unless given. */
  lease?: string
  /** A page of Playwright, whose `page.clock` then follows the world. */
  page?: ClockedPage
}

/** Takes part until it leaves. */
export interface JoinedClock extends AsyncDisposable {
  /** The timers of this process, or of the page, are its own again. */
  leave(): Promise<void>
}

/** Where the world is. */
interface Address {
  baseUrl: string
  adminToken: string | undefined
}

/** The time of one world. Everything in it is stamped, aged, paced and made due by this clock. */
export class WorldClock {
  readonly #control: Control
  readonly #address: Address
  readonly #joined = new Set<JoinedClock>()

  constructor(control: Control, address: Address) {
    this.#control = control
    this.#address = address
  }

  /** World time: ISO 8601 in UTC, with microseconds and a `Z`. */
  async now(): Promise<string> {
    return (await this.state()).now
  }

  /** How fast time goes, what time it is, and when something happens next. */
  state(): Promise<ClockState> {
    return this.#control('GET', '/clock')
  }

  /**
   * Moves time from due event to due event. Resolves when everything that fell due is done and its callbacks are
   * answered.
   * @param by a length such as `90s`, `5m`, `1h30m` or `2d`, or an instant to go to
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * await world.collect.stk({ phoneNumber: '254712345678', amount: 250 })
   * const { steps, now } = await world.clock.advance('1m')
   * assert.equal(steps, 1)
   * assert.equal(now, '2025-01-24T16:29:00.000000Z')
   * await world.clock.advance({ to: '2025-01-25T08:00:00' })
   * ```
   */
  advance(by: string | { to: string | Date }, options: ClockRunOptions = {}): Promise<Advanced> {
    const target = typeof by === 'string' ? { by } : { to: instantText(by.to) }
    return this.#control('POST', '/clock/advance', { body: { ...target, ...options } })
  }

  /**
   * Runs from due event to due event until nothing is pending, `within` is spent (default `7d` of world time) or the
   * breakpoint holds. Returns what happened, what is still due, and what will never end.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const client = await world.client()
   * const payout = { phoneNumber: '254712000409', amount: 500, remarks: 'Rent', occasion: 'May' }
   * await client.createSendMoney({ ...payout, callbackUrl: world.inbox('rent').url })
   * const paid = await world.clock.settle({ until: 'event.to == "SUCCESS"' })
   * assert.equal(paid.ended, 'the breakpoint holds')
   * const { ended, pending } = await world.settle()
   * assert.equal(ended, 'nothing is pending')
   * assert.deepEqual(pending, [])
   * assert.deepEqual((await world.inbox('rent').messages()).map(({ body }) => body.status), ['SUCCESS', 'FAILED'])
   * ```
   */
  settle(options: ClockRunOptions & { within?: string } = {}): Promise<Settled> {
    return this.#control('POST', '/clock/settle', { body: options })
  }

  /**
   * Has this process take part in the time of the world: its dates, timers and measures are the world's until it leaves,
   * and time stops at what is due here. Fake timers that the test runner has put in place already are driven; without
   * them, timers are faked, and put back. `page`: has a page of Playwright follow instead.
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
    const [{ joinHere }, { PageTime }] = await Promise.all([
      import('../clock/join-here.ts'),
      import('../clock/page-time.ts'),
    ])
    const { name = 'the test', lease = '10s', page } = options
    const leave = await joinHere(this.#address, {
      name,
      lease,
      other: page && ((nowMs) => PageTime.install(page, nowMs)),
    })
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

  /** Changes how time goes from now on; what is left out stays. */
  set(setting: ClockSetting): Promise<ClockState> {
    return this.#control('PATCH', '/clock', { body: setting })
  }

  /** Time stops until it is moved. */
  freeze(): Promise<ClockState> {
    return this.set({ mode: 'frozen' })
  }

  /** Time goes `rate` times as fast as real time. */
  scale(rate: number): Promise<ClockState> {
    return this.set({ mode: 'scaled', rate })
  }

  /** Time goes as fast as real time. */
  realtime(): Promise<ClockState> {
    return this.set({ mode: 'realtime' })
  }
}

export function instantText(instant: string | Date): string {
  return typeof instant === 'string' ? instant : instant.toISOString()
}

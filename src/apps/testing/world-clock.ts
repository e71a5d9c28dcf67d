/** The clock of a world, for tests. */
import type { Control } from '../../client/control.ts'
import type { Advanced, ClockSetting, ClockState, Settled } from '../../client/control-answers.ts'

/** What stops a run of the clock early. */
export interface ClockRunOptions {
  /** A condition in CEL over events. Time stops right after the first match. */
  until?: string
  /** Due events at most. */
  steps?: number
  /** Real time at most, such as `30s`. */
  timeout?: string
}

/** The clock of a world. Everything in the world gets its time from it. */
export class WorldClock {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
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

  /** Changes how time goes. What is left out stays. */
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

/** World time: what one world's clock shows, and how it goes. */
import { type ClockMode, type InstantUs, LAST_INSTANT_US } from '../model/time.ts'

/** What is stored of a clock: world time `worldUs` stood at wall time `wallUs`, and goes `rate` times as fast. */
export interface ClockState {
  mode: ClockMode
  rate: number
  worldUs: InstantUs
  wallUs: number
}

/**
 * A world's clock. Everything in a world is stamped, aged, paced and made due by it. While it is paused, during an
 * advance, it shows exactly the due time of what is being done. At the end of time it stands.
 */
export class Clock {
  #state: ClockState
  #pausedUs: InstantUs | null = null
  #heldUs: InstantUs | null = null
  readonly #wallUs: () => number

  /**
   * `wallUs`: microseconds of real time, monotonic while a process lives. A state that is later than that was stored before
   * the machine's clock was set back: world time goes on from it, and does not go back as well.
   */
  constructor(state: ClockState, wallUs: () => number) {
    this.#state = { ...state, wallUs: Math.min(state.wallUs, wallUs()) }
    this.#wallUs = wallUs
  }

  static starting(mode: ClockMode, rate: number, startUs: InstantUs | null, wallUs: () => number): Clock {
    const wall = wallUs()
    return new Clock({ mode, rate: mode === 'realtime' ? 1 : rate, worldUs: startUs ?? wall, wallUs: wall }, wallUs)
  }

  now(): InstantUs {
    if (this.#heldUs !== null) return this.#heldUs
    if (this.#pausedUs !== null) return this.#pausedUs
    const { mode, rate, worldUs, wallUs } = this.#state
    if (mode === 'frozen') return worldUs
    return Math.min(worldUs + Math.floor((this.#wallUs() - wallUs) * rate), LAST_INSTANT_US)
  }

  get mode(): ClockMode {
    return this.#state.mode
  }

  /** World seconds per real second; 0 when frozen. */
  get rate(): number {
    return this.#state.mode === 'frozen' ? 0 : this.#state.rate
  }

  /** What to store so that a restart goes on from here. */
  state(): ClockState {
    return { ...this.#state, worldUs: this.now(), wallUs: this.#wallUs() }
  }

  /** Changes how time goes, from the present moment or from `nowUs`. */
  set(change: { mode?: ClockMode | undefined; rate?: number | undefined; nowUs?: InstantUs | undefined }): void {
    const mode = change.mode ?? this.#state.mode
    const rate = mode === 'realtime' ? 1 : (change.rate ?? this.#state.rate)
    const nowUs = change.nowUs ?? this.now()
    this.#heldUs = null
    this.#state = { mode, rate, worldUs: nowUs, wallUs: this.#wallUs() }
  }

  /** Goes on as it did when this state was taken. */
  restore(state: ClockState): void {
    this.#state = { ...state }
  }

  /** Stands still at an instant until it is resumed. */
  pause(atUs: InstantUs): void {
    this.#pausedUs = atUs
  }

  /** Shows one instant to all of a piece of work, unless that sets the clock; then goes on as if it had never stood. */
  hold<T>(atUs: InstantUs, work: () => T): T {
    this.#heldUs = atUs
    try {
      return work()
    } finally {
      this.#heldUs = null
    }
  }

  /** Shows an instant while work is done, and then what it showed before. */
  during<T>(atUs: InstantUs, work: () => T): T {
    const before = this.#pausedUs
    this.#pausedUs = atUs
    try {
      return work()
    } finally {
      this.#pausedUs = before
    }
  }

  get paused(): boolean {
    return this.#pausedUs !== null
  }

  /** Goes on from an instant, in the mode it had. */
  resume(atUs: InstantUs): void {
    this.#pausedUs = null
    this.#state = { ...this.#state, worldUs: atUs, wallUs: this.#wallUs() }
  }
}

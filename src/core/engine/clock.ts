import { type ClockMode, type InstantUs, LAST_INSTANT_US } from '../model/time.ts'

export interface ClockState {
  mode: ClockMode
  rate: number
  worldUs: InstantUs
  wallUs: number
}

export interface ClockChange {
  mode?: ClockMode | undefined
  rate?: number | undefined
  nowUs?: InstantUs | undefined
}

/**
 * Everything in a world gets its time from here. While paused it shows the due time of the current step. It stops at
 * the last instant.
 */
export class Clock {
  #state: ClockState
  #pausedUs: InstantUs | null = null
  #heldUs: InstantUs | null = null
  readonly #wallUs: () => number

  /**
   * `wallUs`: real microseconds, monotonic in a process. If the machine's clock was set back since the state was
   * stored, world time continues and does not go back.
   */
  constructor(state: ClockState, wallUs: () => number) {
    const rate = state.mode === 'realtime' ? 1 : state.rate
    this.#state = { ...state, rate, wallUs: Math.min(state.wallUs, wallUs()) }
    this.#wallUs = wallUs
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

  /** Stored, so that a restart continues from here. */
  state(): ClockState {
    return { ...this.#state, worldUs: this.now(), wallUs: this.#wallUs() }
  }

  set(change: ClockChange): void {
    const mode = change.mode ?? this.#state.mode
    const rate = mode === 'realtime' ? 1 : (change.rate ?? this.#state.rate)
    const nowUs = change.nowUs ?? this.now()
    this.#heldUs = null
    this.#state = { mode, rate, worldUs: nowUs, wallUs: this.#wallUs() }
  }

  restore(state: ClockState): void {
    this.#state = { ...state }
  }

  pause(atUs: InstantUs): void {
    this.#pausedUs = atUs
  }

  /**
   * One instant for a whole piece of work, so that all its records agree. Continues afterwards as if it had not
   * stopped, unless the work set the clock.
   */
  hold<T>(atUs: InstantUs, work: () => T): T {
    this.#heldUs = atUs
    try {
      return work()
    } finally {
      this.#heldUs = null
    }
  }

  get paused(): boolean {
    return this.#pausedUs !== null
  }

  resume(atUs: InstantUs): void {
    this.#pausedUs = null
    this.#state = { ...this.#state, worldUs: atUs, wallUs: this.#wallUs() }
  }
}

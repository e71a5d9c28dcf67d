/** Works through the instants of a clock run together with participants and receivers of callbacks. */
import type { Clock } from '../clock/clock.ts'
import type { Absence } from '../model/participant.ts'
import type { InstantUs } from '../model/time.ts'
import type { Deliverer } from './deliverer.ts'
import type { Participants } from './participants.ts'

export interface InstantParts {
  clock: Clock
  participants: Participants
  deliverer: Deliverer
  nextOfWorldUs(): InstantUs
  attempts(): number
}

export class SharedInstants {
  #timers = 0
  readonly #parts: InstantParts
  readonly #absent = new Map<string, Absence>()
  readonly #unfollow: () => void
  readonly #timersBefore: number
  #restedAtUs: InstantUs | undefined
  #attemptsThen = 0

  constructor(parts: InstantParts) {
    this.#parts = parts
    this.#timersBefore = parts.participants.timers
    this.#unfollow = parts.participants.follow((absence) => {
      if (!this.#absent.has(absence.id)) this.#absent.set(absence.id, absence)
    })
  }

  get timers(): number {
    return this.#timers + this.#parts.participants.timers - this.#timersBefore
  }

  get absent(): Absence[] {
    return [...this.#absent.values()]
  }

  get nextTimerUs(): InstantUs {
    return this.#parts.participants.nextDueUs() ?? Number.POSITIVE_INFINITY
  }

  /**
   * Runs everything that is due now: timers first, because a program that receives something must know the time; then
   * callbacks, and what the programs do with them. `enough` stops it.
   */
  async workThrough(enough: () => boolean): Promise<void> {
    const { deliverer } = this.#parts
    while (!enough()) {
      if (this.#concernsParticipants()) await this.rest()
      if (enough()) return
      await deliverer.whenIdle()
      if (!this.#hasTold()) return
    }
  }

  async rest(): Promise<void> {
    const { clock, participants, attempts, nextOfWorldUs } = this.#parts
    if (participants.count === 0) return
    const nowUs = clock.now()
    if (this.nextTimerUs <= nowUs) this.#timers++
    this.#restedAtUs = nowUs
    this.#attemptsThen = attempts()
    await participants.rest(nextOfWorldUs())
  }

  async arrive(): Promise<void> {
    if (this.#restedAtUs !== this.#parts.clock.now()) await this.rest()
  }

  close(): void {
    this.#unfollow()
  }

  #hasTold(): boolean {
    const { participants, attempts } = this.#parts
    return participants.count > 0 && attempts() !== this.#attemptsThen
  }

  /** An instant at which only the world has something to do is not granted, because no participant would notice it. */
  #concernsParticipants(): boolean {
    const { clock, participants, deliverer } = this.#parts
    if (participants.count === 0) return false
    // One that moved by itself may have been told something at an instant at which it was not granted rest.
    if (participants.working || this.#hasTold()) return true
    const nowUs = clock.now()
    if (this.#restedAtUs === nowUs) return this.nextTimerUs <= nowUs
    if (this.#restedAtUs === undefined || this.nextTimerUs <= nowUs) return true
    return deliverer.busy || (deliverer.nextDueUs() ?? Number.POSITIVE_INFINITY) <= nowUs
  }
}

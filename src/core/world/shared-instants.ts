/** Works through the instants of a clock run with those who take part in it: participants, and receivers of callbacks. */
import type { Clock } from '../clock/clock.ts'
import type { Absence } from '../model/participant.ts'
import type { InstantUs } from '../model/time.ts'
import type { Deliverer } from './deliverer.ts'
import type { Participants } from './participants.ts'

/** What the instants of a run need. */
export interface InstantParts {
  clock: Clock
  participants: Participants
  deliverer: Deliverer
  /** When something of the world is due next, or this run has reached its end. */
  nextOfWorldUs(): InstantUs
  /** Attempts to deliver callbacks so far. */
  attempts(): number
}

/** What participants and receivers do in one run of the clock. */
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

  /** So many instants had a timer of a participant. */
  get timers(): number {
    return this.#timers + this.#parts.participants.timers - this.#timersBefore
  }

  /** Participants that time did not wait for, each once. */
  get absent(): Absence[] {
    return [...this.#absent.values()]
  }

  /** When a timer of a participant is due next. */
  get nextTimerUs(): InstantUs {
    return this.#parts.participants.nextDueUs() ?? Number.POSITIVE_INFINITY
  }

  /**
   * Has all that is due by now done: timers first, because a program that is told something has to know what time it is;
   * then callbacks, and what the programs make of them. `enough`: nobody is waited for any longer.
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

  /** Grants participants the present instant, and resolves when they rest. */
  async rest(): Promise<void> {
    const { clock, participants, attempts, nextOfWorldUs } = this.#parts
    if (participants.count === 0) return
    const nowUs = clock.now()
    if (this.nextTimerUs <= nowUs) this.#timers++
    this.#restedAtUs = nowUs
    this.#attemptsThen = attempts()
    await participants.rest(nextOfWorldUs())
  }

  /** Those who do not know the present instant yet are told it. */
  async arrive(): Promise<void> {
    if (this.#restedAtUs !== this.#parts.clock.now()) await this.rest()
  }

  close(): void {
    this.#unfollow()
  }

  /** Whether somebody was told something since all rested. */
  #hasTold(): boolean {
    const { participants, attempts } = this.#parts
    return participants.count > 0 && attempts() !== this.#attemptsThen
  }

  /** An instant that only the world has something to do at is not granted: nobody would see it. */
  #concernsParticipants(): boolean {
    const { clock, participants, deliverer } = this.#parts
    if (participants.count === 0) return false
    if (participants.working) return true
    const nowUs = clock.now()
    if (this.#restedAtUs === nowUs) return this.#hasTold() || this.nextTimerUs <= nowUs
    if (this.#restedAtUs === undefined || this.nextTimerUs <= nowUs) return true
    return deliverer.busy || (deliverer.nextDueUs() ?? Number.POSITIVE_INFINITY) <= nowUs
  }
}

/** Records a run of the clock and watches for its breakpoint. */

import type { Clock } from '../clock/clock.ts'
import type { ClockRun, ClockRunResult } from '../model/due.ts'
import type { CallbackDomainEvent, DomainEvent } from '../model/journal.ts'
import { must } from '../model/must.ts'
import type { Absence } from '../model/remote.ts'
import type { InstantUs } from '../model/time.ts'
import type { Deliverer } from './deliverer.ts'
import type { Feed } from './feed.ts'
import type { Participants } from './participants.ts'

export class ClockRunRecorder {
  readonly happened: DomainEvent[] = []
  readonly counts: ClockRunResult['counts'] = {}
  attempts = 0
  broke: DomainEvent | undefined
  readonly #feed: Feed
  readonly #run: ClockRun
  readonly #written: () => void
  readonly #stopListening: () => void
  /** Events that were checked before their commit, so that the breakpoint is not checked twice. */
  readonly #asked = new Set<DomainEvent>()
  #batch = 0
  #round = 0

  constructor(feed: Feed, run: ClockRun, written: () => void) {
    this.#feed = feed
    this.#run = run
    this.#written = written
    this.#stopListening = feed.listen({
      kind: 'settle',
      happened: (domainEvent) => this.#write(domainEvent),
      ended() {},
    })
  }

  /** Called inside a commit, so that the breakpoint sees only the events of this batch. */
  beginBatch(): void {
    this.#batch = this.#feed.uncommitted.length
  }

  look(): boolean {
    if (!this.#run.until) return false
    const { uncommitted } = this.#feed
    for (; this.#batch < uncommitted.length; this.#batch++) {
      const domainEvent = must(uncommitted[this.#batch])
      this.#asked.add(domainEvent)
      this.#ask(domainEvent)
    }
    return this.broke !== undefined
  }

  /** Sorts the attempts of one instant, because receivers answer in any order and runs must repeat. */
  endRound(): void {
    const places: number[] = []
    for (let i = this.#round; i < this.happened.length; i++) if (isAttempt(this.happened[i])) places.push(i)
    const attempts = places.map((place) => this.happened[place]).filter(isAttempt)
    attempts.sort((a, b) => a.id - b.id || a.attempts - b.attempts)
    for (const [i, place] of places.entries()) this.happened[place] = must(attempts[i])
    this.#round = this.happened.length
  }

  close(): void {
    this.#stopListening()
  }

  #write(domainEvent: DomainEvent): void {
    if (this.happened.length < (this.#run.keep ?? 0)) this.happened.push(domainEvent)
    this.counts[domainEvent.type] = (this.counts[domainEvent.type] ?? 0) + 1
    if (isAttempt(domainEvent)) this.attempts++
    if (!this.#asked.delete(domainEvent)) this.#ask(domainEvent)
    this.#written()
  }

  #ask(domainEvent: DomainEvent): void {
    if (this.broke === undefined && this.#run.until?.(domainEvent)) this.broke = domainEvent
  }
}

function isAttempt(domainEvent: DomainEvent | undefined): domainEvent is DomainEvent & CallbackDomainEvent {
  return domainEvent?.type === 'callback' && domainEvent.attempt !== null
}

// Works through the instants of a clock run together with participants and receivers of callbacks.

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

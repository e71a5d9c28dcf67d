/** A run of the clock: how far, what ends it, and what happened on the way. */
import type { ClockRun, ClockRunResult } from '../model/clock-run.ts'
import type { CallbackDomainEvent, DomainEvent } from '../model/domain-event.ts'
import type { Feed } from './feed.ts'

/** Keeps what happens on a run, and watches for its breakpoint. */
export class ClockRunRecorder {
  readonly happened: DomainEvent[] = []
  readonly counts: ClockRunResult['counts'] = {}
  attempts = 0
  broke: DomainEvent | undefined
  readonly #feed: Feed
  readonly #run: ClockRun
  readonly #written: () => void
  readonly #stopListening: () => void
  /** What the breakpoint was asked about before it was committed, and from where on in the batch. */
  readonly #asked = new Set<DomainEvent>()
  #batch = 0
  #round = 0

  /** `written`: runs after every entry. */
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

  /** Inside a commit: what comes now is looked at before it is committed. */
  beginBatch(): void {
    this.#batch = this.#feed.uncommitted.length
  }

  /** Whether the breakpoint holds for something that was done since the last look. */
  look(): boolean {
    if (!this.#run.until) return false
    const { uncommitted } = this.#feed
    for (; this.#batch < uncommitted.length; this.#batch++) {
      const domainEvent = uncommitted[this.#batch] as DomainEvent
      this.#asked.add(domainEvent)
      this.#ask(domainEvent)
    }
    return this.broke !== undefined
  }

  /** All attempts of an instant have ended: receivers answer in any order, and the list has one. */
  endRound(): void {
    const places: number[] = []
    for (let i = this.#round; i < this.happened.length; i++) if (isAttempt(this.happened[i])) places.push(i)
    const attempts = places.map((place) => this.happened[place] as DomainEvent & CallbackDomainEvent)
    attempts.sort((a, b) => a.id - b.id || a.attempts - b.attempts)
    for (const [i, place] of places.entries()) this.happened[place] = attempts[i] as DomainEvent
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

function isAttempt(domainEvent: DomainEvent | undefined): boolean {
  return domainEvent?.type === 'callback' && domainEvent.attempt !== null
}
